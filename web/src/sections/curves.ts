import { linesChart } from '../charts/lines';
import { capital, configurationText, edgeNote } from '../data/format';
import { timeOf } from '../data/grid';
import { algorithmOf, curveOf, curveStage, type Model, stageText } from '../data/model';
import { colourOf } from '../theme';
import { Cell, type State } from '../state';
import { legend, scaleControl, stageControl, viewControl } from '../ui/controls';
import { h } from '../ui/dom';
import { figure } from '../ui/figure';
import type { Section } from '../ui/section';

export function curvesSection(model: Model, state: State): Section {
  return {
    id: 'curves',
    title: 'Learning curves',
    nav: 'Curves',
    lead:
      'Every algorithm with its best configuration: mean error over runs, with a band of ±1 standard error. ' +
      'The names of the algorithms switch them on and off, here and in all charts below.',
    eager: true,
    build: () => build(model, state),
  };
}

function build(model: Model, state: State): HTMLElement {
  const log = new Cell(false);
  const current = () => model.views[state.view.value] ?? model.views[0];
  const names = legend(model, state, () => (current()?.metric.algorithms ?? []).map(({ algorithm }) => algorithm));
  const chart = figure(state, {
    title: () => `Learning curves: ${current()?.label ?? ''}`,
    file: () => [model.data.study.name, 'curves', current()?.short ?? ''],
    subtitle: () => {
      const view = current();
      if (!view) return '';
      const stage = curveStage(view.metric, state.stage.value);
      const missing = stage && stage !== state.stage.value ? ` No ${state.stage.value} runs were recorded here.` : '';
      return stage ? `Mean and ±1 standard error of ${stageText(view.metric, stage)}.${missing}` : '';
    },
    empty: 'No learning curves to show: none were recorded here, or every algorithm is off.',
    draw: (canvas) => {
      const view = current();
      const stage = view && curveStage(view.metric, state.stage.value);
      if (!view || !stage) return null;
      const shown = view.metric.algorithms.filter(({ algorithm }) => !state.hidden.value.has(algorithm));
      const series = shown.flatMap((result) => {
        const curve = curveOf(result, stage);
        if (!curve) return [];
        const algorithm = algorithmOf(model, result);
        return {
          name: algorithm.name,
          colour: colourOf(algorithm, canvas.colours),
          dash: algorithm.dash,
          points: curve.mean.map((y, place) => ({ x: timeOf(view.setting, place), y, error: curve.standardError[place] ?? null })),
        };
      });
      const { setting, metric } = view;
      return linesChart(canvas, {
        series,
        height: canvas.narrow ? 340 : 460,
        log: log.value,
        start: metric.initialError,
        startLine: false,
        bands: true,
        xLabel: capital(setting.unit),
        yLabel: `Error (${metric.id.toUpperCase()})`,
        domain: [0, setting.steps],
        tipTitle: (time) => `${capital(setting.unit)} ${time}`,
        description: `${series.length} curves of ${setting.steps} ${setting.unit}s; ${series.map(({ name }) => name).join(', ')}.`,
      });
    },
  });
  const best = h('details', { class: 'best-list' });
  const showBest = () => {
    const view = current();
    best.replaceChildren(
      h('summary', {}, 'Best configurations'),
      h(
        'ul',
        {},
        (view?.metric.algorithms ?? []).map((result) =>
          h(
            'li',
            {},
            h('strong', {}, algorithmOf(model, result).name),
            ` ${configurationText(model, result, result.best, result.edges)}`,
            result.bestProbability !== null
              ? h('small', {}, ` best again with probability ${result.bestProbability.toFixed(2)}`)
              : null,
          ),
        ),
      ),
      h('small', {}, edgeNote),
    );
  };
  showBest();
  state.view.subscribe(() => {
    names.refresh();
    showBest();
    chart.refresh();
  });
  state.stage.subscribe(chart.refresh);
  log.subscribe(chart.refresh);
  return h(
    'div',
    {},
    h('div', { class: 'controls' }, viewControl(model, state), stageControl(model, state), scaleControl(log)),
    names.root,
    chart.root,
    best,
  );
}
