import { intervalChart } from '../../charts/intervals';
import { count, lastPart, number, parameterValue } from '../../data/format';
import type { EvaluationData, StateValue } from '../../log-data';
import type { Score } from '../../report-data';
import { Cell, type State } from '../../state';
import { segmentedControl } from '../../ui/controls';
import { h } from '../../ui/dom';
import { figure } from '../../ui/figure';
import type { Section } from '../../ui/section';
import { compare, type Order, sortHead } from '../../ui/sortable';

const shownInChart = 25;
const shownFeatures = 4;
const deviations = 1.96;

// "x3", "x1 = 0.5, x4 = 2": what tells a state from others.
export function stateName({ features, others }: StateValue, most = shownFeatures): string {
  if (features.length === 0) return 'all features 0';
  const parts = features.slice(0, most).map(([index, value]) => (value === 1 ? `x${index}` : `x${index} = ${parameterValue(value)}`));
  const more = features.length - parts.length + others;
  return `${parts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const orders = {
  frequent: (left: StateValue, right: StateValue) => right.count - left.count,
  highest: (left: StateValue, right: StateValue) => (right.value ?? -Infinity) - (left.value ?? -Infinity),
  lowest: (left: StateValue, right: StateValue) => (left.value ?? Infinity) - (right.value ?? Infinity),
};

export function valuesSection(data: EvaluationData, state: State): Section {
  const { evaluation, values } = data;
  const isOff = evaluation.flags.length > 0;
  return {
    id: 'values',
    title: 'Values by state',
    nav: 'Values',
    height: 900,
    lead:
      `What each state is worth under the target policy, learned by ${evaluation.rank === null ? 'an online learner' : 'least squares'}, with 1.96 standard errors to either side. ` +
      (isOff
        ? 'A test objects: these features cannot represent the values, and the numbers below are off.'
        : 'They are as good as the features: states that look alike share a value.'),
    build: () => build(data, state, values),
  };
}

function build(data: EvaluationData, state: State, values: StateValue[]): HTMLElement {
  const isLogged = values.some((row) => row.count > 0);
  const order = new Cell<keyof typeof orders>(isLogged ? 'frequent' : 'highest');
  const chosen = () => [...values].sort(orders[order.value]).slice(0, shownInChart);
  const chart = figure(state, {
    title: () => 'Values by state',
    subtitle: () => {
      const shown = Math.min(shownInChart, values.length);
      const which = order.value === 'frequent' ? 'most frequent' : order.value;
      return values.length > shown ? `The ${shown} ${which} of ${count(values.length)} states.` : `${count(shown)} states.`;
    },
    file: () => [lastPart(data.evaluation.log), 'values'],
    exportWidth: 800,
    draw: (canvas) => {
      const rows = chosen();
      return intervalChart(
        canvas,
        rows.map((row) => ({
          name: stateName(row, canvas.narrow ? shownFeatures : 3),
          value: row.value,
          low: row.value === null || row.se === null ? null : row.value - deviations * row.se,
          high: row.value === null || row.se === null ? null : row.value + deviations * row.se,
          ...(row.count > 0 ? { notes: [['steps', count(row.count)]] } : {}),
        })),
        'Value of the state',
        `Values of ${rows.length} states with their intervals.`,
      );
    },
  });
  order.subscribe(chart.refresh);
  return h(
    'div',
    {},
    h(
      'div',
      { class: 'controls' },
      segmentedControl<keyof typeof orders>(
        'States',
        [
          ...(isLogged ? [{ value: 'frequent' as const, text: 'Most frequent' }] : []),
          { value: 'highest' as const, text: 'Highest' },
          { value: 'lowest' as const, text: 'Lowest' },
        ],
        order,
      ),
    ),
    chart.root,
    valuesTable(values),
    h('p', { class: 'figure-note' }, 'values.csv has up to 1,000 states, with all of their features.'),
  );
}

function valuesTable(values: StateValue[]): HTMLElement {
  const order = new Cell<Order>({ column: 1, descending: true });
  const body = h('tbody', {});
  const keys: ((row: StateValue) => Score | string)[] = [
    (row) => stateName(row, Infinity),
    (row) => row.count,
    (row) => row.value,
    (row) => row.se,
  ];
  const show = () => {
    const { column, descending } = order.value;
    const key = keys[column] ?? ((row: StateValue) => row.count);
    body.replaceChildren(
      ...[...values]
        .sort((left, right) => compare(key(left), key(right), descending))
        .map((row) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row', class: 'sticky', title: stateName(row, Infinity) }, stateName(row)),
            h('td', {}, row.count > 0 ? count(row.count) : '–'),
            h('td', {}, row.value === null ? '–' : number(row.value)),
            h('td', {}, row.se === null ? '–' : number(row.se, 3)),
          ),
        ),
    );
  };
  order.subscribe(show);
  show();
  return h(
    'div',
    { class: 'table-scroll tall', tabindex: 0, role: 'region', 'aria-label': 'Values by state' },
    h(
      'table',
      { class: 'numbers' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['State', 'Steps in the log', 'Value', 'Standard error'].map((text, column) =>
            sortHead(order, column, text, column === 0 ? 'sticky' : ''),
          ),
        ),
      ),
      body,
    ),
  );
}
