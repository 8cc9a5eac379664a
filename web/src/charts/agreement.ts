import { number, score } from '../data/format';
import type { ComparedNumber } from '../report-data';
import type { Canvas, Drawing } from '../ui/figure';
import { intervalChart, type IntervalRow } from './intervals';

// Ours over theirs, so that numbers of any size stand on one axis: 1 is theirs, with what it may be off by.
const rowOf = ({ title, label, theirs, error, ours, low, high, agrees }: ComparedNumber): IntervalRow => ({
  name: label,
  group: title,
  value: ours === null ? null : ours / theirs,
  low: low === null ? null : low / theirs,
  high: high === null ? null : high / theirs,
  strong: !agrees,
  warns: !agrees,
  beside: [1 - error / theirs, 1, 1 + error / theirs],
  notes: [
    ['published', `${number(theirs, 3)}${error > 0 ? ` ± ${number(error, 1)}` : ''}`],
    ['ours', `${score(ours)} (${score(low)} to ${score(high)})`],
    ['agree', agrees ? 'yes' : 'no'],
  ],
});

export function agreementChart(canvas: Canvas, numbers: readonly ComparedNumber[]): Drawing | null {
  const rows = numbers.filter(({ theirs }) => theirs > 0).map(rowOf);
  const agreeing = numbers.filter(({ agrees }) => agrees).length;
  return intervalChart(canvas, rows, 'Ours over the published number', `${agreeing} of ${numbers.length} numbers agree.`);
}
