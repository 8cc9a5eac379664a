import { panelsChart } from '../charts/panels';
import { number, parameterValue } from '../data/format';
import { algorithmOf, type Model } from '../data/model';
import type { RealTime } from '../report-data';
import { colourOf, palette } from '../theme';
import { Cell, type State } from '../state';
import { legend, scaleControl, segmentedControl, selectControl } from '../ui/controls';
import { h } from '../ui/dom';
import { figure } from '../ui/figure';
import type { Section } from '../ui/section';
import { swatch } from '../ui/tooltip';

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

const titles: Record<string, string> = {
  paper: 'Of the paper',
  measured: 'Measured here',
  'measured-dense': 'Measured, dense features',
};
const title = (costs: string): string => titles[costs] ?? costs;
const readings = { quantised: 'Whole iterations', proportional: 'Proportional' };
const reading = {
  quantised: 'A sample takes whole iterations, and a curve is the mean over how many samples that makes.',
  proportional: 'A sample takes its part of an iteration.',
};

function build(model: Model, state: State): HTMLElement {
  const entries = model.data.realTime;
  const distinct = <T>(of: (entry: RealTime) => T): T[] => [...new Set(entries.map(of))];
  const costs = new Cell(entries[0]?.costs ?? '');
  const time = new Cell<RealTime['time']>(entries[0]?.time ?? 'quantised');
  const policy = new Cell<'on' | 'off'>(entries[0]?.policy ?? 'on');
  const slowest = new Cell('');
  const where = new Cell('');
  const log = new Cell(false);
  const place = ({ setting, metric }: RealTime) => `${setting} · ${metric}`;
  const matching = () =>
    entries.filter(
      (entry) => entry.costs === costs.value && entry.time === time.value && entry.policy === policy.value,
    );
  const scales = () => matching().filter((entry) => place(entry) === (where.value || place(entry)));
  const current = () =>
    scales().find((entry) => String(entry.slowest) === slowest.value) ?? scales()[0] ?? matching()[0];
  const settingTitle = (id: string) => model.data.settings.find((setting) => setting.id === id)?.title ?? id;

  const settings = selectControl('Setting', (value) => {
    where.value = value;
  });
  const slowestUpdate = selectControl('Slowest update', (value) => {
    slowest.value = value;
  });
  const names = legend(model, state, () => (current()?.algorithms ?? []).map(({ algorithm }) => algorithm));
  const chart = figure(state, {
    title: () => {
      const entry = current();
      return entry ? `Real time: ${settingTitle(entry.setting)}` : 'Real time';
    },
    file: () => {
      const entry = current();
      return [model.data.study.name, 'real time', ...(entry ? [entry.costs, entry.time, entry.setting, entry.metric] : [])];
    },
    subtitle: () => {
      const entry = current();
      return entry
        ? `Costs of an update: ${title(entry.costs).toLowerCase()}, in ${entry.unit}. ${reading[entry.time]} ` +
            `Each panel has one duration per observation. Errors are ${entry.metric.toUpperCase()}.`
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
        places: entry.iterations,
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
    const places = new Map(matching().map((entry) => [place(entry), entry]));
    const choices = [...places].map(([value, entry]) => ({
      value,
      text: `${settingTitle(entry.setting)} · ${entry.metric.toUpperCase()}`,
    }));
    const entry = current();
    settings.fill(choices, entry ? place(entry) : '');
    settings.root.hidden = choices.length < 2;
    const costsOfSlowest = [...scales()].sort((left, right) => (left.slowest ?? 0) - (right.slowest ?? 0));
    slowestUpdate.fill(
      costsOfSlowest.map((one) => ({ value: String(one.slowest), text: `${one.slowest} ${one.unit}` })),
      String(entry?.slowest),
    );
    slowestUpdate.root.hidden = costsOfSlowest.length < 2;
    names.refresh();
    chart.refresh();
  };
  for (const cell of [costs, time, policy, where, slowest]) cell.subscribe(update);
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
        'A sample takes',
        distinct((entry) => entry.time).map((value) => ({ value, text: readings[value] })),
        time,
      ),
      segmentedControl(
        'Policy',
        distinct((entry) => entry.policy).map((value) => ({ value, text: value === 'on' ? 'On-policy' : 'Off-policy' })),
        policy,
      ),
      settings.root,
      slowestUpdate.root,
      scaleControl(log),
    ),
    names.root,
    chart.root,
    samplesTable(model, state, current, [costs, time, policy, where, slowest]),
  );
}

// How many samples each algorithm has processed after the last iteration, by panel.
function samplesTable(
  model: Model,
  state: State,
  current: () => RealTime | undefined,
  cells: { subscribe(update: () => void): void }[],
): HTMLElement {
  const head = h('thead', {});
  const body = h('tbody', {});
  const show = () => {
    const entry = current();
    const colours = palette(state.dark.value);
    head.replaceChildren(
      h(
        'tr',
        {},
        h('th', { scope: 'col', class: 'sticky' }, 'Samples processed'),
        h('th', { scope: 'col' }, entry ? `update, ${entry.unit}` : ''),
        (entry?.panels ?? []).map(({ duration }) =>
          h('th', { scope: 'col' }, `${parameterValue(duration)} ${entry?.unit ?? ''}`),
        ),
      ),
    );
    body.replaceChildren(
      ...(entry?.algorithms ?? []).map((one, row) => {
        const algorithm = algorithmOf(model, one);
        return h(
          'tr',
          {},
          h('th', { scope: 'row', class: 'sticky' }, swatch(colourOf(algorithm, colours), algorithm.dash), algorithm.name),
          h('td', {}, number(one.cost, 3)),
          (entry?.panels ?? []).map(({ samples }) => h('td', {}, (samples[row] ?? 0).toFixed(1))),
        );
      }),
    );
  };
  for (const cell of cells) cell.subscribe(show);
  state.dark.subscribe(show);
  show();
  return h(
    'div',
    { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of samples processed in real time' },
    h('table', { class: 'numbers' }, head, body),
  );
}
