import { panelsChart } from '../charts/panels';
import { number, parameterValue } from '../data/format';
import { algorithmOf, type Model } from '../data/model';
import type { RealTime } from '../report-data';
import { colourOf } from '../theme';
import { Cell, type State } from '../state';
import { legend, scaleControl, segmentedControl, selectControl } from '../ui/controls';
import { h } from '../ui/dom';
import { figure } from '../ui/figure';
import type { Section } from '../ui/section';

export function realTimeSection(model: Model, state: State): Section {
  return {
    id: 'realtime',
    title: 'Learning in real time',
    nav: 'Real time',
    lead:
      'Observations arrive at a fixed rate, and an algorithm misses those that come while it updates. ' +
      'The shorter the time per observation, the more a costly update loses.',
    build: () => build(model, state),
    height: 1000,
  };
}

const title = (costs: string): string =>
  costs === 'paper' ? 'Of the paper' : costs === 'measured' ? 'Measured here' : costs;

function build(model: Model, state: State): HTMLElement {
  const entries = model.data.realTime;
  const distinct = <T>(of: (entry: RealTime) => T): T[] => [...new Set(entries.map(of))];
  const costs = new Cell(entries[0]?.costs ?? '');
  const policy = new Cell<'on' | 'off'>(entries[0]?.policy ?? 'on');
  const where = new Cell('');
  const log = new Cell(false);
  const place = ({ setting, metric }: RealTime) => `${setting} · ${metric}`;
  const matching = () => entries.filter((entry) => entry.costs === costs.value && entry.policy === policy.value);
  const current = () => matching().find((entry) => place(entry) === where.value) ?? matching()[0];
  const settingTitle = (id: string) => model.data.settings.find((setting) => setting.id === id)?.title ?? id;

  const settings = selectControl('Setting', (value) => {
    where.value = value;
  });
  const names = legend(model, state, () => (current()?.algorithms ?? []).map(({ algorithm }) => algorithm));
  const chart = figure(state, {
    title: () => {
      const entry = current();
      return entry ? `Real time: ${settingTitle(entry.setting)}` : 'Real time';
    },
    file: () => {
      const entry = current();
      return [model.data.study.name, 'real time', ...(entry ? [entry.costs, entry.setting, entry.metric] : [])];
    },
    subtitle: () => {
      const entry = current();
      return entry
        ? `Costs of an update: ${title(entry.costs).toLowerCase()}, in ${entry.unit}. Each panel has one duration per observation. ` +
            `Errors are ${entry.metric.toUpperCase()}.`
        : '';
    },
    empty: 'Nothing to show: there is no such combination, or every algorithm is off.',
    draw: (canvas) => {
      const entry = current();
      if (!entry) return null;
      const metric = model.data.settings
        .find(({ id }) => id === entry.setting)
        ?.metrics.find(({ id }) => id === entry.metric);
      const firsts = entry.panels.flatMap(({ errors }) => errors.flatMap(([first]) => first ?? []));
      return panelsChart(canvas, {
        titles: entry.panels.map(({ duration }) => `${parameterValue(duration)} ${entry.unit} per observation`),
        iterations: entry.iterations,
        start: metric?.initialError ?? Math.max(0, ...firsts),
        log: log.value,
        xLabel: 'Iteration',
        yLabel: `Error (${entry.metric.toUpperCase()})`,
        series: entry.algorithms.flatMap((one, row) => {
          if (state.hidden.value.has(one.algorithm)) return [];
          const algorithm = algorithmOf(model, one);
          return {
            name: algorithm.name,
            colour: colourOf(algorithm, canvas.colours),
            dash: algorithm.dash,
            note: `${number(one.cost, 3)} ${entry.unit}`,
            errors: entry.panels.map(({ errors }) => errors[row] ?? []),
          };
        }),
      });
    },
  });
  const update = () => {
    const choices = matching().map((entry) => ({
      value: place(entry),
      text: `${settingTitle(entry.setting)} · ${entry.metric.toUpperCase()}`,
    }));
    const entry = current();
    settings.fill(choices, entry ? place(entry) : '');
    settings.root.hidden = choices.length < 2;
    names.refresh();
    chart.refresh();
  };
  for (const cell of [costs, policy, where]) cell.subscribe(update);
  log.subscribe(chart.refresh);
  update();
  return h(
    'div',
    {},
    h(
      'div',
      { class: 'controls' },
      segmentedControl(
        'Costs of an update',
        distinct((entry) => entry.costs).map((value) => ({ value, text: title(value) })),
        costs,
      ),
      segmentedControl(
        'Policy',
        distinct((entry) => entry.policy).map((value) => ({ value, text: value === 'on' ? 'On-policy' : 'Off-policy' })),
        policy,
      ),
      settings.root,
      scaleControl(log),
    ),
    names.root,
    chart.root,
  );
}
