import { intervalChart } from '../../charts/intervals';
import { count, lastPart, number, parameterValue } from '../../data/format';
import type { TuningData, TuningJson, TuningRow } from '../../log-data';
import type { State } from '../../state';
import { figure } from '../../ui/figure';
import type { Section } from '../../ui/section';

// The best configurations on segments that the choice has not seen.
export function freshSection(data: TuningData, fresh: NonNullable<TuningJson['fresh']>, state: State): Section {
  const { tuning } = data;
  const nameOf = (row: TuningRow): string => {
    const algorithm = data.algorithms.find(({ id }) => id === row.algorithm)?.name ?? row.algorithm;
    const values = data.parameters.flatMap(({ name, symbol }) => {
      const value = row[name];
      return typeof value === 'number' ? [`${symbol} = ${parameterValue(value)}`] : [];
    });
    return [algorithm, ...values].join(', ');
  };
  return {
    id: 'fresh',
    title: 'On fresh segments',
    nav: 'Fresh segments',
    height: 700,
    lead:
      `The best of many looks better than it is. So ${count(fresh.segments)} segments stayed out of the choice: the best configurations learned on all ` +
      'others, and what they are worth on these is the score to report, with its 95% interval.',
    build: () => {
      const shown = tuning.best.flatMap((row, place) => (row.fresh ? [{ row, fresh: row.fresh, isFirst: place === 0 }] : []));
      return figure(state, {
        title: () => 'Scores on fresh segments',
        subtitle: () => 'Of the weights at the end. The chosen configuration is drawn strong.',
        file: () => [lastPart(tuning.log), 'fresh segments'],
        draw: (canvas) =>
          intervalChart(
            canvas,
            [
              ...shown.map(({ row, fresh: found, isFirst }) => ({
                name: nameOf(row),
                group: 'Best configurations',
                value: found.score,
                low: found.lower,
                high: found.upper,
                strong: isFirst && tuning.can_tell,
                notes: [
                  ['score of the choice', row.score === null ? '∞' : number(row.score, 3)] as [string, string],
                  ...(typeof row.rupee === 'number' ? [['RUPEE', number(row.rupee, 3)] as [string, string]] : []),
                ],
              })),
              ...([['predicting 0', fresh.zero], ['LSTD', fresh.least_squares]] as const).flatMap(([name, found]) =>
                found ? [{ name, group: 'To compare', value: found.score, low: found.lower, high: found.upper }] : [],
              ),
            ],
            'Score on fresh segments',
            `Scores of ${shown.length} configurations on ${count(fresh.segments)} fresh segments.`,
          ),
      }).root;
    },
  };
}
