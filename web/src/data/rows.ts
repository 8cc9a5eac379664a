import type { Model } from './model';
import { algorithmOf, parameterOf } from './model';

// Every configuration of every setting and metric, column by column: a hundred thousand rows are sorted and filtered as
// numbers, and become text only where they are shown or saved.

export interface Group {
  setting: string; // ids
  metric: string;
  algorithm: string;
  algorithmName: string;
  text: string; // what free text is looked for in, in small letters
}

export interface NumberColumn {
  key: string; // its name in the CSV and in filters
  title: string; // its head
  aliases: string[];
  parameter: boolean;
  values: Float64Array; // NaN where a row has none
}

export interface Rows {
  length: number;
  groups: Group[];
  groupOf: Uint16Array | Uint32Array;
  columns: NumberColumn[];
}

export function readRows(model: Model): Rows {
  const length = model.views.reduce(
    (sum, { metric }) => sum + metric.algorithms.reduce((all, { scores }) => all + scores.length, 0),
    0,
  );
  const column = (key: string, title: string, aliases: string[] = [], parameter = false): NumberColumn => ({
    key,
    title,
    aliases,
    parameter,
    values: new Float64Array(length).fill(NaN),
  });
  const used = new Set(
    model.views.flatMap(({ metric }) => metric.algorithms.flatMap(({ grid }) => grid.map(({ parameter }) => parameter))),
  );
  const parameters = new Map(
    [...used]
      .sort((left, right) => left - right)
      .map((place) => {
        const { name, symbol } = parameterOf(model, place);
        return [place, column(name, symbol, [symbol], true)] as const;
      }),
  );
  const scores = column('score', 'Score');
  const errors = column('standard_error', 'Std. error', ['se', 'error']);
  const diverged = column('diverged', 'Diverged');
  const runs = column('runs', 'Runs');
  const groups: Group[] = [];
  const groupOf = new Uint32Array(length);
  let row = 0;
  for (const { setting, metric } of model.views)
    for (const result of metric.algorithms) {
      const { id, name } = algorithmOf(model, result);
      groups.push({
        setting: setting.id,
        metric: metric.id,
        algorithm: id,
        algorithmName: name,
        text: [setting.id, setting.title, metric.id, id, name].join('\n').toLowerCase(),
      });
      const first = row;
      result.scores.forEach((score, configuration) => {
        groupOf[row] = groups.length - 1;
        scores.values[row] = score ?? Infinity;
        errors.values[row] = result.standardErrors[configuration] ?? NaN;
        diverged.values[row] = result.diverged[configuration] ?? 0;
        runs.values[row] = metric.runs * metric.instances;
        ++row;
      });
      let stride = 1;
      result.grid.forEach(({ parameter, values }, axis) => {
        const target = parameters.get(parameter)?.values;
        const { places, grid } = result;
        for (let configuration = 0; target && configuration < result.scores.length; ++configuration) {
          const place = places ? places[configuration * grid.length + axis] : Math.floor(configuration / stride) % values.length;
          target[first + configuration] = values[place ?? 0] ?? NaN;
        }
        stride *= values.length;
      });
    }
  const ofRuns = model.isStudy ? [errors, diverged, runs] : [];
  return { length, groups, groupOf, columns: [...parameters.values(), scores, ...ofRuns] };
}

export interface Filter {
  setting: string; // '' is all
  metric: string;
  algorithm: string;
  text: string;
}

type Test = (row: number) => boolean;

const comparisons: Record<string, (left: number, right: number) => boolean> = {
  '=': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

// A number as it is shown has four digits; typed so, it means the value behind it.
function meant(value: number, typed: number, digits: number): number {
  return digits >= 4 && Number.isFinite(value) && Number(value.toPrecision(digits)) === typed ? typed : value;
}

export function filterRows(rows: Rows, filter: Filter): { found: Uint32Array; unknown: string[] } {
  const unknown: string[] = [];
  const words: string[] = [];
  const tests: Test[] = [];
  for (const token of filter.text
    .replace(/\s*(<=|>=|!=|=|<|>)\s*/g, '$1')
    .split(/[\s,;]+/)
    .filter(Boolean)) {
    const [, name, sign, text] = /^([^<>=!]+)(<=|>=|!=|=|<|>)(.*)$/.exec(token) ?? [];
    if (name === undefined || sign === undefined || text === undefined) {
      words.push(token.toLowerCase());
      continue;
    }
    const wanted = name.toLowerCase();
    const column = rows.columns.find(({ key, aliases }) => key === wanted || aliases.includes(wanted));
    const value = /^(inf|infinity|∞)$/i.test(text) ? Infinity : Number(text);
    const comparison = comparisons[sign];
    if (!column || !comparison || text === '' || Number.isNaN(value)) {
      unknown.push(token);
      continue;
    }
    const digits = text
      .replace(/e.*$/i, '')
      .replace(/^[-+0.]+/, '')
      .replace(/\D/g, '').length;
    const { values } = column;
    tests.push((row) => {
      const own = values[row] ?? NaN;
      return !Number.isNaN(own) && comparison(meant(own, value, digits), value);
    });
  }
  const groups = rows.groups.map(
    ({ setting, metric, algorithm, text }) =>
      (!filter.setting || setting === filter.setting) &&
      (!filter.metric || metric === filter.metric) &&
      (!filter.algorithm || algorithm === filter.algorithm) &&
      words.every((word) => text.includes(word)),
  );
  const found = new Uint32Array(rows.length);
  let length = 0;
  for (let row = 0; row < rows.length; ++row)
    if (groups[rows.groupOf[row] ?? 0] && tests.every((test) => test(row))) found[length++] = row;
  return { found: found.subarray(0, length), unknown };
}

// `column` counts setting, metric, algorithm, then the columns of numbers. Names are in the order of the study, as everywhere
// on the page, and equal rows keep theirs.
export function sortRows(rows: Rows, found: Uint32Array, column: number, descending: boolean): Uint32Array {
  const sign = descending ? -1 : 1;
  if (column < 3) {
    const key = (['setting', 'metric', 'algorithmName'] as const)[column] ?? 'setting';
    const names = [...new Set(rows.groups.map((group) => group[key]))];
    const ranks = rows.groups.map((group) => names.indexOf(group[key]));
    const rank = (row: number) => ranks[rows.groupOf[row] ?? 0] ?? 0;
    return found.slice().sort((left, right) => sign * (rank(left) - rank(right)) || left - right);
  }
  const values = rows.columns[column - 3]?.values ?? new Float64Array(rows.length);
  return found.slice().sort((left, right) => {
    const a = values[left] ?? NaN;
    const b = values[right] ?? NaN;
    if (a === b) return left - right;
    // Diverged and missing ones last, whatever the direction.
    const [isA, isB] = [Number.isFinite(a), Number.isFinite(b)];
    if (isA && isB) return sign * (a - b);
    return Number(isB) - Number(isA) || Number(Number.isNaN(a)) - Number(Number.isNaN(b)) || left - right;
  });
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const plain = (value: number): string => (Number.isNaN(value) ? '' : value === Infinity ? 'inf' : String(value));

export function csvOf(rows: Rows, found: Uint32Array): string {
  const lines = [['setting', 'metric', 'algorithm', ...rows.columns.map(({ key }) => quoted(key))].join(',')];
  for (const row of found) {
    const group = rows.groups[rows.groupOf[row] ?? 0];
    if (!group) continue;
    const fields = [quoted(group.setting), quoted(group.metric), quoted(group.algorithm)];
    for (const { values } of rows.columns) fields.push(plain(values[row] ?? NaN));
    lines.push(fields.join(','));
  }
  return `${lines.join('\r\n')}\r\n`;
}
