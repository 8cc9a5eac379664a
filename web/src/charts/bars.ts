import { ratio } from '../data/format';
import type { Score } from '../report-data';
import { svg } from '../ui/dom';
import type { Canvas, Drawing } from '../ui/figure';
import { cross, drawPlot, textWidth, triangle, valueAxis } from './marks';
import { errorTicks } from './scales';

export interface Bar {
  name: string;
  colour: string;
  value: Score; // null where it diverged
  interval: [Score, Score] | null;
}

const rowHeight = 26;
const longest = 3; // times the reference; what is longer has a mark at the edge

// Bars from 0, with intervals, beside the reference at 1.
export function barsChart(canvas: Canvas, bars: Bar[], label: string): Drawing | null {
  if (bars.length === 0) return null;
  const { colours, width, narrow } = canvas;
  const ends = bars.flatMap(({ value, interval }) => (value !== null && value <= longest ? [value, interval?.[1] ?? value] : []));
  const top = 1.06 * Math.min(longest, Math.max(1, ...ends));
  const levels = errorTicks(0, top, false, narrow ? 4 : 7);
  const left = Math.max(...bars.map(({ name }) => textWidth(name))) + 18;
  const margin = { top: 6, right: 26, bottom: 46 };
  const height = margin.top + margin.bottom + rowHeight * bars.length;
  const { chart, x } = drawPlot(
    {
      width,
      height,
      marginTop: margin.top,
      marginRight: margin.right,
      marginBottom: margin.bottom,
      marginLeft: left,
      x: { domain: [0, top], axis: null },
      y: { domain: [0, 1], axis: null },
      marks: valueAxis(label, levels, colours),
    },
    colours,
  );
  const middle = (row: number) => margin.top + rowHeight * (row + 0.5);
  const edge = width - margin.right;
  const at = (value: Score) => (value === null ? edge : Math.min(edge, x(Math.max(0, value))));
  bars.forEach(({ name, colour, value, interval }, row) => {
    const y = middle(row);
    const group = svg('g', { class: 'bar-of-figure', 'aria-label': name });
    group.append(
      svg('text', { x: left - 10, y, dy: '0.32em', 'text-anchor': 'end', 'font-size': 12, fill: colours.ink }, name),
      svg('rect', { x: left, y: y - 8, width: Math.max(1, at(value) - left), height: 16, fill: colour, 'fill-opacity': 0.55 }),
    );
    if (interval && value !== null && value <= top)
      group.append(svg('path', { d: `M${at(interval[0])} ${y}H${at(interval[1])}`, stroke: colours.ink, 'stroke-width': 1.6 }));
    if (value === null) group.append(cross(edge + 10, y, colour));
    else if (value > top) {
      const sign = svg('g', { transform: `rotate(90 ${edge + 10} ${y})` });
      sign.append(triangle(edge + 10, y, colour));
      group.append(sign);
    }
    chart.append(group);
  });
  chart.append(
    svg('path', {
      d: `M${x(1)} ${margin.top}V${height - margin.bottom}`,
      stroke: colours.muted,
      'stroke-dasharray': '1 4',
      'stroke-linecap': 'round',
    }),
  );
  const text = (value: Score) => (value === null ? '∞' : ratio(value));
  return {
    chart,
    description: bars.map(({ name, value }) => `${name} ${text(value)}`).join(', '),
    hit: (_, y) => {
      const bar = bars[Math.floor((y - margin.top) / rowHeight)];
      if (!bar) return null;
      return {
        tip: {
          title: bar.name,
          rows: [
            { name: label, value: text(bar.value) },
            ...(bar.interval ? [{ name: '95%', value: `${text(bar.interval[0])} to ${text(bar.interval[1])}` }] : []),
          ],
        },
      };
    },
    stops: bars.map((_, row): [number, number] => [left, middle(row)]),
  };
}
