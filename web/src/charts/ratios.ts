import { count, parameterValue, percent } from '../data/format';
import type { Histogram } from '../log-data';
import { svg } from '../ui/dom';
import type { Canvas, Drawing } from '../ui/figure';
import { errorTicks } from './scales';

interface Bar {
  from: number; // log₂ of the ratio; NaN for those that are 0
  to: number;
  count: number;
}

// Bins with something in them, and an empty one on either side.
function barsOf({ perDoubling, doublings, counts }: Histogram): Bar[] {
  const all = counts.map((found, place) => ({
    from: place / perDoubling - doublings,
    to: (place + 1) / perDoubling - doublings,
    count: found,
  }));
  const first = all.findIndex((bar) => bar.count > 0);
  const last = all.length - 1 - [...all].reverse().findIndex((bar) => bar.count > 0);
  const one = doublings * perDoubling; // the bin from 1 on
  return all.slice(Math.max(0, Math.min(first, one) - 2), Math.max(last, one) + 3);
}

const ratioText = (exponent: number): string =>
  exponent < 0 && Number.isInteger(exponent) ? `1/${2 ** -exponent}` : parameterValue(Number((2 ** exponent).toPrecision(3)));

// How many steps have which ratio, on a logarithmic axis, those with 0 apart.
export function ratioChart(canvas: Canvas, histogram: Histogram): Drawing | null {
  const { colours, width, narrow } = canvas;
  const bars = barsOf(histogram);
  const total = histogram.zeros + histogram.counts.reduce((sum, found) => sum + found, 0);
  if (total === 0) return null;
  const margin = { top: 30, right: 14, bottom: 44, left: 48 };
  const height = narrow ? 260 : 300;
  const zeroWidth = histogram.zeros > 0 ? 44 : 0;
  const foot = height - margin.bottom;
  const room = foot - margin.top;
  const most = Math.max(histogram.zeros, ...bars.map((bar) => bar.count)) / total;
  const up = (share: number) => foot - (room * share) / most;
  const first = bars[0]?.from ?? 0;
  const span = (bars.at(-1)?.to ?? 1) - first;
  const start = margin.left + zeroWidth;
  const x = (exponent: number) => start + ((exponent - first) / span) * (width - margin.right - start);
  const chart = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, 'font-size': 12, color: colours.ink, fill: colours.ink });

  for (const share of errorTicks(0, most, false, 4))
    chart.append(
      svg('path', { d: `M${margin.left} ${up(share)}H${width - margin.right}`, stroke: colours.faint }),
      svg('text', { x: margin.left - 8, y: up(share), dy: '0.32em', 'text-anchor': 'end', fill: colours.muted }, `${Number((100 * share).toPrecision(3))}%`),
    );
  chart.append(svg('text', { x: 4, y: 12, fill: colours.muted }, 'Share of the steps'));
  const places: { bar: Bar | null; left: number; right: number }[] = [];
  if (zeroWidth) {
    places.push({ bar: null, left: margin.left + 6, right: margin.left + zeroWidth - 14 });
    chart.append(svg('text', { x: margin.left + zeroWidth / 2 - 4, y: foot + 18, 'text-anchor': 'middle', fill: colours.muted }, '0'));
  }
  for (const bar of bars) places.push({ bar, left: x(bar.from) + 0.5, right: x(bar.to) - 0.5 });
  for (const { bar, left, right } of places) {
    const share = (bar?.count ?? histogram.zeros) / total;
    if (share > 0)
      chart.append(
        svg('rect', {
          class: 'bin',
          x: left,
          width: Math.max(1, right - left),
          y: Math.min(up(share), foot - 1),
          height: Math.max(1, foot - up(share)),
          fill: bar ? colours.middle : colours.diverged,
        }),
      );
  }
  chart.append(
    svg('path', { d: `M${margin.left} ${foot}H${width - margin.right}`, stroke: colours.muted, 'stroke-opacity': 0.6 }),
    svg('path', { d: `M${x(0)} ${margin.top - 8}V${foot}`, stroke: colours.muted, 'stroke-dasharray': '1 4', 'stroke-linecap': 'round' }),
    svg('text', { x: x(0), y: margin.top - 12, 'text-anchor': 'middle', 'font-size': 11, fill: colours.muted }, 'both act alike'),
  );
  const stride = [1, 2, 4, 8].find((step) => (span / step) * 46 <= width - start) ?? 8;
  for (let exponent = Math.ceil(first / stride) * stride; exponent <= first + span + 1e-9; exponent += stride)
    chart.append(
      svg('text', { x: x(exponent), y: foot + 18, 'text-anchor': 'middle', fill: colours.muted }, ratioText(exponent)),
    );
  chart.append(
    svg(
      'text',
      { x: (margin.left + width) / 2, y: height - 4, 'text-anchor': 'middle', fill: colours.muted },
      'Ratio of the target’s probability to the behaviour’s',
    ),
  );
  return {
    chart,
    description: `Ratios of ${count(total)} steps; ${percent(histogram.zeros / total)} are 0.`,
    hit: (pointer, y) => {
      const found = places.find(({ left, right }) => pointer >= left - 1 && pointer <= right + 1);
      if (!found || y > foot) return null;
      const { bar } = found;
      const steps = bar?.count ?? histogram.zeros;
      return {
        tip: {
          title: bar ? `${ratioText(bar.from)} to ${ratioText(bar.to)}` : 'Ratio 0: the target never does this',
          rows: [{ name: 'steps', value: `${count(steps)} (${percent(steps / total)})` }],
        },
      };
    },
    stops: places.map(({ left, right }): [number, number] => [(left + right) / 2, foot - 10]),
  };
}
