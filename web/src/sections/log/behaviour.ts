import { reliabilityChart } from '../../charts/reliability';
import { lastPart, number } from '../../data/format';
import type { EvaluationData, Fitted } from '../../log-data';
import type { Score } from '../../report-data';
import type { State } from '../../state';
import { h } from '../../ui/dom';
import { figure } from '../../ui/figure';
import type { Section } from '../../ui/section';
import { numberTable } from '../../ui/table';

const text = (value: Score): string => (value === null ? '–' : number(value, 3));

// How well the behaviour fits that was fitted to the log.
export function behaviourSection(data: EvaluationData, fitted: Fitted, state: State): Section {
  const { log } = data.evaluation;
  const row = (name: string, value: Score, meaning: string) => [
    h('th', { scope: 'row', class: 'sticky' }, name),
    text(value),
    h('td', { class: 'text wrap' }, meaning),
  ];
  return {
    id: 'behaviour',
    title: 'The fitted behaviour',
    nav: 'Behaviour',
    height: 700,
    lead:
      `The log does not say how likely its actions were; that was fitted to it (${fitted.model}). On the diagonal the fit is as sure as it ` +
      'should be. What the behaviour acted on and the features do not show cannot be seen here.',
    build: () => {
      const chart = figure(state, {
        title: () => 'Calibration',
        subtitle: () => 'Fitted on four fifths of the segments, looked at on the fifth. Each dot has as many actions.',
        file: () => [lastPart(log), 'calibration'],
        exportWidth: 560,
        draw: (canvas) => reliabilityChart(canvas, fitted.reliability),
      });
      const table = numberTable(
        'The fitted behaviour',
        ['', '', ''],
        [
          row('log loss, held out', fitted['held-out-log-loss'], 'smaller is better'),
          row('log loss on its own data', fitted['log-loss'], 'where far below the one held out: too many parameters for this log'),
          row('log loss without features', fitted['marginal-log-loss'], 'of the shares of the actions alone'),
          row('log loss of a fair die', fitted['uniform-log-loss'], 'of equal probabilities'),
          row('calibration error', fitted['calibration-error'], 'how far the dots are from the diagonal, on average'),
          row('least likely action taken', fitted['smallest-taken'], 'its fitted probability; the largest ratios come from such'),
          row('memory, z', fitted.memory, `above ${data.memoryLimit}: the behaviour depends on more than these features`),
        ],
      );
      return h('div', { class: 'figure-grid behaviour' }, chart.root, table);
    },
  };
}
