import { configurationText, hidesItsRuns, percent, ratio, score, whatItHides, withError } from '../data/format';
import { estimateOf, type Model, stageOf } from '../data/model';
import type { Advice } from '../report-data';
import type { State } from '../state';
import { stageControl } from '../ui/controls';
import { h } from '../ui/dom';
import { blank, type Entry, matrix, type MatrixRow, shadeOf } from '../ui/matrix';
import type { Section } from '../ui/section';
import type { Tip } from '../ui/tooltip';
import { badge } from './claims';

// Some studies set one algorithm's settings beside each other: there is none to choose.
function comparesAlgorithms(model: Model): boolean {
  return model.views.some(({ metric }) => metric.algorithms.length > 1);
}

function leadOf(model: Model): string {
  if (model.data.advice.length > 0)
    return 'What the paper recommends for a situation, what this run says, and the scores behind it.';
  return comparesAlgorithms(model)
    ? 'How close each algorithm comes to the best one of every setting.'
    : 'Of the best configuration of every setting, each of which has one algorithm.';
}

export function adviceSection(model: Model, state: State): Section {
  const compares = comparesAlgorithms(model) || model.data.advice.length > 0;
  return {
    id: 'advice',
    title: compares ? 'Which algorithm should I use?' : 'Scores',
    nav: compares ? 'Which algorithm' : 'Scores',
    lead: leadOf(model),
    eager: true,
    build: () => [adviceTable(model.data.advice), overview(model, state)],
  };
}

export function adviceTable(advice: readonly Advice[]): HTMLElement | null {
  if (advice.length === 0) return null;
  return h(
    'table',
    { class: 'advice' },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        ['Situation', 'The paper', 'Verdict', 'Numbers'].map((text) => h('th', { scope: 'col' }, text)),
      ),
    ),
    h(
      'tbody',
      {},
      advice.map(({ situation, paper, verdict, numbers }) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, situation),
          h('td', { 'data-label': 'The paper' }, paper),
          h('td', {}, badge(verdict)),
          h(
            'td',
            { class: 'claim-numbers' },
            numbers.map((line) => h('div', {}, line)),
          ),
        ),
      ),
    ),
  );
}

function rowsOf(model: Model, state: State): MatrixRow[] {
  const compares = comparesAlgorithms(model);
  const bests = model.views.map(({ metric }) => {
    const stage = stageOf(metric, state.stage.value);
    const scores = metric.algorithms.map((result) => estimateOf(result, stage).score ?? Infinity);
    return Math.min(...scores);
  });
  return model.data.algorithms.map((algorithm, place) => {
    const own = model.views.map(({ metric }) => metric.algorithms.find((result) => result.algorithm === place));
    const entries = own.map((result, column): Entry => {
      const view = model.views[column];
      if (!result || !view) return blank;
      const stage = stageOf(view.metric, state.stage.value);
      const estimate = estimateOf(result, stage);
      const robust = result.robust?.stage === stage ? result.robust : null;
      const tip: Tip = {
        title: `${algorithm.name}, ${view.label}`,
        rows: [
          { name: 'Score', value: withError(estimate.score, estimate.standardError) },
          ...(estimate.interval
            ? [{ name: '95% interval', value: `${score(estimate.interval[0])} to ${score(estimate.interval[1])}` }]
            : []),
          ...(estimate.firstProbability !== null
            ? [{ name: 'Probability of being the best', value: estimate.firstProbability.toFixed(2) }]
            : []),
          ...(robust
            ? [
                { name: 'IQM', value: score(robust.iqm[0]) },
                { name: 'Median', value: score(robust.median[0]) },
                { name: 'Failed runs', value: `${percent(robust.failed / robust.runs)}` },
              ]
            : []),
          { name: 'Runs (diverged)', value: `${estimate.runs} (${estimate.diverged})` },
          { name: 'Configuration', value: configurationText(model, result, result.best, result.edges) },
          { name: 'Error before learning', value: score(view.metric.initialError) },
        ],
        note: stage === 'fresh' ? 'Fresh runs' : 'Runs of the selection',
      };
      const hidden = robust && hidesItsRuns(estimate.score, robust, view.metric.initialError) ? robust : null;
      if (hidden) tip.note = `${whatItHides(hidden)}. ${tip.note}`;
      if (estimate.score === null) {
        const note = hidden && hidden.median[0] !== null ? `median ${score(hidden.median[0], 3)}` : 'diverged';
        return { text: '∞', note, key: null, shade: -1, tip };
      }
      const best = bests[column] ?? estimate.score;
      const value = best > 0 ? estimate.score / best : estimate.score === best ? 1 : Infinity;
      const poor = estimate.score > view.metric.initialError;
      const median = hidden ? `median ${score(hidden.median[0], 3)}` : '';
      if (!compares)
        return { text: score(estimate.score, 3), note: median, key: estimate.score, shade: poor ? -0.5 : 0, tip };
      return {
        text: Number.isFinite(value) ? ratio(value) : '∞',
        note: median || score(estimate.score, 3),
        key: value,
        shade: poor ? -0.5 : shadeOf(value),
        tip,
      };
    });
    return { algorithm: place, entries: [...entries, ...extras(model, place)] };
  });
}

// Shares over all configurations of all settings, and the cost.
function extras(model: Model, place: number): Entry[] {
  let configurations = 0;
  let within = 0;
  let diverged = 0;
  for (const { metric } of model.views)
    for (const { algorithm, scores, shares } of metric.algorithms)
      if (algorithm === place) {
        configurations += scores.length;
        within += shares.within50 * scores.length;
        diverged += shares.diverged * scores.length;
      }
  const share = (part: number): Entry =>
    configurations > 0
      ? { text: percent(part / configurations), note: '', key: part / configurations, shade: 0, tip: null }
      : blank;
  const entries = [share(within), share(diverged)];
  if (model.data.runtimes) {
    const policies = model.data.runtimes.rows.find(({ algorithm }) => algorithm === place)?.policies ?? [];
    const cost = policies.find(({ policy }) => policy === 'on') ?? policies[0];
    entries.push(cost ? { text: ratio(cost.microseconds), note: '', key: cost.microseconds, shade: 0, tip: null } : blank);
  }
  return entries;
}

function overview(model: Model, state: State): HTMLElement {
  const compares = comparesAlgorithms(model);
  const table = matrix(state, {
    label: 'Overview of the scores',
    algorithms: model.data.algorithms,
    heads: [
      ...model.views.map(({ short, label }) => ({ text: short, title: label })),
      { text: 'within 50%', title: 'Share of all configurations with a score within 50% of the best', extra: true },
      { text: 'diverged', title: 'Share of all configurations with a run that diverged', extra: true },
      ...(model.data.runtimes
        ? [{ text: `µs / ${model.data.runtimes.steps} steps`, title: 'Time of a run', extra: true }]
        : []),
    ],
    rows: () => rowsOf(model, state),
    order: { column: -1, descending: false },
  });
  state.stage.subscribe(table.refresh);
  return h(
    'div',
    { class: 'overview' },
    h(
      'div',
      { class: 'overview-head' },
      h(
        'div',
        {},
        h('h3', {}, compares ? 'Score as a ratio to the best of the setting' : 'Score of the best configuration'),
        h(
          'p',
          { class: 'figure-note' },
          (compares ? '1.00 is the best; below it the score itself. The stronger the blue the better; amber' : 'Amber') +
            ' is worse than before learning. A column’s head sorts.',
        ),
      ),
      stageControl(model, state),
    ),
    table.root,
  );
}
