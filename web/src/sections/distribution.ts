import { quantileChart, sharesChart, type Spread } from '../charts/distribution';
import { estimateOf, metricName, type Model, type View, algorithmOf } from '../data/model';
import type { AlgorithmResult } from '../report-data';
import { colourOf, type Palette } from '../theme';
import type { State } from '../state';
import { legend, viewControl } from '../ui/controls';
import { h } from '../ui/dom';
import { figure } from '../ui/figure';
import type { Section } from '../ui/section';

export function distributionSection(model: Model, state: State): Section {
  return {
    id: 'distribution',
    title: 'Scores over all configurations',
    nav: 'Distribution',
    lead: 'How hard an algorithm is to tune: the scores of all its configurations, not of the best alone.',
    build: () => build(model, state),
    height: 700,
  };
}

// Each configuration counts once, in the first class that fits.
function classesOf(result: AlgorithmResult, best: number, start: number): number[] {
  const counts = [0, 0, 0, 0, 0];
  for (const score of result.scores) {
    const place = score === null ? 4 : score <= 1.1 * best ? 0 : score <= 1.5 * best ? 1 : score <= start ? 2 : 3;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts.map((count) => count / Math.max(1, result.scores.length));
}

function spreads(model: Model, state: State, view: View, colours: Palette): Spread[] {
  const { metric } = view;
  const best = Math.min(...metric.algorithms.map((result) => estimateOf(result, 'selection').score ?? Infinity));
  return metric.algorithms
    .filter(({ algorithm }) => !state.hidden.value.has(algorithm))
    .map((result) => {
      const algorithm = algorithmOf(model, result);
      return {
        name: algorithm.name,
        colour: colourOf(algorithm, colours),
        quantiles: result.quantiles,
        classes: classesOf(result, best, metric.initialError),
      };
    });
}

function build(model: Model, state: State): HTMLElement {
  const current = () => model.views[state.view.value] ?? model.views[0];
  const names = legend(model, state, () => (current()?.metric.algorithms ?? []).map(({ algorithm }) => algorithm));
  const quantiles = figure(state, {
    title: () => 'Quantiles of the scores',
    subtitle: () =>
      `${current()?.label ?? ''}. Dot: best. Whisker: 5% to 95%. Box: 25% to 75%. Bar: median. ` +
      `At the right edge × is diverged, ▶ off the scale.`,
    file: () => [model.data.study.name, 'quantiles', current()?.short ?? ''],
    exportWidth: 800,
    draw: (canvas) => {
      const view = current();
      if (!view) return null;
      return quantileChart(
        canvas,
        spreads(model, state, view, canvas.colours),
        view.metric.initialError,
        `Score (${metricName(view.metric.id)})`,
      );
    },
  });
  const shares = figure(state, {
    title: () => 'Shares of good and bad configurations',
    subtitle: () =>
      `${current()?.label ?? ''}. The best is the best score of the setting; the start is the error before learning.`,
    file: () => [model.data.study.name, 'shares', current()?.short ?? ''],
    exportWidth: 800,
    draw: (canvas) => {
      const view = current();
      return view ? sharesChart(canvas, spreads(model, state, view, canvas.colours)) : null;
    },
  });
  state.view.subscribe(() => {
    names.refresh();
    quantiles.refresh();
    shares.refresh();
  });
  return h(
    'div',
    {},
    h('div', { class: 'controls' }, viewControl(model, state)),
    names.root,
    h('div', { class: 'figure-grid' }, quantiles.root, shares.root),
  );
}
