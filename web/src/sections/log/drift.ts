import { linesChart } from '../../charts/lines';
import { count, lastPart, number } from '../../data/format';
import type { EvaluationData } from '../../log-data';
import type { State } from '../../state';
import { figure } from '../../ui/figure';
import type { Section } from '../../ui/section';

const names: Record<string, string> = { answer: 'the answer', rewards: 'rewards', behaviour: 'the behaviour' };

// Whether what the log says changes along it.
export function driftSection(data: EvaluationData, state: State): Section {
  const { evaluation, driftLimit } = data;
  const changed = data.drift.filter(({ statistic }) => (statistic ?? 0) > driftLimit);
  const said = changed.map(
    ({ of, segment, statistic }) => `${names[of] ?? of} most after segment ${count(segment + 1)} (${number(statistic ?? 0, 3)})`,
  );
  return {
    id: 'drift',
    title: 'Along the log',
    nav: 'Drift',
    height: 560,
    lead:
      'The running sum of what each segment is above the average, in the unit in which chance stays within the dotted lines in 99 of 100 logs. ' +
      'A line that leaves them bends where something changed. ' +
      (said.length > 0 ? `Here that is so: ${said.join('; ')}.` : 'Nothing does so here.'),
    build: () =>
      figure(state, {
        title: () => 'Drift',
        subtitle: () => 'The answer’s influences, mean rewards and the behaviour’s log probabilities, segment by segment.',
        file: () => [lastPart(evaluation.log), 'drift'],
        draw: (canvas) => {
          const { colours } = canvas;
          const looks: Record<string, [colour: string, dash: string]> = {
            answer: [colours.accent, ''],
            rewards: [colours.diverged, '6 3'],
            behaviour: [colours.muted, '2 3'],
          };
          const series = data.drift
            .filter(({ path }) => path.length > 0)
            .map(({ of, path }) => ({
              name: names[of] ?? of,
              colour: looks[of]?.[0] ?? colours.ink,
              dash: looks[of]?.[1] ?? '',
              points: [
                { x: 0, y: 0, error: null },
                ...path.map((y, place) => ({ x: ((place + 1) / path.length) * evaluation.segments, y, error: null })),
              ],
            }));
          const most = Math.max(driftLimit, ...series.flatMap(({ points }) => points.map(({ y }) => Math.abs(y ?? 0))));
          return linesChart(canvas, {
            series,
            height: canvas.narrow ? 300 : 360,
            log: false,
            start: 0,
            startLine: false,
            bands: true,
            range: [-1.15 * most, 1.15 * most],
            xLabel: 'Segments of the log',
            yLabel: 'Running sum',
            domain: [0, evaluation.segments],
            tipTitle: (x) => `After ${count(Math.round(x))} segments`,
            tipValue: ({ y }) => (y === null ? '–' : y.toFixed(2).replace('-', '−')),
            references: [
              { value: driftLimit, name: 'by chance in 1 of 100 logs' },
              { value: -driftLimit, name: '' },
            ],
            description: `Running sums of ${series.length} quantities along ${count(evaluation.segments)} segments.`,
          });
        },
        empty: 'Nothing varies from segment to segment.',
      }).root,
  };
}
