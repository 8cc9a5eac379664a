import { linesChart } from '../charts/lines';
import { parameterAxis } from '../charts/scales';
import { parameterValue } from '../data/format';
import { axisOf, sliceOf, variedParameters } from '../data/grid';
import { algorithmOf, type Model, parameterOf } from '../data/model';
import { colourOf } from '../theme';
import { Cell, type State } from '../state';
import { legend, scaleControl, viewControl } from '../ui/controls';
import { h } from '../ui/dom';
import { figure } from '../ui/figure';
import type { Section } from '../ui/section';

export function sensitivitySection(model: Model, state: State): Section {
  return {
    id: 'sensitivity',
    title: 'Sensitivity to the parameters',
    nav: 'Sensitivity',
    lead:
      'The score against one parameter, the others as in the algorithm’s best configuration (ringed). ' +
      'Bars are ±1 standard error. Above the frame: × where runs diverged, ▲ where the score is off the scale. ' +
      'The dotted line is the error before learning.',
    build: () => build(model, state),
    height: 1200,
  };
}

function build(model: Model, state: State): HTMLElement {
  const log = new Cell(true);
  const current = () => model.views[state.view.value] ?? model.views[0];
  const names = legend(model, state, () => (current()?.metric.algorithms ?? []).map(({ algorithm }) => algorithm));
  const grid = h('div', { class: 'figure-grid' });
  const charts = new Map<number, ReturnType<typeof figure>>();

  const chartOf = (place: number) => {
    const parameter = parameterOf(model, place);
    const made = figure(state, {
      title: () => `Score against ${parameter.symbol}`,
      subtitle: () => `${current()?.label ?? ''}. ${parameter.symbol}: ${parameter.help}.`,
      file: () => [model.data.study.name, 'sensitivity', parameter.name, current()?.short ?? ''],
      exportWidth: 800,
      draw: (canvas) => {
        const view = current();
        if (!view) return null;
        const results = view.metric.algorithms.filter((result) => {
          const values = result.grid[axisOf(result, place)]?.values ?? [];
          return values.length > 1 && !state.hidden.value.has(result.algorithm);
        });
        const axis = parameterAxis(results.flatMap((result) => result.grid[axisOf(result, place)]?.values ?? []));
        const series = results.map((result) => {
          const algorithm = algorithmOf(model, result);
          const slice = sliceOf(result, place);
          return {
            name: algorithm.name,
            colour: colourOf(algorithm, canvas.colours),
            dash: algorithm.dash,
            highlight: slice.findIndex(({ configuration }) => configuration === result.best),
            points: slice.map(({ value, configuration }) => ({
              x: axis.position(value),
              y: result.scores[configuration] ?? null,
              error: result.standardErrors[configuration] ?? null,
            })),
          };
        });
        const valueAt = new Map(
          results.flatMap((result) => sliceOf(result, place).map(({ value }) => [axis.position(value), value] as const)),
        );
        return linesChart(canvas, {
          series,
          height: 380,
          log: log.value,
          start: view.metric.initialError,
          startLine: true,
          bands: false,
          xLabel: parameter.symbol === parameter.name ? parameter.name : `${parameter.symbol} (${parameter.name})`,
          yLabel: `Score (${view.metric.id.toUpperCase()})`,
          domain: axis.domain,
          ticks: axis.log ? axis.ticks : undefined,
          tipTitle: (x) => `${parameter.symbol} = ${parameterValue(valueAt.get(x) ?? x)}`,
          tipNote: 'Other parameters at the best configuration',
          description: `Score of ${series.length} algorithms by ${parameter.name}.`,
        });
      },
      empty: 'No algorithm with this parameter is on.',
    });
    made.root.dataset.parameter = parameter.name;
    return made;
  };

  const show = () => {
    const wanted = variedParameters(current()?.metric.algorithms ?? []);
    for (const place of wanted) if (!charts.has(place)) charts.set(place, chartOf(place));
    const figures = wanted.flatMap((place) => charts.get(place) ?? []);
    grid.replaceChildren(...figures.map(({ root }) => root));
    if (figures.length === 0) grid.append(h('p', { class: 'empty' }, 'Every parameter has one value only.'));
    for (const chart of figures) chart.refresh();
  };
  show();
  state.view.subscribe(() => {
    names.refresh();
    show();
  });
  log.subscribe(() => {
    for (const chart of charts.values()) chart.refresh();
  });
  return h('div', {}, h('div', { class: 'controls' }, viewControl(model, state), scaleControl(log)), names.root, grid);
}
