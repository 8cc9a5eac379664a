import { barsChart } from '../charts/bars';
import { linesChart, type Series } from '../charts/lines';
import { panelsChart } from '../charts/panels';
import { parameterAxis } from '../charts/scales';
import { configurationText, parameterValue } from '../data/format';
import { axisOf, type Point, reselectedAt, reselectedOf } from '../data/grid';
import { algorithmOf, metricName, type Model, parameterOf, type View } from '../data/model';
import type { AlgorithmResult, FigureRow, PaperFigure } from '../report-data';
import { colourOf } from '../theme';
import { Cell, type State } from '../state';
import { scaleControl } from '../ui/controls';
import { h } from '../ui/dom';
import { type Canvas, type Drawing, figure } from '../ui/figure';
import type { Section } from '../ui/section';
import { swatch } from '../ui/tooltip';

// The figures of the paper, as its folder asks for them (docs/study-file.md).
export function figuresSection(model: Model, state: State): Section {
  return {
    id: 'figures',
    title: 'Figures of the paper',
    nav: 'Figures',
    lead:
      'As the paper lays them out, of this study’s results. In panels the other parameters are selected again at each point; ' +
      'above a frame: × where runs diverged, ▲ where the score is off the scale.',
    build: () => build(model, state),
    height: 1600,
  };
}

type Draw = (canvas: Canvas, log: boolean) => Drawing | null;

function build(model: Model, state: State): HTMLElement {
  const log = new Cell(false);
  const charts = model.data.figures.flatMap((wanted) =>
    wanted.rows.flatMap((row) => {
      const view = model.views.find(({ setting, metric }) => setting.id === row.setting && metric.id === row.metric);
      if (!view) return [];
      const drawn = drawingOf(model, wanted, row, view);
      const made = figure(state, {
        title: () => wanted.title,
        subtitle: () => `${view.label}. ${drawn.note}`,
        file: () => [model.data.study.name, wanted.id, row.setting],
        draw: (canvas) => drawn.draw(canvas, log.value),
        empty: 'Nothing to show: every algorithm is off, or nothing was recorded.',
      });
      made.root.dataset.figure = wanted.id;
      if (wanted.kind === 'sensitivity' && wanted.lineValues.length > 0) made.root.append(keyOf(model, state, wanted));
      return made;
    }),
  );
  log.subscribe(() => {
    for (const chart of charts) chart.refresh();
  });
  return h(
    'div',
    {},
    h('div', { class: 'controls' }, scaleControl(log)),
    charts.map(({ root }) => root),
  );
}

function drawingOf(model: Model, wanted: PaperFigure, row: FigureRow, view: View): { draw: Draw; note: string } {
  if (wanted.kind === 'curves') return { draw: stated(model, row, view), note: 'Mean and ±1 standard error at the stated parameters.' };
  if (wanted.kind === 'bars') {
    const name = algorithmOf(model, { algorithm: row.relativeTo ?? 0 }).name;
    return { draw: bars(model, row, `Score over that of ${name}`), note: 'Best configurations; lines are 95% intervals of the ratio.' };
  }
  return { draw: sensitivity(model, wanted, row, view), note: 'A panel for each algorithm.' };
}

// Which values the lines stand for.
function keyOf(model: Model, state: State, wanted: PaperFigure): HTMLElement {
  const symbols = wanted.lines.map((place) => parameterOf(model, place).symbol).join(', ');
  const key = h('p', { class: 'figure-key' });
  const show = () =>
    key.replaceChildren(
      h('span', {}, `${symbols} =`),
      ...wanted.lineValues.map(({ value, light, dark }) =>
        h('span', { class: 'figure-key-entry' }, swatch(state.dark.value ? dark : light, ''), parameterValue(value)),
      ),
    );
  state.dark.subscribe(show);
  show();
  return key;
}

function sensitivity(model: Model, wanted: PaperFigure, row: FigureRow, view: View): Draw {
  const x = wanted.x ?? 0;
  const results = row.algorithms.flatMap(
    (algorithm) =>
      view.metric.algorithms.find((result) => result.algorithm === algorithm && axisOf(result, x) >= 0) ?? [],
  );
  const axis = parameterAxis(results.flatMap((result) => result.grid[axisOf(result, x)]?.values ?? []));
  const values = [...new Set(results.flatMap((result) => result.grid[axisOf(result, x)]?.values ?? []))].sort(
    (left, right) => left - right,
  );
  const lineOf = (result: AlgorithmResult) => wanted.lines.find((parameter) => axisOf(result, parameter) >= 0);
  const scoresOf = (result: AlgorithmResult, points: Point[]) =>
    points.length === 0
      ? []
      : values.map((value) => {
          const point = points.find((one) => one.value === value);
          return point ? (result.scores[point.configuration] ?? null) : null;
        });
  const parameter = parameterOf(model, x);
  const symbols = wanted.lines.map((place) => parameterOf(model, place).symbol).join(', ');
  return (canvas, log) => {
    const lines = wanted.lineValues.map(({ value, light, dark }) => ({
      name: `${symbols} = ${parameterValue(value)}`,
      colour: canvas.colours.dark ? dark : light,
      dash: '',
      note: '',
      errors: results.map((result) => {
        const line = lineOf(result);
        return line === undefined ? [] : scoresOf(result, reselectedAt(result, x, line, value));
      }),
    }));
    // An algorithm that does not have the parameter has one line.
    const alone = results.flatMap((result, panel) => {
      if (lineOf(result) !== undefined) return [];
      const algorithm = algorithmOf(model, result);
      return {
        name: algorithm.name,
        colour: colourOf(algorithm, canvas.colours),
        dash: algorithm.dash,
        note: '',
        errors: results.map((_, place) => (place === panel ? scoresOf(result, reselectedOf(result, x)) : [])),
      };
    });
    return panelsChart(canvas, {
      titles: results.map((result) => algorithmOf(model, result).name),
      places: values.map(axis.position),
      domain: axis.domain,
      ticks: axis.ticks,
      placeText: (place) =>
        `${parameter.symbol} = ${parameterValue(values.find((value) => axis.position(value) === place) ?? place)}`,
      series: [...lines, ...alone],
      start: view.metric.initialError,
      log,
      xLabel: parameter.symbol,
      yLabel: `Score (${metricName(view.metric.id)})`,
    });
  };
}

const dashes = ['', '4 2', '1.3 1.5', '5 1.5 1.3 1.5'];

function stated(model: Model, row: FigureRow, view: View): Draw {
  return (canvas, log) => {
    const series = row.curves.map(({ algorithm, configuration, curve }, place): Series => {
      const { name, dash, ...style } = algorithmOf(model, { algorithm });
      const result = view.metric.algorithms.find((one) => one.algorithm === algorithm);
      const same = row.curves.slice(0, place).filter((one) => one.algorithm === algorithm).length;
      return {
        name: result ? `${name}, ${configurationText(model, result, configuration).split(',')[0] ?? ''}` : name,
        colour: canvas.colours.dark ? style.dark : style.light,
        dash: same > 0 ? (dashes[same % dashes.length] ?? '') : dash,
        points: curve.mean.map((y, x) => ({ x, y, error: curve.standardError[x] ?? null })),
      };
    });
    return linesChart(canvas, {
      series,
      height: canvas.narrow ? 340 : 420,
      log,
      start: view.metric.initialError,
      startLine: true,
      bands: true,
      xLabel: 'Step',
      yLabel: `Error (${metricName(view.metric.id)})`,
      domain: [0, view.setting.steps],
      tipTitle: (step) => `Step ${step}`,
      description: `${series.length} curves at stated parameters: ${series.map(({ name }) => name).join('; ')}.`,
    });
  };
}

function bars(model: Model, row: FigureRow, label: string): Draw {
  return (canvas) =>
    barsChart(
      canvas,
      row.bars.map(({ algorithm, ratio, interval }) => {
        const style = algorithmOf(model, { algorithm });
        return { name: style.name, colour: colourOf(style, canvas.colours), value: ratio, interval };
      }),
      label,
    );
}
