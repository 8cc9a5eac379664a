import { number } from '../data/format';
import type { Score } from '../report-data';
import { svg } from '../ui/dom';
import type { Canvas, Drawing } from '../ui/figure';
import { drawPlot, textWidth, valueAxis } from './marks';
import { errorTicks } from './scales';

export interface IntervalRow {
  name: string;
  group?: string; // rows of one group stand together, under its name
  value: Score;
  low: Score;
  high: Score;
  strong?: boolean; // the one that counts
  warns?: boolean; // it is not as it should be
  beside?: [low: number, value: number, high: number]; // what it is compared with: a hollow mark, and how sure that is
  notes?: [name: string, value: string][]; // for the tip
}

const rowHeight = 26;
const groupHeight = 24;
const widest = 4; // an interval is drawn this many times as far as the middle one reaches

const isNumber = (value: Score): value is number => value !== null && Number.isFinite(value);

// Where all estimates are seen, and of each interval as much as does not squash the others.
function domainOf(rows: IntervalRow[]): [number, number] {
  const halves = rows
    .flatMap(({ value, low, high }) =>
      isNumber(value) && isNumber(low) && isNumber(high) ? [Math.max(high - value, value - low)] : [],
    )
    .sort((left, right) => left - right);
  const reach = widest * (halves[Math.floor(halves.length / 2)] ?? 0);
  const ends = rows.flatMap(({ value, low, high, beside }) =>
    isNumber(value)
      ? [
          ...(beside ?? []),
          value,
          Math.max(isNumber(low) ? low : value - reach, value - reach),
          Math.min(isNumber(high) ? high : value + reach, value + reach),
        ]
      : [],
  );
  const least = Math.min(...ends);
  const most = Math.max(...ends);
  const size = Math.max(Math.abs(least), Math.abs(most));
  // Numbers that differ in digits that nobody is shown are one place.
  const room = most - least > 1e-6 * size ? 0.05 * (most - least) : 0.1 * size || 1;
  return [least - room, most + room];
}

// Estimates and their intervals on one axis, a row each. An interval that goes on outside has an arrow.
export function intervalChart(canvas: Canvas, rows: IntervalRow[], label: string, description: string): Drawing | null {
  if (!rows.some(({ value }) => isNumber(value))) return null;
  const { colours, width, narrow } = canvas;
  const domain = domainOf(rows);
  const levels = errorTicks(...domain, false, narrow ? 4 : 7);
  const names = Math.max(...rows.map(({ name, strong }) => textWidth(name) * (strong ? 1.14 : 1)));
  const left = narrow ? 10 : Math.min(names + 22, 0.45 * width);
  const margin = { top: 6, right: 16, bottom: 46 };
  // On a phone names stand above their rows.
  const step = narrow ? rowHeight + 14 : rowHeight;
  const places: { row: IntervalRow; y: number }[] = [];
  const groups: { name: string; y: number }[] = [];
  let y = margin.top;
  let last: string | undefined;
  for (const row of rows) {
    if (row.group !== undefined && row.group !== last) {
      groups.push({ name: row.group, y: y + groupHeight - 8 });
      y += groupHeight;
    }
    last = row.group;
    places.push({ row, y: y + step - rowHeight / 2 });
    y += step;
  }
  const height = y + margin.bottom;
  const { chart, x } = drawPlot(
    {
      width,
      height,
      marginTop: margin.top,
      marginRight: margin.right,
      marginBottom: margin.bottom,
      marginLeft: left,
      x: { domain, axis: null },
      y: { domain: [0, 1], axis: null },
      marks: valueAxis(label, levels, colours),
    },
    colours,
  );
  const [from, to] = [left, width - margin.right];
  const at = (value: number) => Math.max(from, Math.min(to, x(value)));
  for (const { name, y: below } of groups)
    chart.append(svg('text', { x: narrow ? left : 0, y: below, 'text-anchor': 'start', 'font-size': 12, fill: colours.muted }, name));
  for (const { row, y: middle } of places) {
    const { name, value, low, high, strong, warns, beside } = row;
    const colour = warns ? colours.warning : strong || beside ? colours.accent : colours.muted;
    const group = svg('g', { class: strong ? 'interval strong' : 'interval', 'aria-label': name });
    group.append(
      svg(
        'text',
        {
          x: narrow ? left : left - 12,
          y: narrow ? middle - 17 : middle,
          dy: '0.32em',
          'text-anchor': narrow ? 'start' : 'end',
          'font-size': 12,
          'font-weight': strong ? 650 : null,
          fill: colours.ink,
        },
        name,
      ),
    );
    if (beside) {
      const [least, given, most] = beside;
      group.append(
        svg('path', { d: `M${at(least)} ${middle}H${at(most)}`, stroke: colours.faint, 'stroke-width': 9 }),
        svg('rect', {
          x: at(given) - 3.7,
          y: middle - 3.7,
          width: 7.4,
          height: 7.4,
          fill: colours.ground,
          stroke: colours.ink,
          'stroke-width': 1.4,
        }),
      );
    }
    if (isNumber(value)) {
      const [start, end] = [isNumber(low) ? at(low) : from, isNumber(high) ? at(high) : to];
      group.append(svg('path', { d: `M${start} ${middle}H${end}`, stroke: colour, 'stroke-width': strong ? 3 : 2 }));
      for (const [place, cut, sign] of [
        [start, !isNumber(low) || x(low) < from - 0.5, -1],
        [end, !isNumber(high) || x(high) > to + 0.5, 1],
      ] as const)
        group.append(
          cut
            ? svg('path', {
                d: `M${place - 6 * sign} ${middle - 4}L${place} ${middle}L${place - 6 * sign} ${middle + 4}`,
                stroke: colour,
                'stroke-width': 2,
                fill: 'none',
              })
            : svg('path', { d: `M${place} ${middle - 4.5}V${middle + 4.5}`, stroke: colour, 'stroke-width': strong ? 2 : 1.5 }),
        );
      group.append(
        svg('circle', { cx: at(value), cy: middle, r: strong ? 5.5 : 4, fill: colour, stroke: colours.ground, 'stroke-width': 1.5 }),
      );
    }
    chart.append(group);
  }
  return {
    chart,
    description,
    hit: (_, pointer) => {
      const found = places.find(({ y: middle }) => Math.abs(pointer - middle) <= step / 2);
      if (!found) return null;
      const { name, value, low, high, notes } = found.row;
      return {
        tip: {
          title: name,
          rows: [
            { name: 'estimate', value: isNumber(value) ? number(value) : '–' },
            { name: 'interval', value: `${isNumber(low) ? number(low) : '−∞'} to ${isNumber(high) ? number(high) : '∞'}` },
            ...(notes ?? []).map(([note, text]) => ({ name: note, value: text })),
          ],
        },
      };
    },
    stops: places.map(({ row, y: middle }): [number, number] => [isNumber(row.value) ? at(row.value) : left, middle]),
  };
}
