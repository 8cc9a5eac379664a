import { linesChart } from '../charts/lines';
import { errorTicks } from '../charts/scales';
import { count, hidesItsRuns, number, parameterValue, percent, score, whatItHides, withError } from '../data/format';
import { algorithmOf, estimateOf, type Model, stageText, type View } from '../data/model';
import type { Robust } from '../report-data';
import { colourOf } from '../theme';
import type { State } from '../state';
import { legend, viewControl } from '../ui/controls';
import { h } from '../ui/dom';
import { figure } from '../ui/figure';
import type { Section } from '../ui/section';
import { algorithmTable } from '../ui/table';

export function robustSection(model: Model, state: State): Section {
  return {
    id: 'robust',
    title: 'Beside the mean',
    nav: 'Runs',
    lead:
      'A mean is moved by a few absurd runs and infinite where one diverged. What the runs of each algorithm’s best ' +
      'configuration are like: how many come below an error, the mean of their middle half, and how many fail.',
    build: () => build(model, state),
    height: 1000,
  };
}

function build(model: Model, state: State): HTMLElement {
  const current = () => model.views[state.view.value] ?? model.views[0];
  const names = legend(model, state, () => (current()?.metric.algorithms ?? []).map(({ algorithm }) => algorithm));
  const chart = figure(state, {
    title: () => `Performance profiles: ${current()?.label ?? ''}`,
    subtitle: () =>
      `The share of the runs with a score of at most so much, with 95% bands; higher and further left is better. ${runsText(current())}`,
    file: () => [model.data.study.name, 'profiles', current()?.short ?? ''],
    empty: 'No runs to show: none were recorded here, or every algorithm is off.',
    draw: (canvas) => {
      const view = current();
      const { thresholds = [], algorithms = [], id = '' } = view?.metric ?? {};
      const [first, last] = [thresholds[0], thresholds.at(-1)];
      if (first === undefined || last === undefined || !(first > 0)) return null;
      const series = algorithms.flatMap((result) => {
        if (!result.robust || state.hidden.value.has(result.algorithm)) return [];
        const { share, low, high } = result.robust.profile;
        const algorithm = algorithmOf(model, result);
        return {
          name: algorithm.name,
          colour: colourOf(algorithm, canvas.colours),
          dash: algorithm.dash,
          points: thresholds.map((threshold, place) => ({
            x: Math.log10(threshold),
            y: share[place] ?? 0,
            error: null,
            band: [low[place] ?? 0, high[place] ?? 0] as [number, number],
          })),
        };
      });
      return linesChart(canvas, {
        series,
        height: canvas.narrow ? 340 : 420,
        log: false,
        range: [0, 1],
        start: 0,
        startLine: false,
        bands: true,
        xLabel: `Score (${id.toUpperCase()}) of at most`,
        yLabel: 'Share of the runs',
        domain: [Math.log10(first), Math.log10(last)],
        ticks: errorTicks(first, last, true, 9).map((level) => ({ position: Math.log10(level), text: parameterValue(level) })),
        tipTitle: (position) => `Score ≤ ${number(10 ** position, 3)}`,
        tipValue: ({ y, band }) => `${percent(y ?? 0)}${band ? ` (${percent(band[0])} to ${percent(band[1])})` : ''}`,
        description: `Profiles of ${series.length} algorithms: ${series.map(({ name }) => name).join(', ')}.`,
      });
    },
  });
  const table = h('div', {});
  const show = () => {
    const view = current();
    table.replaceChildren(view ? robustTable(model, state, view) : '');
  };
  show();
  state.dark.subscribe(show);
  state.view.subscribe(() => {
    names.refresh();
    chart.refresh();
    show();
  });
  return h('div', {}, h('div', { class: 'controls' }, viewControl(model, state)), names.root, chart.root, table);
}

const stageOf = (view: View | undefined) => view?.metric.algorithms.find(({ robust }) => robust)?.robust?.stage;

function runsText(view: View | undefined): string {
  const stage = stageOf(view);
  return view && stage ? `${stageText(view.metric, stage)}.` : '';
}

const withInterval = ([value, low, high]: Robust['iqm']) => [
  score(value),
  h('small', {}, `${score(low, 3)} to ${score(high, 3)}`),
];

function robustTable(model: Model, state: State, view: View): HTMLElement {
  const stage = stageOf(view) ?? 'selection';
  return algorithmTable(
    model,
    state,
    {
      label: 'Mean, IQM, median and failures',
      note:
        'IQM: the mean of the middle half of the runs. Failed: diverged, or worse than before learning. Below them 95% intervals: ' +
        'bootstrap for IQM and median, Wilson’s for the share of the runs that fail.',
      heads: ['Mean', 'IQM', 'Median', 'Failed runs'],
    },
    view.metric.algorithms.flatMap((result) => {
      const { robust } = result;
      if (!robust) return [];
      const { failed, runs, failureInterval } = robust;
      const estimate = estimateOf(result, stage);
      const hides = hidesItsRuns(estimate.score, robust, view.metric.initialError);
      return {
        algorithm: result.algorithm,
        cells: [
          hides
            ? [score(estimate.score, 3), h('small', { class: 'hides' }, whatItHides(robust))]
            : withError(estimate.score, estimate.standardError),
          withInterval(robust.iqm),
          withInterval(robust.median),
          [
            `${count(failed)} of ${count(runs)}`,
            h('small', {}, failureInterval.map(percent).join(' to ')),
          ],
        ],
      };
    }),
  );
}
