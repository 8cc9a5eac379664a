import { linesChart } from '../charts/lines';
import { parameterAxis } from '../charts/scales';
import { configurationText, edgeNote, parameterValue, score } from '../data/format';
import { axisOf, hasEqualShares, reselectedOf, sliceOf, variedParameters } from '../data/grid';
import { algorithmOf, metricName, type Model, parameterOf } from '../data/model';
import type { AlgorithmResult } from '../report-data';
import { colourOf } from '../theme';
import { Cell, type State } from '../state';
import { legend, scaleControl, segmentedControl, viewControl } from '../ui/controls';
import { h } from '../ui/dom';
import { figure } from '../ui/figure';
import type { Section } from '../ui/section';
import { algorithmTable } from '../ui/table';

export function sensitivitySection(model: Model, state: State): Section {
  return {
    id: 'sensitivity',
    title: 'Sensitivity to the parameters',
    nav: 'Sensitivity',
    lead:
      'The score against one parameter, the others selected again at each value so as to minimise it, as in the paper; or ' +
      'frozen as in the algorithm’s best configuration, which is ringed. ' +
      'Bars are ±1 standard error. Above the frame: × where runs diverged, ▲ where the score is off the scale. ' +
      'The dotted line is the error before learning.',
    build: () => build(model, state),
    height: 1200,
  };
}

type Others = 'reselected' | 'frozen';

function build(model: Model, state: State): HTMLElement {
  const log = new Cell(true);
  const others = new Cell<Others>('reselected');
  const curveOf = (result: AlgorithmResult, place: number) =>
    others.value === 'reselected' ? reselectedOf(result, place) : sliceOf(result, place);
  const isApart = (result: AlgorithmResult, place: number) =>
    others.value === 'reselected' && !hasEqualShares(result, place);
  const current = () => model.views[state.view.value] ?? model.views[0];
  const names = legend(model, state, () => (current()?.metric.algorithms ?? []).map(({ algorithm }) => algorithm));
  const grid = h('div', { class: 'figure-grid' });
  const charts = new Map<number, ReturnType<typeof figure>>();

  const chartOf = (place: number) => {
    const parameter = parameterOf(model, place);
    const made = figure(state, {
      title: () => `Score against ${parameter.symbol}`,
      subtitle: () =>
        `${current()?.label ?? ''}. ${parameter.symbol}: ${parameter.help}. Other parameters ` +
        (others.value === 'reselected' ? 'selected again at each value.' : 'frozen at the best configuration.') +
        (current()?.metric.algorithms.some((result) => isApart(result, place))
          ? ' Points without a line: their grid has not every value of the others with each.'
          : ''),
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
          const slice = curveOf(result, place);
          return {
            name: algorithm.name,
            colour: colourOf(algorithm, canvas.colours),
            dash: algorithm.dash,
            apart: isApart(result, place),
            highlight: slice.findIndex(({ configuration }) => configuration === result.best),
            points: slice.map(({ value, configuration }) => ({
              x: axis.position(value),
              y: result.scores[configuration] ?? null,
              error: result.standardErrors[configuration] ?? null,
            })),
          };
        });
        const valueAt = new Map(
          results.flatMap((result) => curveOf(result, place).map(({ value }) => [axis.position(value), value] as const)),
        );
        return linesChart(canvas, {
          series,
          height: 380,
          log: log.value,
          start: view.metric.initialError,
          startLine: model.references.length === 0,
          references: model.references,
          bands: false,
          xLabel: parameter.symbol === parameter.name ? parameter.name : `${parameter.symbol} (${parameter.name})`,
          yLabel: `Score (${metricName(view.metric.id)})`,
          domain: axis.domain,
          ticks: axis.log ? axis.ticks : undefined,
          tipTitle: (x) => `${parameter.symbol} = ${parameterValue(valueAt.get(x) ?? x)}`,
          tipNote:
            others.value === 'reselected' ? 'Other parameters selected again' : 'Other parameters at the best configuration',
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
  const areas = h('div', {});
  const showAreas = () => areas.replaceChildren(areaTable(model, state, current()?.metric.algorithms ?? []));
  show();
  showAreas();
  state.dark.subscribe(showAreas);
  state.view.subscribe(() => {
    names.refresh();
    show();
    showAreas();
  });
  const redraw = () => {
    for (const chart of charts.values()) chart.refresh();
  };
  log.subscribe(redraw);
  others.subscribe(redraw);
  const othersControl = segmentedControl<Others>(
    'Other parameters',
    [
      { value: 'reselected', text: 'Selected again' },
      { value: 'frozen', text: 'Frozen' },
    ],
    others,
  );
  return h(
    'div',
    {},
    h('div', { class: 'controls' }, viewControl(model, state), othersControl, scaleControl(log)),
    names.root,
    grid,
    areas,
  );
}

// The curves as one number each.
function areaTable(model: Model, state: State, results: readonly AlgorithmResult[]): HTMLElement | string {
  const varied = variedParameters(results);
  if (varied.length === 0 || !model.isStudy) return '';
  return algorithmTable(
    model,
    state,
    {
      title: 'Mean error over the range of each parameter',
      label: 'Mean error over the range of each parameter',
      note:
        'The area under each curve, with scores clipped at the error before learning, over the width of the parameter’s own scale, ' +
        `logarithmic for step sizes: the other parameters selected again, and below it frozen. ${edgeNote}`,
      heads: ['Best configuration', 'Score', ...varied.map((place) => parameterOf(model, place).symbol)],
    },
    results.map((result) => ({
      algorithm: result.algorithm,
      cells: [
        h('td', { class: 'text' }, configurationText(model, result, result.best, result.edges)),
        score(result.scores[result.best] ?? null, 3),
        ...varied.map((place) => {
          const area = result.areas[axisOf(result, place)];
          return area ? [score(area.reselected, 3), h('small', {}, score(area.frozen, 3))] : '–';
        }),
      ],
    })),
  );
}
