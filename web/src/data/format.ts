import type { AlgorithmResult, Edge, Robust, Score } from '../report-data';
import { indicesOf } from './grid';
import { type Model, parameterOf } from './model';

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const superscript = (exponent: number): string =>
  (exponent < 0 ? '⁻' : '') + [...String(Math.abs(exponent))].map((digit) => superscripts[Number(digit)]).join('');

// At most `digits` significant ones; very large and very small numbers as powers of ten.
export function number(value: number, digits = 4): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa, exponent] = value.toExponential(Math.min(digits, 3) - 1).split('e') as [string, string];
    return `${mantissa}×10${superscript(Number(exponent))}`.replace('-', '−');
  }
  const text = size >= 10 ** digits ? count(Math.round(value)) : value.toPrecision(digits);
  return text.replace('-', '−');
}

export const score = (value: Score, digits = 4): string => (value === null ? '∞' : number(value, digits));

// The error of an estimate is worth two digits, and needs no more places than they take.
export const withError = (value: Score, error: Score): string => {
  if (value === null) return '∞';
  if (error === null || !(error > 0)) return number(value);
  if (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-3) return `${number(value)} ± ${number(error, 2)}`;
  const places = Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(error))));
  return `${value.toFixed(places)} ± ${error.toFixed(places)}`.replaceAll('-', '−');
};

// A parameter's value, without the noise of binary fractions (0.1 × 2⁻⁸ is 0.000390625, and shown whole where it is short).
export function parameterValue(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (isPowerOfTwo(value) && (size >= 1024 || size < 1 / 16)) return `2${superscript(Math.log2(value))}`;
  if (size >= 1e5 || size < 1e-5) return number(value, 3);
  return String(Number(value.toPrecision(4))).replace('-', '−');
}

export const isPowerOfTwo = (value: number): boolean => value > 0 && Number.isInteger(Math.log2(value));
export const powerOfTwo = (value: number): string => `2${superscript(Math.log2(value))}`;

export function percent(share: number): string {
  const value = 100 * share;
  if (value === 0) return '0%';
  if (value < 0.1) return '<0.1%';
  if (value > 99.9 && value < 100) return '>99.9%';
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)}%`;
}

export function ratio(value: number): string {
  if (value < 9.995) return value.toFixed(2);
  if (value < 99.95) return value.toFixed(1);
  return number(value, 3);
}

// Of a path.
export const lastPart = (path: string): string => path.split('/').at(-1) || path;

export const count = (value: number): string => value.toLocaleString('en').replaceAll(',', '\u202f');

const edgeMarks: Record<Edge, string> = { inside: '', least: '⇤', greatest: '⇥', bound: '' };
export const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

export const edgeNote = '⇤ ⇥: on the edge of its grid; better values may lie beyond.';

export function configurationText(
  model: Model,
  result: AlgorithmResult,
  configuration: number,
  edges: readonly Edge[] = [],
): string {
  const indices = indicesOf(result, configuration);
  return result.grid
    .map(({ parameter, values }, axis) => {
      const { symbol } = parameterOf(model, parameter);
      const mark = edgeMarks[edges[axis] ?? 'inside'];
      return `${symbol} = ${parameterValue(values[indices[axis] ?? 0] ?? NaN)}${mark}`;
    })
    .join(', ');
}

// Whether a mean says little about its runs (hides_its_runs of src/analysis/robust.cpp).
export const hidesItsRuns = (mean: Score, robust: Robust, start: number): boolean =>
  mean === null || (mean > start && mean > 2 * (robust.median[0] ?? Infinity));

// "3 of 3000 runs diverged; median 0.213, IQM 0.218"
export const whatItHides = ({ diverged, failed, runs, median, iqm }: Robust): string =>
  `${count(diverged || failed)} of ${count(runs)} runs ${diverged ? 'diverged' : 'are worse than before learning'}; ` +
  `median ${score(median[0])}, IQM ${score(iqm[0])}`;
