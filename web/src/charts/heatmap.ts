import { parameterValue, score, withError } from '../data/format';
import type { Score } from '../report-data';
import type { Palette } from '../theme';
import { svg } from '../ui/dom';
import type { Canvas, Drawing } from '../ui/figure';
import { hatching, textWidth } from './marks';
import { fitting } from './scales';

export interface HeatCell {
  score: Score;
  error: Score;
  diverged: number;
  runs: number;
}

export interface HeatAxis {
  label: string;
  symbol: string;
  values: number[];
}

export interface HeatOptions {
  x: HeatAxis;
  y: HeatAxis | null; // an algorithm may have one parameter only
  cell(column: number, row: number): HeatCell | null; // null where there is no such configuration
  start: number;
  note: string; // the parameters that do not vary
}

const channels = (colour: string): number[] => [1, 3, 5].map((from) => parseInt(colour.slice(from, from + 2), 16));
const mix = (from: string, to: string, share: number): string => {
  const end = channels(to);
  const mixed = channels(from).map((value, place) => Math.round(value + share * ((end[place] ?? 0) - value)));
  return `rgb(${mixed.join(',')})`;
};
export const shade = (share: number, { low, middle, high }: Palette): string =>
  share < 0.5 ? mix(low, middle, 2 * share) : mix(middle, high, 2 * share - 1);

export function heatChart(canvas: Canvas, options: HeatOptions): Drawing | null {
  const { colours, width, narrow } = canvas;
  const { x, y, start } = options;
  const columns = x.values.length;
  const rows = y?.values.length ?? 1;
  const cells = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (__, column) => options.cell(column, row)),
  );
  const finite = cells.flat().flatMap((cell) => (cell?.score != null && cell.score > 0 ? [cell.score] : []));
  const least = Math.min(...finite);
  const most = Math.min(Math.max(...finite), Math.max(start, 1.05 * least));

  const labels = y?.values.map(parameterValue) ?? [];
  const left = y ? Math.max(...labels.map((text) => textWidth(text, 11))) + 34 : 12;
  const right = narrow ? 8 : 16;
  const legendWidth = Math.min(260, width - left - right - 20);
  // Too narrow for the gradient and the two signs in one line.
  const legendBelow = width - left - right < 620;
  const top = legendBelow ? 74 : 58;
  const cellWidth = Math.min(110, (width - left - right) / columns);
  const cellHeight = y ? Math.max(14, Math.min(26, 520 / rows)) : 44;
  const height = top + cellHeight * rows + 46;
  const chart = svg('svg', {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    'font-size': 11,
    color: colours.ink,
    fill: colours.ink,
  });
  const hatch = hatching(chart, colours.ground, colours.diverged);
  const fillOf = (value: Score): string => {
    if (value === null) return hatch;
    if (value > start && value > most) return colours.poor;
    if (!(least > 0) || most <= least) return colours.low;
    return shade(Math.max(0, Math.min(1, Math.log(value / least) / Math.log(most / least))), colours);
  };

  // Rows go up, as an axis does.
  const cellY = (row: number) => top + cellHeight * (rows - 1 - row);
  const cellX = (column: number) => left + cellWidth * column;
  let best: [number, number] | null = null;
  cells.forEach((line, row) =>
    line.forEach((cell, column) => {
      if (!cell) return;
      const value = cell.score;
      chart.append(
        svg('rect', {
          class: value === null ? 'heat diverged' : 'heat',
          x: cellX(column),
          y: cellY(row),
          width: cellWidth,
          height: cellHeight,
          fill: fillOf(value),
          stroke: colours.ground,
          'stroke-width': 1,
        }),
      );
      if (value !== null && value === least) best ??= [column, row];
    }),
  );
  if (best) {
    const [column, row] = best as [number, number];
    const outline = { x: cellX(column), y: cellY(row), width: cellWidth, height: cellHeight, fill: 'none' };
    chart.append(
      svg('rect', { ...outline, stroke: colours.ground, 'stroke-width': 5 }),
      svg('rect', { class: 'heat-best', ...outline, stroke: colours.warning, 'stroke-width': 2.5 }),
    );
  }

  const foot = top + cellHeight * rows;
  const ticks = fitting(
    x.values.map((value, column) => ({ column, text: parameterValue(Number(value.toPrecision(narrow ? 2 : 3))) })),
    ({ column }) => cellX(column + 0.5),
    6.4,
  );
  for (const { column, text } of ticks)
    chart.append(svg('text', { x: cellX(column + 0.5), y: foot + 16, 'text-anchor': 'middle', fill: colours.muted }, text));
  chart.append(
    svg('text', { x: left + (cellWidth * columns) / 2, y: foot + 38, 'text-anchor': 'middle', 'font-size': 12 }, x.label),
  );
  if (y) {
    labels.forEach((text, row) =>
      chart.append(
        svg(
          'text',
          { x: left - 8, y: cellY(row) + cellHeight / 2, dy: '0.32em', 'text-anchor': 'end', fill: colours.muted },
          text,
        ),
      ),
    );
    const middle = top + (cellHeight * rows) / 2;
    chart.append(
      svg(
        'text',
        { x: 12, y: middle, 'text-anchor': 'middle', 'font-size': 12, transform: `rotate(-90 12 ${middle})` },
        y.label,
      ),
    );
  }
  legendOf(chart, { x: left, width: legendWidth, least, most, start, below: legendBelow, hatch, colours });

  const tipOf = (column: number, row: number) => {
    const found = cells[row]?.[column];
    if (!found) return null;
    const title = [`${x.symbol} = ${parameterValue(x.values[column] ?? NaN)}`];
    if (y) title.push(`${y.symbol} = ${parameterValue(y.values[row] ?? NaN)}`);
    return {
      tip: {
        title: title.join(', '),
        rows: [
          { name: 'Score', value: found.score === null ? 'diverged' : withError(found.score, found.error) },
          { name: 'Ratio to the best shown', value: found.score === null ? '∞' : (found.score / least).toFixed(2) },
          ...(found.runs > 1 ? [{ name: 'Runs diverged', value: `${found.diverged} of ${found.runs}` }] : []),
        ],
        note: options.note,
      },
      marks: [
        svg('rect', {
          x: cellX(column),
          y: cellY(row),
          width: cellWidth,
          height: cellHeight,
          fill: 'none',
          stroke: colours.ink,
          'stroke-width': 2,
        }),
      ],
    };
  };
  return {
    chart,
    description: `${columns} by ${rows} configurations; the best score shown is ${Number.isFinite(least) ? score(least) : 'none'}.`,
    hit: (pointerX, pointerY) => {
      const column = Math.floor((pointerX - left) / cellWidth);
      const row = rows - 1 - Math.floor((pointerY - top) / cellHeight);
      return tipOf(column, row);
    },
    stops: cells.flatMap((line, row) =>
      line.map((_, column): [number, number] => [cellX(column + 0.5), cellY(row) + cellHeight / 2]),
    ),
  };
}

interface LegendPlace {
  x: number;
  width: number;
  least: number;
  most: number;
  start: number;
  below: boolean;
  hatch: string;
  colours: Palette;
}

function legendOf(chart: SVGSVGElement, { x, width, least, most, start, below, hatch, colours }: LegendPlace): void {
  const text = (at: number, y: number, words: string, anchor = 'start') =>
    svg('text', { x: at, y, dy: '0.32em', 'text-anchor': anchor, fill: colours.muted }, words);
  if (Number.isFinite(least)) {
    const steps = 40;
    for (let step = 0; step < steps; ++step)
      chart.append(
        svg('rect', {
          x: x + (width * step) / steps,
          y: 4,
          width: width / steps + 0.5,
          height: 10,
          fill: shade(step / (steps - 1), colours),
        }),
      );
    const end = most >= start ? `${score(most, 3)} before learning` : score(most, 3);
    chart.append(text(x, 24, `${score(least, 3)} best`), text(x + width, 24, end, 'end'));
  }
  let at = below ? x : x + width + 28;
  const y = below ? 46 : 9;
  for (const [fill, words] of [
    [colours.poor, 'worse than before learning'],
    [hatch, 'diverged'],
  ] as const) {
    chart.append(
      svg('rect', { x: at, y: y - 6, width: 12, height: 12, fill, stroke: colours.muted, 'stroke-opacity': 0.5 }),
      text(at + 18, y, words),
    );
    at += 18 + textWidth(words, 11) + 20;
  }
}
