import type { Evidence, Verdict } from '../report-data';
import { number, parameterValue, percent } from '../data/format';
import { h, svg } from '../ui/dom';

// Told apart by sign as well as by colour.
export const signs: Record<Verdict, string> = { held: '✓', 'not held': '✕', undecided: '?', mixed: '±' };
export const classOf = (verdict: Verdict): string => verdict.replace(' ', '-');

type Measured = Evidence & { unit: NonNullable<Evidence['unit']>; target: NonNullable<Evidence['target']> };
const isMeasured = (row: Evidence): row is Measured => row.unit !== null && row.target !== null;

// Ratios lie on a logarithmic axis. What is null is infinite: below for the lower end, above for the others.
interface Axis {
  low: number;
  high: number;
  at(value: number): number; // in percent of the width, which clips
}

const widest = 12; // an axis goes this many times as far as where things should lie

function axisOf(rows: Measured[]): Axis {
  const unit = rows[0]!.unit;
  if (unit === 'share') return linear(0, 1);
  const isRatio = unit === 'ratio';
  const usable = (value: number | null): value is number => value !== null && (!isRatio || value > 0);
  const bounds = rows.flatMap(({ target }) => target).filter(usable);
  const values = rows.flatMap(({ estimate, interval }) => [estimate, ...(interval ?? [])]).filter(usable);
  if (isRatio) {
    const low = Math.max(Math.min(...bounds, ...values), Math.min(...bounds) / widest);
    const high = Math.min(Math.max(...bounds, ...values), Math.max(...bounds) * widest);
    const margin = Math.max(high / low, 1.05) ** 0.06;
    const from = Math.log(low / margin);
    const to = Math.log(high * margin);
    return {
      low: low / margin,
      high: high * margin,
      at: (value) => clip((100 * (Math.log(Math.max(value, 1e-300)) - from)) / (to - from)),
    };
  }
  const far = widest * Math.max(...bounds.map(Math.abs), 1e-9);
  const low = Math.max(Math.min(...bounds, ...values), -far);
  const high = Math.min(Math.max(...bounds, ...values), far);
  const margin = 0.06 * (high - low || 1);
  return linear(low - margin, high + margin);
}

const clip = (place: number): number => Math.min(100, Math.max(0, place));
const linear = (low: number, high: number): Axis => ({
  low,
  high,
  at: (value) => clip((100 * (value - low)) / (high - low)),
});

const percentOf = (place: number): string => `${place.toFixed(2)}%`;

function valueText(unit: Measured['unit'], value: number | null): string {
  if (value === null) return '∞';
  // A ratio of 1.002 is as far from 1 as one of 0.998, and is not to look like 1.
  const digits = value >= 1 && value < 2 ? 4 : 3;
  return unit === 'share' ? percent(value) : number(value, digits);
}

function rowPlot(row: Measured, axis: Axis): SVGSVGElement {
  const [from, to] = row.target;
  const left = from === null ? 0 : axis.at(from);
  const right = to === null ? 100 : axis.at(to);
  const bound = (place: number, shown: boolean) =>
    shown ? svg('line', { class: 'bound', x1: percentOf(place), x2: percentOf(place), y1: 0, y2: 18 }) : null;
  const plot = svg(
    'svg',
    { class: 'forest-plot', height: 18, 'aria-hidden': 'true' },
    svg('rect', { class: 'target', x: percentOf(left), width: percentOf(Math.max(0, right - left)), y: 0, height: 18 }),
    bound(left, from !== null && !(row.unit === 'ratio' && from === 0)),
    bound(right, to !== null && to !== from),
  );
  if (row.interval) {
    const [low, high] = row.interval;
    const start = low === null ? 0 : axis.at(low);
    const end = high === null ? 100 : axis.at(high);
    plot.append(svg('line', { class: 'interval', x1: percentOf(start), x2: percentOf(end), y1: 9, y2: 9 }));
    // An end that goes on outside has an arrow, the others a stop.
    const isCut = (value: number | null, edge: number) => value === null || (edge === 0 ? value < axis.low : value > axis.high);
    for (const [place, cut, sign] of [
      [start, isCut(low, 0), '◂'],
      [end, isCut(high, 100), '▸'],
    ] as const)
      plot.append(
        cut
          ? svg('text', { class: 'cut', x: percentOf(place), y: 13, 'text-anchor': sign === '◂' ? 'start' : 'end' }, sign)
          : svg('line', { class: 'interval', x1: percentOf(place), x2: percentOf(place), y1: 5, y2: 13 }),
      );
  }
  if (row.estimate !== null) plot.append(svg('circle', { class: 'estimate', cx: percentOf(axis.at(row.estimate)), cy: 9, r: 3.6 }));
  return plot;
}

function rowOf(row: Evidence, axis: Axis | null): HTMLElement {
  const measured = isMeasured(row) && axis !== null;
  const values = !measured
    ? ''
    : row.interval
      ? `${valueText(row.unit, row.estimate)} [${row.interval[0] === null ? '−∞' : valueText(row.unit, row.interval[0])}, ${valueText(row.unit, row.interval[1])}]`
      : valueText(row.unit, row.estimate);
  return h(
    'div',
    { class: `forest-row ${classOf(row.verdict)}`, title: row.words, role: 'listitem' },
    h('span', { class: 'forest-sign', role: 'img', 'aria-label': row.verdict }, signs[row.verdict]),
    h('span', { class: 'forest-label' }, row.place && measured ? h('span', { class: 'forest-place' }, `${row.place} `) : null, row.label),
    measured ? rowPlot(row, axis) : h('span', {}),
    h('span', { class: 'forest-values' }, values),
  );
}

function axisRow(rows: Measured[], axis: Axis): HTMLElement {
  const unit = rows[0]!.unit;
  const marks = new Set<number>(unit === 'share' ? [0, 0.5, 1] : []);
  for (const { target } of rows) for (const end of target) if (end !== null && !(unit === 'ratio' && end === 0)) marks.add(end);
  if (unit === 'ratio') for (const value of [0.1, 0.2, 0.5, 1, 2, 5, 10, 20]) if (value > axis.low && value < axis.high) marks.add(value);
  // Those too close to one that is there are left out; thresholds came first.
  const shown: number[] = [];
  for (const mark of marks) if (shown.every((other) => Math.abs(axis.at(other) - axis.at(mark)) > 14)) shown.push(mark);
  const names = { ratio: 'ratio', difference: 'in parts of w₀’s error', share: 'share' };
  return h(
    'div',
    { class: 'forest-axis', 'aria-hidden': 'true' },
    h('span', { class: 'forest-unit' }, names[unit]),
    h(
      'span',
      { class: 'forest-marks' },
      shown.map((mark) => h('span', { style: `left: ${percentOf(axis.at(mark))}` }, unit === 'share' ? percent(mark) : parameterValue(Number(mark.toPrecision(3))))),
    ),
  );
}

// Every comparison of a part of a claim: estimate, interval, where it should lie, and the verdict.
export function forest(evidence: Evidence[]): HTMLElement {
  const plot = h('div', { class: 'forest', role: 'list' });
  for (const unit of ['ratio', 'difference', 'share'] as const) {
    const rows = evidence.filter(isMeasured).filter((row) => row.unit === unit);
    if (rows.length === 0) continue;
    const axis = axisOf(rows);
    plot.append(...rows.map((row) => rowOf(row, axis)), axisRow(rows, axis));
  }
  plot.append(...evidence.filter((row) => !isMeasured(row)).map((row) => rowOf(row, null)));
  return plot;
}
