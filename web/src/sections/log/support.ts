import { linesChart } from '../../charts/lines';
import { ratioChart } from '../../charts/ratios';
import { decadeTicks } from '../../charts/scales';
import { count, lastPart, number, percent } from '../../data/format';
import type { EvaluationData, Summary } from '../../log-data';
import type { Score } from '../../report-data';
import type { State } from '../../state';
import { h } from '../../ui/dom';
import { figure } from '../../ui/figure';
import type { Section } from '../../ui/section';
import { numberTable } from '../../ui/table';

const text = (value: Score): string => (value === null ? '–' : number(value, 3));

// How far the log's segments go for the target.
export function supportSection(data: EvaluationData, state: State): Section {
  const { evaluation, effectiveSample } = data;
  const longest = effectiveSample.at(-1)?.[0] ?? 1;
  const { horizon } = evaluation;
  const whole = longest === 1 ? 'the only step' : `all ${count(longest)} steps`;
  const reach = horizon >= longest ? whole : `${count(horizon)} of ${longest === 1 ? '1 step' : `${count(longest)} steps`}`;
  return {
    id: 'support',
    title: 'What the log supports',
    nav: 'Support',
    height: 900,
    lead:
      'A segment in which the behaviour did what the target would do counts for more, another for less: after a few steps many count ' +
      `for few. Below ${data.leastEffective} of them weighting says too little; the weighted horizon, ${reach} here, is the number of steps before that.`,
    build: () => {
      const effective = figure(state, {
        title: () => 'Effective sample over the horizon',
        subtitle: () => `${count(evaluation.segments)} segments; what they count for after so many steps.`,
        file: () => [lastPart(evaluation.log), 'effective sample'],
        exportWidth: 800,
        draw: (canvas) => {
          const points = effectiveSample.map(([step, size]) => ({ x: Math.log10(step), y: size, error: null }));
          const sizes = effectiveSample.flatMap(([, size]) => (size === null ? [] : [size]));
          const marked = effectiveSample.findIndex(([step]) => step === horizon);
          return linesChart(canvas, {
            series: [
              {
                name: 'effective',
                colour: canvas.colours.accent,
                dash: '',
                points,
                ...(marked >= 0 && horizon < longest ? { highlight: marked } : {}),
              },
            ],
            height: canvas.narrow ? 280 : 320,
            log: true,
            start: data.leastEffective,
            startLine: false,
            bands: longest > 40,
            range: [
              Math.max(0.8, 0.8 * Math.min(...sizes, data.leastEffective)),
              1.15 * Math.max(...sizes, evaluation.segments),
            ],
            xLabel: 'Steps',
            yLabel: 'Effective segments',
            domain: longest > 1 ? [-0.03, Math.log10(longest) + 0.03] : [-0.5, 0.5],
            ticks: decadeTicks(longest),
            tipTitle: (x) => `After ${count(Math.round(10 ** x))} step${Math.round(10 ** x) === 1 ? '' : 's'}`,
            tipValue: ({ y }) => text(y),
            references: [
              { value: data.leastEffective, name: `${data.leastEffective}: enough for weighting` },
              ...(horizon > 0 && horizon < longest ? [{ place: Math.log10(horizon), name: `${count(horizon)}: weighted horizon` }] : []),
            ],
            description: `Effective segments fall from ${text(sizes[0] ?? null)} to ${text(sizes.at(-1) ?? null)} over ${count(longest)} steps.`,
          });
        },
      });
      const ratios = figure(state, {
        title: () => 'Ratios',
        subtitle: () =>
          `The target’s probability of what was done over the behaviour’s, by step. They must average 1; here ${text(evaluation.rho.mean)}.`,
        file: () => [lastPart(evaluation.log), 'ratios'],
        exportWidth: 800,
        draw: (canvas) => ratioChart(canvas, data.ratios),
      });
      return [
        h('div', { class: 'figure-grid' }, effective.root, ratios.root),
        numberTable(
          'Ratios',
          ['Ratios', 'Mean', 'Median', '90%', '99%', 'Largest'],
          [ratioRow('of steps', evaluation.rho), ratioRow('multiplied over a segment', evaluation.products)],
        ),
        h(
          'p',
          { class: 'figure-note' },
          `In ${percent(evaluation['zero-ratios'])} of the steps the target would never have done what was done. ` +
            `What the target does and the log never shows: ${percent(Math.max(0, evaluation.unsupported))} of the steps.`,
        ),
      ];
    },
  };
}

const ratioRow = (name: string, { mean, q50, q90, q99, max }: Summary) => [
  h('th', { scope: 'row', class: 'sticky' }, name),
  ...[mean, q50, q90, q99, max].map(text),
];
