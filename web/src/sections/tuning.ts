import { linesChart } from '../charts/lines';
import { decadeTicks } from '../charts/scales';
import { configurationText, count, edgeNote, ratio, score } from '../data/format';
import { algorithmOf, type Model } from '../data/model';
import type { AlgorithmResult, CommonConfiguration, Score } from '../report-data';
import { colourOf } from '../theme';
import { Cell, type State } from '../state';
import { legend, scaleControl, viewControl } from '../ui/controls';
import { h } from '../ui/dom';
import { figure } from '../ui/figure';
import type { Section } from '../ui/section';
import { algorithmTable } from '../ui/table';

export function tuningSection(model: Model, state: State): Section {
  return {
    id: 'tuning',
    title: 'What tuning costs',
    nav: 'Tuning',
    lead:
      'The best configuration of a grid is found by trying all of it. How good the best of a few random ones is, and one ' +
      'configuration for every setting. Scores are those of the selection.',
    build: () => build(model, state),
    height: 1000,
  };
}

function build(model: Model, state: State): HTMLElement {
  const log = new Cell(false);
  const current = () => model.views[state.view.value] ?? model.views[0];
  const names = legend(model, state, () => (current()?.metric.algorithms ?? []).map(({ algorithm }) => algorithm));
  const chart = figure(state, {
    title: () => `The best of so many configurations: ${current()?.label ?? ''}`,
    subtitle: () =>
      'The expected lowest score among that many different configurations, drawn at random from the algorithm’s grid; one that ' +
      'is worse than before learning counts as no learning. The dotted line is the error before learning.',
    file: () => [model.data.study.name, 'tuning', current()?.short ?? ''],
    draw: (canvas) => {
      const view = current();
      if (!view) return null;
      const shown = view.metric.algorithms.filter(({ algorithm }) => !state.hidden.value.has(algorithm));
      const most = Math.max(2, ...shown.map(({ scores }) => scores.length));
      const series = shown.map((result) => {
        const algorithm = algorithmOf(model, result);
        return {
          name: algorithm.name,
          colour: colourOf(algorithm, canvas.colours),
          dash: algorithm.dash,
          points: result.tuning.tried.map((tried, place) => ({
            x: Math.log10(tried),
            y: result.tuning.score[place] ?? null,
            error: null,
          })),
        };
      });
      return linesChart(canvas, {
        series,
        height: canvas.narrow ? 340 : 420,
        log: log.value,
        start: view.metric.initialError,
        startLine: true,
        bands: false,
        range: log.value ? undefined : [0, 1.04 * view.metric.initialError],
        xLabel: 'Configurations tried',
        yLabel: `Expected score (${view.metric.id.toUpperCase()})`,
        domain: [-0.03, Math.log10(most) + 0.03],
        ticks: decadeTicks(most),
        tipTitle: (position) => `${count(Math.round(10 ** position))} tried`,
        tipValue: ({ y }) => score(y, 3),
        description: `Expected scores of ${series.length} algorithms by the number of configurations tried.`,
      });
    },
  });
  state.view.subscribe(() => {
    names.refresh();
    chart.refresh();
  });
  log.subscribe(chart.refresh);
  const common = h('div', {});
  const showCommon = () => common.replaceChildren(commonTable(model, state));
  showCommon();
  state.dark.subscribe(showCommon);
  return h(
    'div',
    {},
    h('div', { class: 'controls' }, viewControl(model, state), scaleControl(log)),
    names.root,
    chart.root,
    common,
  );
}

const ratioText = (value: Score) => (value === null ? '∞' : ratio(value));

// The result that a common configuration is counted in: that of its first setting.
function resultOf(model: Model, { metric, algorithm, settings }: CommonConfiguration): AlgorithmResult | undefined {
  const view = model.views.find((one) => one.setting.id === settings[0] && one.metric.id === metric);
  return view?.metric.algorithms.find((result) => result.algorithm === algorithm);
}

function commonTable(model: Model, state: State): HTMLElement | string {
  const rows = model.data.commonConfigurations;
  if (rows.length === 0) return '';
  const settings = [...new Set(rows.flatMap((row) => row.settings))];
  return algorithmTable(
    model,
    state,
    {
      title: 'One configuration for all settings',
      label: 'One configuration for all settings',
      note:
        'The configuration with the lowest geometric mean of score over the best score of any algorithm in the setting, for settings ' +
        `with the same metric and grid; beside it the same with each setting’s own best. 1.00 is the best. ${edgeNote}`,
      heads: ['Configuration', 'All settings', 'Tuned to each', ...settings],
    },
    rows.map((row) => {
      const result = resultOf(model, row);
      return {
        algorithm: row.algorithm,
        cells: [
          h('td', { class: 'text' }, result ? configurationText(model, result, row.configuration, row.edges) : ''),
          h('strong', {}, ratioText(row.common)),
          ratioText(row.tuned),
          ...settings.map((id) => {
            const place = row.settings.indexOf(id);
            return place < 0 ? '–' : ratioText(row.ratios[place] ?? null);
          }),
        ],
      };
    }),
  );
}
