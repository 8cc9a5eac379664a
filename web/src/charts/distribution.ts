import { score } from '../data/format';
import type { Score } from '../report-data';
import type { Palette } from '../theme';
import { svg } from '../ui/dom';
import type { Canvas, Drawing } from '../ui/figure';
import { cross, drawPlot, hatching, textWidth, triangle, valueAxis } from './marks';
import { errorTicks } from './scales';

export interface Spread {
  name: string;
  colour: string;
  quantiles: Score[]; // 0, 5, 25, 50, 75, 95, 100%
  classes: number[]; // shares of the classes below, which add to 1
}

export const classNames = [
  'within 10% of the best',
  'within 50%',
  'better than the start',
  'worse than the start',
  'diverged',
] as const;

const rowHeight = 30;

function rowNames(chart: SVGSVGElement, rows: Spread[], left: number, middle: (row: number) => number): void {
  rows.forEach(({ name }, row) =>
    chart.append(
      svg(
        'text',
        { x: left - 10, y: middle(row), dy: '0.32em', 'text-anchor': 'end', 'font-size': 12, fill: 'currentColor' },
        name,
      ),
    ),
  );
}

const leftMargin = (rows: Spread[]): number => Math.max(...rows.map(({ name }) => textWidth(name))) + 18;

// Boxes from the 25% to the 75% quantile, whiskers from 5% to 95%, on a logarithmic scale.
export function quantileChart(canvas: Canvas, rows: Spread[], start: number, label: string): Drawing | null {
  const finite = rows.flatMap(({ quantiles }) => quantiles.filter((value): value is number => value !== null && value > 0));
  if (rows.length === 0 || finite.length === 0) return null;
  const { colours, width } = canvas;
  const least = Math.min(...finite);
  // Ten times the error before learning is as bad as any.
  const top = Math.min(Math.max(...finite), 10 * Math.max(start, least));
  const domain: [number, number] = [least / 1.08, Math.max(top, least * 1.5)];
  const levels = errorTicks(...domain, true, canvas.narrow ? 4 : 6);
  const left = leftMargin(rows);
  const margin = { top: 24, right: 34, bottom: 46 };
  const height = margin.top + margin.bottom + rowHeight * rows.length;
  const { chart, x } = drawPlot(
    {
      width,
      height,
      marginTop: margin.top,
      marginRight: margin.right,
      marginBottom: margin.bottom,
      marginLeft: left,
      x: { type: 'log', domain, axis: null },
      y: { domain: [0, 1], axis: null },
      marks: valueAxis(label, levels, colours),
    },
    colours,
  );
  const middle = (row: number) => margin.top + rowHeight * (row + 0.5);
  const edge = width - margin.right;
  const at = (value: Score) => (value === null ? edge : Math.max(left, Math.min(edge, x(value))));
  if (start <= domain[1] && start >= domain[0])
    chart.append(
      svg('path', {
        d: `M${x(start)} ${margin.top - 4}V${height - margin.bottom}`,
        stroke: colours.muted,
        'stroke-dasharray': '1 4',
        'stroke-linecap': 'round',
      }),
      svg(
        'text',
        { x: x(start), y: margin.top - 9, 'text-anchor': 'middle', 'font-size': 11, fill: colours.muted },
        'before learning',
      ),
    );
  rows.forEach((row, place) => chart.append(box(row, middle(place), at, edge, domain[1], colours)));
  rowNames(chart, rows, left, middle);
  const labels = ['best', '5%', '25%', 'median', '75%', '95%', 'worst'];
  return {
    chart,
    description: `Quantiles of the scores of ${rows.length} algorithms.`,
    hit: (_, y) => {
      const row = rows[Math.floor((y - margin.top) / rowHeight)];
      return row
        ? {
            tip: {
              title: row.name,
              rows: row.quantiles.map((value, place) => ({ name: labels[place] ?? '', value: score(value) })),
            },
          }
        : null;
    },
    stops: rows.map((_, place): [number, number] => [left, middle(place)]),
  };
}

function box(
  row: Spread,
  y: number,
  at: (value: Score) => number,
  edge: number,
  most: number,
  colours: Palette,
): SVGGElement {
  const [best = null, q5 = null, q25 = null, q50 = null, q75 = null, q95 = null] = row.quantiles;
  const group = svg('g', { class: 'spread', 'aria-label': row.name });
  const out = (value: Score) => value === null || value > most;
  const stroke = { stroke: row.colour, fill: 'none' };
  group.append(svg('path', { d: `M${at(best)} ${y}H${at(q5)}`, ...stroke, 'stroke-width': 1, 'stroke-dasharray': '2 2' }));
  group.append(svg('path', { d: `M${at(q5)} ${y}H${at(q95)}`, ...stroke, 'stroke-width': 1.5 }));
  group.append(
    svg('rect', {
      x: at(q25),
      y: y - 8,
      width: Math.max(1, at(q75) - at(q25)),
      height: 16,
      rx: 2,
      fill: colours.ground,
      stroke: 'none',
    }),
    svg('rect', {
      x: at(q25),
      y: y - 8,
      width: Math.max(1, at(q75) - at(q25)),
      height: 16,
      rx: 2,
      fill: row.colour,
      'fill-opacity': 0.28,
      stroke: row.colour,
      'stroke-width': 1.2,
    }),
  );
  if (!out(q50)) group.append(svg('path', { d: `M${at(q50)} ${y - 8}V${y + 8}`, ...stroke, 'stroke-width': 3 }));
  group.append(svg('circle', { cx: at(best), cy: y, r: 3.5, fill: row.colour, stroke: colours.ground }));
  // Beyond the scale, or infinite: the 95% quantile is said by its sign.
  if (out(q95)) {
    const sign = svg('g', { transform: q95 === null ? null : `rotate(90 ${edge + 10} ${y})` });
    sign.append((q95 === null ? cross : triangle)(edge + 10, y, row.colour));
    group.append(sign);
  }
  return group;
}

export function classColours(colours: Palette): string[] {
  return [colours.low, colours.middle, colours.high, colours.poor, colours.diverged];
}

// How many configurations are good, bad, or diverge: a bar of 100% for each algorithm.
export function sharesChart(canvas: Canvas, rows: Spread[]): Drawing | null {
  if (rows.length === 0) return null;
  const { colours, width, narrow } = canvas;
  const left = leftMargin(rows);
  const right = 14;
  // The key stands in the chart, so that it is in the saved file.
  const fills = classColours(colours);
  const key: { x: number; y: number; text: string; fill: number }[] = [];
  let keyX = narrow ? 4 : left;
  let keyY = 10;
  classNames.forEach((text, fill) => {
    const size = textWidth(text) + 30;
    if (keyX + size > width) {
      keyX = narrow ? 4 : left;
      keyY += 20;
    }
    key.push({ x: keyX, y: keyY, text, fill });
    keyX += size;
  });
  const top = keyY + 20;
  const height = top + rowHeight * rows.length + 34;
  const chart = svg('svg', {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    'font-size': 12,
    color: colours.ink,
    fill: colours.ink,
  });
  const hatch = hatching(chart, colours.diverged, colours.ground);
  const fillOf = (place: number) => (place === 4 ? hatch : (fills[place] ?? colours.faint));
  for (const { x, y, text, fill } of key)
    chart.append(
      svg('rect', {
        x,
        y: y - 6,
        width: 12,
        height: 12,
        rx: 2,
        fill: fillOf(fill),
        stroke: colours.muted,
        'stroke-opacity': 0.4,
      }),
      svg('text', { x: x + 17, y, dy: '0.32em', fill: colours.muted }, text),
    );
  const span = width - left - right;
  const middle = (row: number) => top + rowHeight * (row + 0.5);
  rows.forEach(({ name, classes }, row) => {
    const group = svg('g', { class: 'shares', 'aria-label': name });
    let from = 0;
    classes.forEach((share, place) => {
      if (share <= 0) return;
      group.append(
        svg('rect', {
          x: left + from * span,
          y: middle(row) - 9,
          width: share * span,
          height: 18,
          fill: fillOf(place),
          stroke: colours.ground,
          'stroke-width': 1,
        }),
      );
      from += share;
    });
    chart.append(group);
  });
  for (const share of narrow ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1])
    chart.append(
      svg(
        'text',
        {
          x: left + share * span,
          y: height - 12,
          fill: colours.muted,
          'text-anchor': share === 0 ? 'start' : share === 1 ? 'end' : 'middle',
        },
        `${100 * share}%`,
      ),
    );
  rowNames(chart, rows, left, middle);
  return {
    chart,
    description: `Shares of the configurations of ${rows.length} algorithms that are good, bad, or diverge.`,
    hit: (_, y) => {
      const row = rows[Math.floor((y - top) / rowHeight)];
      return row
        ? {
            tip: {
              title: `${row.name}: share of its configurations`,
              rows: classNames.map((name, place) => ({ name, value: `${(100 * (row.classes[place] ?? 0)).toFixed(1)}%` })),
            },
          }
        : null;
    },
    stops: rows.map((_, place): [number, number] => [left, middle(place)]),
  };
}
