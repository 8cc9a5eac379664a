import { barsChart } from '../charts/bars';
import { linesChart, type Series } from '../charts/lines';
import { panelsChart } from '../charts/panels';
import { parameterAxis } from '../charts/scales';
import { capital, configurationText, parameterValue } from '../data/format';
import { axisOf, type Point, reselectedAt, reselectedOf, timeOf } from '../data/grid';
import { algorithmOf, metricName, type Model, parameterOf, type View } from '../data/model';
import type { AlgorithmResult, Curve, FigureRow, PaperFigure } from '../report-data';
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
  const viewOf = (row: FigureRow) =>
    model.views.find(({ setting, metric }) => setting.id === row.setting && metric.id === row.metric);
  const charts = model.data.figures.flatMap((wanted) => {
    if (wanted.compared) {
      const rows = wanted.rows.flatMap((row) => {
        const view = viewOf(row);
        return view ? { row, view } : [];
      });
      const draw = wanted.kind === 'curves' ? statedTogether(model, rows) : compared(model, wanted, rows);
      const made = figure(state, {
        title: () => wanted.title,
        subtitle: () => (wanted.compared === 'setting' ? 'A line for each setting.' : 'A line for each algorithm.'),
        file: () => [model.data.study.name, wanted.id],
        draw: (canvas) => draw(canvas, log.value),
        empty: 'Nothing to show.',
      });
      made.root.dataset.figure = wanted.id;
      if (wanted.kind !== 'curves') made.root.append(comparedKey(model, state, wanted, rows));
      return [made];
    }
    return wanted.rows.flatMap((row) => {
      const view = viewOf(row);
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
    });
  });
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

// The results that a row shows, in its order.
function resultsOf(wanted: PaperFigure, row: FigureRow, view: View): AlgorithmResult[] {
  return row.algorithms.flatMap(
    (algorithm) =>
      view.metric.algorithms.find(
        (result) => result.algorithm === algorithm && axisOf(result, wanted.x ?? 0) >= 0,
      ) ?? [],
  );
}

// The values along the horizontal axis, and where they lie.
function axisFor(results: readonly AlgorithmResult[], x: number) {
  const all = results.flatMap((result) => result.grid[axisOf(result, x)]?.values ?? []);
  const values = [...new Set(all)].sort((left, right) => left - right);
  return { values, axis: parameterAxis(all, results.some(({ places }) => places !== null)) };
}

interface RowView {
  row: FigureRow;
  view: View;
}

const startOf = (rows: readonly RowView[], title: string) =>
  Math.max(...rows.filter(({ view }) => view.setting.title === title).map(({ view }) => view.metric.initialError));

const colourOfRow = (row: FigureRow, dark: boolean) => (dark ? row.dark : row.light);

// Lines of all settings in a panel for each algorithm, or of all algorithms in a panel for each setting.
function compared(model: Model, wanted: PaperFigure, rows: readonly RowView[]): Draw {
  const x = wanted.x ?? 0;
  const bySetting = wanted.compared === 'setting';
  const entries = rows.flatMap(({ row, view }) => resultsOf(wanted, row, view).map((result) => ({ row, view, result })));
  const { values, axis } = axisFor(
    entries.map(({ result }) => result),
    x,
  );
  const parameter = parameterOf(model, x);
  const panelOf = ({ view, result }: { view: View; result: AlgorithmResult }) =>
    bySetting ? algorithmOf(model, result).name : view.setting.title;
  const titles = [...new Set(entries.map(panelOf))];
  return (canvas, log) => {
    const series = entries.map((entry) => {
      const points = reselectedOf(entry.result, x);
      const algorithm = algorithmOf(model, entry.result);
      const scores = points.map(({ configuration }) => entry.result.scores[configuration] ?? null);
      return {
        name: bySetting ? entry.view.setting.title : algorithm.name,
        colour: bySetting ? colourOfRow(entry.row, canvas.colours.dark) : colourOf(algorithm, canvas.colours),
        dash: bySetting ? '' : algorithm.dash,
        note: '',
        places: titles.map((title) => (title === panelOf(entry) ? points.map(({ value }) => axis.position(value)) : [])),
        errors: titles.map((title) => (title === panelOf(entry) ? scores : [])),
      };
    });
    const [first] = rows;
    return panelsChart(canvas, {
      titles,
      places: values.map(axis.position),
      domain: axis.domain,
      ticks: axis.ticks,
      placeText: (place) =>
        `${parameter.symbol} = ${parameterValue(values.find((value) => axis.position(value) === place) ?? place)}`,
      series,
      start: Math.max(...rows.map(({ view }) => view.metric.initialError)),
      ...(bySetting ? {} : { starts: titles.map((title) => startOf(rows, title)) }),
      log,
      xLabel: parameter.symbol,
      yLabel: `Score (${metricName(first?.view.metric.id ?? '')})`,
    });
  };
}

function comparedKey(model: Model, state: State, wanted: PaperFigure, rows: readonly RowView[]): HTMLElement {
  const key = h('p', { class: 'figure-key' });
  const show = () => {
    const dark = state.dark.value;
    const entries: { name: string; colour: string; dash: string }[] =
      wanted.compared === 'setting'
        ? rows.map(({ row, view }) => ({ name: view.setting.title, colour: colourOfRow(row, dark), dash: '' }))
        : [...new Set(rows.flatMap(({ row }) => row.algorithms))].map((algorithm) => {
            const { name, dash, ...style } = algorithmOf(model, { algorithm });
            return { name, colour: dark ? style.dark : style.light, dash };
          });
    key.replaceChildren(
      ...entries.map(({ name, colour, dash }) => h('span', { class: 'figure-key-entry' }, swatch(colour, dash), name)),
    );
  };
  state.dark.subscribe(show);
  show();
  return key;
}

function sensitivity(model: Model, wanted: PaperFigure, row: FigureRow, view: View): Draw {
  const x = wanted.x ?? 0;
  const results = resultsOf(wanted, row, view);
  const { values, axis } = axisFor(results, x);
  const lineOf = (result: AlgorithmResult) => wanted.lines.find((parameter) => axisOf(result, parameter) >= 0);
  // By panel, the points of a line: where they lie, and their scores.
  const linePoints = (points: Point[][]) => ({
    places: points.map((panel) => panel.map(({ value }) => axis.position(value))),
    errors: points.map((panel, place) => panel.map(({ configuration }) => results[place]?.scores[configuration] ?? null)),
  });
  const parameter = parameterOf(model, x);
  const symbols = wanted.lines.map((place) => parameterOf(model, place).symbol).join(', ');
  return (canvas, log) => {
    const lines = wanted.lineValues.map(({ value, light, dark }) => ({
      name: `${symbols} = ${parameterValue(value)}`,
      colour: canvas.colours.dark ? dark : light,
      dash: '',
      note: '',
      ...linePoints(
        results.map((result) => {
          const line = lineOf(result);
          return line === undefined ? [] : reselectedAt(result, x, line, value);
        }),
      ),
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
        ...linePoints(results.map((_, place) => (place === panel ? reselectedOf(result, x) : []))),
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
        points: pointsOf(curve, view),
      };
    });
    return statedChart(canvas, series, [view], log);
  };
}

// Those of all settings in one chart.
function statedTogether(model: Model, rows: readonly RowView[]): Draw {
  return (canvas, log) => {
    const series = rows.flatMap(({ row, view }) =>
      row.curves.map(({ algorithm, curve }, place): Series => {
        const { name } = algorithmOf(model, { algorithm });
        return {
          name: row.curves.length > 1 ? `${view.setting.title}, ${name}` : view.setting.title,
          colour: colourOfRow(row, canvas.colours.dark),
          dash: dashes[place % dashes.length] ?? '',
          points: pointsOf(curve, view),
        };
      }),
    );
    return statedChart(
      canvas,
      series,
      rows.map(({ view }) => view),
      log,
    );
  };
}

const pointsOf = (curve: Curve, { setting }: View) =>
  curve.mean.map((y, place) => ({ x: timeOf(setting, place), y, error: curve.standardError[place] ?? null }));

function statedChart(canvas: Canvas, series: Series[], views: readonly View[], log: boolean): Drawing | null {
  const [first] = views;
  if (!first) return null;
  const label = capital(first.setting.unit);
  return linesChart(canvas, {
    series,
    height: canvas.narrow ? 340 : 420,
    log,
    start: first.metric.initialError,
    startLine: true,
    bands: true,
    xLabel: label,
    yLabel: `Error (${metricName(first.metric.id)})`,
    domain: [0, Math.max(...views.map(({ setting }) => setting.steps))],
    tipTitle: (step) => `${label} ${step}`,
    description: `${series.length} curves at stated parameters: ${series.map(({ name }) => name).join('; ')}.`,
  });
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
