import { type HeatAxis, heatChart } from '../charts/heatmap';
import { parameterValue } from '../data/format';
import { axisOf, configurationOf, indicesOf } from '../data/grid';
import { algorithmOf, type Model, parameterOf } from '../data/model';
import type { AlgorithmResult } from '../report-data';
import type { State } from '../state';
import { selectControl, viewControl } from '../ui/controls';
import { h } from '../ui/dom';
import { figure } from '../ui/figure';
import type { Section } from '../ui/section';

export function heatmapSection(model: Model, state: State): Section {
  return {
    id: 'heatmap',
    title: 'Score over two parameters',
    nav: 'Heat map',
    lead: 'One algorithm at a time. The best configuration shown is outlined.',
    build: () => build(model, state),
    height: 800,
  };
}

interface Chosen {
  algorithm: number;
  x: number; // parameters
  y: number | null;
  fixed: Map<number, number | 'best'>; // parameter → place of its value
}

// The best algorithm among those with two parameters to look at.
function promising(results: AlgorithmResult[]): AlgorithmResult | undefined {
  const order = (result: AlgorithmResult) => result.selection.score ?? Infinity;
  return results
    .filter(({ grid }) => grid.filter(({ values }) => values.length > 1).length > 1)
    .sort((left, right) => order(left) - order(right))[0];
}

function build(model: Model, state: State): HTMLElement {
  const current = () => model.views[state.view.value] ?? model.views[0];
  const chosen: Chosen = { algorithm: -1, x: -1, y: null, fixed: new Map() };
  const result = (): AlgorithmResult | undefined => {
    const results = current()?.metric.algorithms ?? [];
    return results.find(({ algorithm }) => algorithm === chosen.algorithm) ?? promising(results) ?? results[0];
  };
  const varied = (of: AlgorithmResult) =>
    of.grid.filter(({ values }) => values.length > 1).map(({ parameter }) => parameter);

  const update = () => {
    settle();
    fill();
    chart.refresh();
  };
  const algorithm = selectControl('Algorithm', (value) => {
    chosen.algorithm = Number(value);
    update();
  });
  algorithm.select.id = 'heatmap-algorithm';
  algorithm.root.querySelector('label')?.setAttribute('for', algorithm.select.id);
  const horizontal = selectControl('Across', (value) => {
    if (Number(value) === chosen.y) chosen.y = chosen.x;
    chosen.x = Number(value);
    update();
  });
  const vertical = selectControl('Up', (value) => {
    if (Number(value) === chosen.x && chosen.y !== null) chosen.x = chosen.y;
    chosen.y = Number(value);
    update();
  });
  const others = h('div', { class: 'controls-group' });

  // Keeps what was chosen as far as the algorithm has it.
  const settle = () => {
    const now = result();
    if (!now) return;
    chosen.algorithm = now.algorithm;
    const parameters = varied(now);
    if (!parameters.includes(chosen.x)) chosen.x = parameters[0] ?? now.grid[0]?.parameter ?? -1;
    if (chosen.y === null || !parameters.includes(chosen.y) || chosen.y === chosen.x)
      chosen.y = parameters.filter((parameter) => parameter !== chosen.x).at(-1) ?? null;
    for (const [parameter, place] of chosen.fixed) {
      const values = now.grid[axisOf(now, parameter)]?.values ?? [];
      if (place !== 'best' && place >= values.length) chosen.fixed.delete(parameter);
    }
  };

  const fill = () => {
    const view = current();
    const now = result();
    if (!view || !now) return;
    const focused = document.activeElement?.id;
    algorithm.fill(
      view.metric.algorithms.map((one) => ({ value: String(one.algorithm), text: algorithmOf(model, one).name })),
      String(now.algorithm),
    );
    const options = varied(now).map((parameter) => {
      const { symbol, name } = parameterOf(model, parameter);
      return { value: String(parameter), text: symbol === name ? name : `${symbol} (${name})` };
    });
    horizontal.fill(options, String(chosen.x));
    vertical.fill(chosen.y === null ? [{ value: '', text: 'none' }] : options, String(chosen.y ?? ''));
    vertical.select.disabled = chosen.y === null;
    const best = indicesOf(now, now.best);
    others.replaceChildren(
      ...now.grid.flatMap(({ parameter, values }, axis) => {
        if (values.length < 2 || parameter === chosen.x || parameter === chosen.y) return [];
        const { symbol, name } = parameterOf(model, parameter);
        const control = selectControl(symbol === name ? name : `${symbol} (${name})`, (value) => {
          chosen.fixed.set(parameter, value === 'best' ? 'best' : Number(value));
          chart.refresh();
        });
        control.select.id = `heatmap-fixed-${parameter}`;
        control.root.querySelector('label')?.setAttribute('for', control.select.id);
        control.fill(
          [
            { value: 'best', text: `best (${parameterValue(values[best[axis] ?? 0] ?? NaN)})` },
            ...values.map((value, place) => ({ value: String(place), text: parameterValue(value) })),
          ],
          String(chosen.fixed.get(parameter) ?? 'best'),
        );
        return [control.root];
      }),
    );
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  };

  const fixedIndices = (now: AlgorithmResult) => {
    const best = indicesOf(now, now.best);
    return now.grid.map(({ parameter }, axis) => {
      const place = chosen.fixed.get(parameter) ?? 'best';
      return place === 'best' ? (best[axis] ?? 0) : place;
    });
  };
  const note = (now: AlgorithmResult) => {
    const indices = fixedIndices(now);
    return now.grid
      .flatMap(({ parameter, values }, axis) =>
        parameter === chosen.x || parameter === chosen.y
          ? []
          : `${parameterOf(model, parameter).symbol} = ${parameterValue(values[indices[axis] ?? 0] ?? NaN)}`,
      )
      .join(', ');
  };
  const axisFor = (now: AlgorithmResult, parameter: number): HeatAxis => {
    const { symbol, name } = parameterOf(model, parameter);
    return {
      symbol,
      label: symbol === name ? name : `${symbol} (${name})`,
      values: now.grid[axisOf(now, parameter)]?.values ?? [],
    };
  };

  const chart = figure(state, {
    title: () => {
      const now = result();
      return now ? `Scores of ${algorithmOf(model, now).name}` : 'Scores';
    },
    file: () => {
      const now = result();
      return [model.data.study.name, 'heat map', now ? algorithmOf(model, now).id : '', current()?.short ?? ''];
    },
    subtitle: () => {
      const now = result();
      const fixed = now ? note(now) : '';
      return `${current()?.label ?? ''}.${fixed ? ` With ${fixed}.` : ''}`;
    },
    draw: (canvas) => {
      const view = current();
      const now = result();
      if (!view || !now || chosen.x < 0) return null;
      const fixed = fixedIndices(now);
      const xAxis = axisOf(now, chosen.x);
      const yAxis = chosen.y === null ? -1 : axisOf(now, chosen.y);
      const runs = view.metric.runs * view.metric.instances;
      return heatChart(canvas, {
        x: axisFor(now, chosen.x),
        y: chosen.y === null ? null : axisFor(now, chosen.y),
        start: view.metric.initialError,
        note: note(now),
        cell: (column, row) => {
          const indices = fixed.map((old, axis) => (axis === xAxis ? column : axis === yAxis ? row : old));
          const configuration = configurationOf(now, indices);
          if (configuration < 0) return null;
          return {
            score: now.scores[configuration] ?? null,
            error: now.standardErrors[configuration] ?? null,
            diverged: now.diverged[configuration] ?? 0,
            runs,
          };
        },
      });
    },
  });
  settle();
  fill();
  state.view.subscribe(update);
  return h(
    'div',
    {},
    h('div', { class: 'controls' }, viewControl(model, state), algorithm.root, horizontal.root, vertical.root, others),
    chart.root,
  );
}
