import { runtimeChart, type TimeDot } from '../charts/runtimes';
import { number, ratio } from '../data/format';
import { algorithmOf, type Model } from '../data/model';
import type { RuntimeEntry, RuntimeFeatures, Runtimes } from '../report-data';
import { colourOf, palette } from '../theme';
import { Cell, type State } from '../state';
import { legend, segmentedControl } from '../ui/controls';
import { h } from '../ui/dom';
import { figure } from '../ui/figure';
import type { Section } from '../ui/section';
import { compare, type Order, sortHead } from '../ui/sortable';
import { swatch } from '../ui/tooltip';

export function runtimesSection(model: Model, state: State, runtimes: Runtimes): Section {
  return {
    id: 'runtimes',
    title: 'Runtimes',
    nav: 'Runtimes',
    lead:
      `Time of a run of ${runtimes.steps} steps. Here: ${runtimes.machine}.` +
      (runtimes.rows.some(({ policies }) => policies.some(({ paper }) => paper !== null))
        ? ` The machine and the program of the paper were others: compare the ratios to ${baseline(model, runtimes, 'one-hot').name}, not the times.`
        : ''),
    build: () => build(model, state, runtimes),
    height: 1000,
  };
}

type Policy = 'on' | 'off';
type Row = Runtimes['rows'][number];

const entriesOf = (row: Row, features: RuntimeFeatures): RuntimeEntry[] =>
  row.policies.filter((one) => one.features === features);

const kindsOf = (runtimes: Runtimes): RuntimeFeatures[] =>
  (['one-hot', 'dense'] as const).filter((features) => runtimes.rows.some((row) => entriesOf(row, features).length > 0));

const work: Record<RuntimeFeatures, string> = {
  'one-hot': 'One-hot features: the learner is told which one is 1, and skips the others.',
  dense: "Dense features: the learner is given all 30 numbers, as the paper's program was.",
};

// What the ratios are to: the paper's reference where the study has it, or else the cheapest algorithm.
function baseline(
  model: Model,
  { rows, reference }: Runtimes,
  features: RuntimeFeatures,
): { name: string; here(policy: Policy): number | null; paper(policy: Policy): number | null } {
  const cost = (row: Row) => Math.min(...row.policies.map(({ microseconds }) => microseconds));
  const usual = rows.find((row) => algorithmOf(model, row).id === reference);
  const row = usual ?? [...rows].sort((left, right) => cost(left) - cost(right))[0];
  const of = (policy: Policy) => row && entriesOf(row, features).find((one) => one.policy === policy);
  return {
    name: row ? algorithmOf(model, row).name : '',
    here: (policy) => of(policy)?.microseconds ?? null,
    paper: (policy) => of(policy)?.paper ?? null,
  };
}

function build(model: Model, state: State, runtimes: Runtimes): HTMLElement {
  const kinds = kindsOf(runtimes);
  const features = new Cell<RuntimeFeatures>(kinds[0] ?? 'one-hot');
  const { name } = baseline(model, runtimes, features.value);
  const relative = new Cell(false);
  const names = legend(model, state, () => runtimes.rows.map(({ algorithm }) => algorithm));
  const label = () => (relative.value ? `Time as a ratio to ${name}` : `µs per ${runtimes.steps} steps`);
  const chart = figure(state, {
    title: () => (relative.value ? `Runtimes as ratios to ${name}` : 'Runtimes'),
    file: () => [model.data.study.name, relative.value ? 'runtime ratios' : 'runtimes', features.value],
    subtitle: () => `${label()}, logarithmic. ${work[features.value]} ${runtimes.machine}.`,
    draw: (canvas) => {
      const base = baseline(model, runtimes, features.value);
      return runtimeChart(
        canvas,
        runtimes.rows
          .filter(({ algorithm }) => !state.hidden.value.has(algorithm))
          .map((row) => {
            const algorithm = algorithmOf(model, row);
            return {
              name: algorithm.name,
              colour: colourOf(algorithm, canvas.colours),
              dots: entriesOf(row, features.value).flatMap(({ policy, microseconds, low, high, paper }): TimeDot[] => {
                const here = relative.value ? base.here(policy) : 1;
                const there = relative.value ? base.paper(policy) : 1;
                return [
                  ...(here
                    ? [{ policy, paper: false, value: microseconds / here, low: low / here, high: high / here }]
                    : []),
                  ...(there && paper !== null
                    ? [{ policy, paper: true, value: paper / there, low: paper / there, high: paper / there }]
                    : []),
                ];
              }),
            };
          }),
        label(),
      );
    },
  });
  relative.subscribe(chart.refresh);
  features.subscribe(chart.refresh);
  return h(
    'div',
    {},
    h(
      'div',
      { class: 'controls' },
      segmentedControl<boolean>(
        'Show',
        [
          { value: false, text: 'Times' },
          { value: true, text: `Ratios to ${name}` },
        ],
        relative,
      ),
      kinds.length > 1
        ? segmentedControl<RuntimeFeatures>(
            'Features',
            kinds.map((value) => ({ value, text: value === 'dense' ? 'Dense' : 'One-hot' })),
            features,
          )
        : null,
    ),
    names.root,
    chart.root,
    table(model, state, runtimes, features),
  );
}

function table(model: Model, state: State, runtimes: Runtimes, features: Cell<RuntimeFeatures>): HTMLElement {
  const order = new Cell<Order>({ column: -1, descending: false });
  const policies = (['on', 'off'] as const).filter((policy) =>
    runtimes.rows.some((row) => row.policies.some((one) => one.policy === policy)),
  );
  const sweeps = runtimes.rows.some((row) => row.policies.some(({ sweepNanoseconds }) => sweepNanoseconds !== null));
  const keysOf = (row: Row, base: ReturnType<typeof baseline>): (number | null)[] => [
    ...policies.flatMap((policy) => {
      const own = entriesOf(row, features.value).find((one) => one.policy === policy);
      const here = base.here(policy);
      const there = base.paper(policy);
      return [
        own?.microseconds ?? null,
        own?.paper ?? null,
        own && here ? own.microseconds / here : null,
        own && own.paper !== null && there ? own.paper / there : null,
      ];
    }),
    ...(sweeps ? [entriesOf(row, features.value).at(-1)?.sweepNanoseconds ?? null] : []),
  ];
  const body = h('tbody', {});
  const show = () => {
    const colours = palette(state.dark.value);
    const { column, descending } = order.value;
    const base = baseline(model, runtimes, features.value);
    const rows = runtimes.rows.map((row) => ({ row, keys: keysOf(row, base) }));
    rows.sort((left, right) =>
      column < 0
        ? (descending ? -1 : 1) * (left.row.algorithm - right.row.algorithm)
        : compare(left.keys[column] ?? null, right.keys[column] ?? null, descending),
    );
    body.replaceChildren(
      ...rows.map(({ row, keys }) => {
        const algorithm = algorithmOf(model, row);
        return h(
          'tr',
          {},
          h('th', { scope: 'row', class: 'sticky' }, swatch(colourOf(algorithm, colours), algorithm.dash), algorithm.name),
          keys.map((key, place) => {
            const isRatio = place < 4 * policies.length && place % 4 >= 2;
            return h('td', {}, key === null ? '–' : isRatio ? ratio(key) : number(key, 3));
          }),
        );
      }),
    );
  };
  order.subscribe(show);
  features.subscribe(show);
  state.dark.subscribe(show);
  show();
  const heads = [
    ...policies.flatMap(() => ['here, µs', 'paper, µs', 'here, ratio', 'paper, ratio']),
    ...(sweeps ? ['ns / step'] : []),
  ];
  return h(
    'div',
    { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of runtimes' },
    h(
      'table',
      { class: 'numbers' },
      h(
        'thead',
        {},
        h(
          'tr',
          { class: 'groups' },
          h('td', { class: 'sticky' }),
          policies.map((policy) => h('th', { colspan: 4, scope: 'colgroup' }, policy === 'on' ? 'On-policy' : 'Off-policy')),
          sweeps ? h('th', { scope: 'colgroup' }, 'Sweep engine') : null,
        ),
        h(
          'tr',
          {},
          sortHead(order, -1, 'Algorithm', 'sticky'),
          heads.map((text, column) => sortHead(order, column, text)),
        ),
      ),
      body,
    ),
  );
}
