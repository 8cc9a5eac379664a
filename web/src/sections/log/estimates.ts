import { intervalChart } from '../../charts/intervals';
import { count, lastPart, number, parameterValue, percent } from '../../data/format';
import type { EvaluationData } from '../../log-data';
import type { Score } from '../../report-data';
import type { State } from '../../state';
import { h } from '../../ui/dom';
import { figure } from '../../ui/figure';
import type { Section } from '../../ui/section';
import { numberTable } from '../../ui/table';

const text = (value: Score, digits = 4): string => (value === null ? '–' : number(value, digits));

export function estimatesSection(data: EvaluationData, state: State): Section {
  const { evaluation } = data;
  const isAnswered = evaluation.value !== null;
  const rows = evaluation.methods.flatMap(({ estimate: id, name, group, answer: isAnswer }) => {
    const estimate = evaluation.estimates[id];
    return estimate ? [{ id, name, group, estimate, isAnswer }] : [];
  });
  const level = `${parameterValue(100 * evaluation.level)}%`;
  return {
    id: 'estimates',
    title: 'Estimates',
    nav: 'Estimates',
    eager: true,
    lead:
      (isAnswered
        ? 'The answer is drawn strong; the others are there to compare. '
        : 'None of these is an answer: the log cannot tell. ') +
      'They err in different ways: weighted returns are noisy where the target is far from the behaviour, learned values are wrong ' +
      'where the features miss what matters. A large disagreement is news.',
    build: () => {
      const chart = figure(state, {
        title: () => 'What the target policy is worth',
        subtitle: () => `Estimates and ${level} intervals. An arrow: the interval goes on beyond the chart.`,
        file: () => [lastPart(evaluation.log), 'estimates'],
        draw: (canvas) =>
          intervalChart(
            canvas,
            rows.map(({ name, group, estimate, isAnswer }) => ({
              name: isAnswer ? `answer: ${name}` : name,
              group,
              value: estimate.estimate,
              low: estimate.lower,
              high: estimate.upper,
              strong: isAnswer,
              notes: [
                ['standard error', text(estimate.se, 3)],
                ['rests on', estimate.effective === null ? '–' : `${count(Math.round(estimate.effective))} segments`],
              ],
            })),
            'Worth of the target policy',
            `${rows.length} estimates with their intervals.`,
          ),
      });
      const table = numberTable(
        'Estimates',
        ['Estimate', 'Name in files', 'Value', 'Standard error', `${level} interval`, 'Rests on'],
        rows.map(({ id, name, estimate, isAnswer }) => [
          h('th', { scope: 'row', class: 'sticky' }, isAnswer ? h('strong', {}, `answer: ${name}`) : name),
          h('td', { class: 'text' }, h('code', {}, id)),
          isAnswer ? h('strong', {}, text(estimate.estimate)) : text(estimate.estimate),
          text(estimate.se, 3),
          `${text(estimate.lower)} to ${text(estimate.upper)}`,
          estimate.effective === null ? '–' : count(Math.round(estimate.effective)),
        ]),
      );
      return [chart.root, table, testsTable(data)];
    },
  };
}

const tests: Record<string, string> = {
  'values-against-weights': 'Learned values against weighted returns',
  lambda: 'Learned with long traces against short ones',
  'states-against-actions': 'Values of states against values of actions',
};

// Whether ways that should agree do.
function testsTable({ evaluation }: EvaluationData): HTMLElement | null {
  const found = Object.entries(evaluation.tests ?? {});
  if (found.length === 0) return null;
  return h(
    'div',
    { class: 'table-block' },
    h('h3', {}, 'Do they agree?'),
    h(
      'p',
      { class: 'figure-note' },
      'Where the features suffice, these differ by chance alone. A test objects where |z| is above 3 and the difference above 0.1 of ' +
        `the spread of returns${evaluation.spread === null ? '' : ` (${number(evaluation.spread, 3)})`}. ` +
        `${percent(evaluation.rest)} of the answer rests on learned values.`,
    ),
    numberTable(
      'Tests',
      ['Test', 'Difference', 'z', 'Objects'],
      found.map(([name, [z, difference]]) => [
        h('th', { scope: 'row', class: 'sticky' }, tests[name] ?? name),
        text(difference, 3),
        text(z, 3),
        evaluation.flags.includes(name) ? h('span', { class: 'badge not-held' }, 'yes') : 'no',
      ]),
    ),
  );
}
