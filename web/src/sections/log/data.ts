import { count, number, parameterValue, percent } from '../../data/format';
import type { EvaluationData, EvaluationJson, Range } from '../../log-data';
import { h } from '../../ui/dom';
import type { Section } from '../../ui/section';
import { numberTable } from '../../ui/table';

const text = (value: number | null): string => (value === null ? '–' : number(value));

// What the log is made of, and everything as it is in evaluation.json.
export function dataSection(data: EvaluationData): Section {
  const { evaluation } = data;
  return {
    id: 'data',
    title: 'The log',
    nav: 'Log',
    height: 600,
    build: () => [
      numberTable('Ranges', ['', 'Least', 'Middle', 'Most'], [
        rangeRow('steps of a segment (median)', evaluation.lengths),
        rangeRow('rewards (mean)', evaluation.rewards),
        rangeRow('discounts (mean)', evaluation.gammas),
      ]),
      h(
        'ul',
        { class: 'log-notes plain' },
        sentences(data).map((sentence) => h('li', {}, sentence)),
      ),
      h(
        'details',
        { class: 'study' },
        h('summary', {}, 'Everything, as in evaluation.json'),
        h('pre', {}, JSON.stringify(evaluation, null, 1)),
      ),
    ],
  };
}

const rangeRow = (name: string, range: Range) => [h('th', { scope: 'row', class: 'sticky' }, name), ...range.map(text)];

function sentences({ evaluation, balanceLimit }: EvaluationData): string[] {
  const { segments, ended, steps, dimension, rank } = evaluation;
  const largest = largestBalance(evaluation);
  return [
    `${count(ended)} of ${count(segments)} segments came to their end, the others were cut off.`,
    `${count(evaluation['missing-steps'])} steps are missing by the column time; ${count(evaluation['repeated-rows'])} of ${count(steps)} rows repeat the one before.`,
    `${count(dimension)} features` +
      (rank === null ? '' : ` of rank ${count(rank)}${rank < dimension ? ': some follow from others' : ''}; condition number ${text(evaluation.condition)}`) +
      (evaluation['empty-features'].length > 0 ? `; ${count(evaluation['empty-features'].length)} are always 0.` : '.'),
    ...(largest
      ? [`Right ratios balance every feature; the least balanced here is x${largest.index}, z = ${number(largest.z, 3)} (above ${balanceLimit} to either side would be flagged).`]
      : []),
    `${percent(evaluation.rest)} of the answer rests on learned values; ${rank === null ? "an online learner's" : `least squares with λ = ${parameterValue(evaluation.lambda)}`}.`,
  ];
}

function largestBalance({ balance }: EvaluationJson): { index: number; z: number } | null {
  let found: { index: number; z: number } | null = null;
  balance.forEach((z, index) => {
    if (z !== null && z !== 0 && Math.abs(z) > Math.abs(found?.z ?? 0)) found = { index, z };
  });
  return found;
}
