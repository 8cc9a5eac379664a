import { count, parameterValue, score } from '../data/format';
import type { Model } from '../data/model';
import { csvOf, type Filter, filterRows, readRows, type Rows, sortRows } from '../data/rows';
import { Cell } from '../state';
import { selectControl } from '../ui/controls';
import { h } from '../ui/dom';
import { fileName, save } from '../ui/download';
import type { Section } from '../ui/section';
import { type Order, sortHead } from '../ui/sortable';

export function configurationsSection(model: Model): Section {
  return {
    id: 'configurations',
    title: 'Every configuration',
    nav: 'All configurations',
    lead:
      'The score of every configuration on the runs of the selection. ' +
      'Conditions can be combined, such as “alpha=0.1 lambda>=0.9 score<0.5”.',
    build: () => build(model),
    height: 900,
  };
}

const pageSize = 25;

function rowElement(rows: Rows, row: number): HTMLElement {
  const group = rows.groups[rows.groupOf[row] ?? 0];
  return h(
    'tr',
    {},
    h('td', { class: 'text' }, group?.setting),
    h('td', { class: 'text' }, group?.metric),
    h('td', { class: 'text' }, group?.algorithmName),
    rows.columns.map(({ key, parameter, values }) => {
      const value = values[row] ?? NaN;
      if (Number.isNaN(value)) return h('td', { class: 'none' }, '–');
      if (parameter) return h('td', {}, parameterValue(value));
      if (key === 'diverged' || key === 'runs') return h('td', {}, count(value));
      return Number.isFinite(value)
        ? h('td', {}, score(value, key === 'score' ? 5 : 3))
        : h('td', { class: 'infinite' }, '∞');
    }),
  );
}

function build(model: Model): HTMLElement {
  const rows = readRows(model);
  const filter: Filter = { setting: '', metric: '', algorithm: '', text: '' };
  const scoreColumn = rows.columns.findIndex(({ key }) => key === 'score');
  const order = new Cell<Order>({ column: model.isStudy ? 0 : scoreColumn + 3, descending: false });
  let shown: Uint32Array = new Uint32Array();
  let page = 0;

  const body = h('tbody', {});
  const status = h('p', { class: 'table-status', role: 'status' });
  const position = h('span', { class: 'page-position' });
  const button = (text: string, label: string, go: () => number) =>
    h(
      'button',
      {
        type: 'button',
        class: 'quiet',
        'aria-label': label,
        onclick: () => {
          page = go();
          show();
        },
      },
      text,
    );
  const last = () => Math.max(0, Math.ceil(shown.length / pageSize) - 1);
  const buttons = {
    first: button('«', 'First page', () => 0),
    previous: button('‹', 'Previous page', () => page - 1),
    next: button('›', 'Next page', () => page + 1),
    last: button('»', 'Last page', last),
  };

  const show = () => {
    page = Math.max(0, Math.min(page, last()));
    const from = page * pageSize;
    body.replaceChildren(...Array.from(shown.subarray(from, from + pageSize), (row) => rowElement(rows, row)));
    position.textContent =
      shown.length === 0
        ? 'no rows'
        : `${count(from + 1)}–${count(Math.min(from + pageSize, shown.length))} of ${count(shown.length)}`;
    for (const one of [buttons.first, buttons.previous]) one.disabled = page === 0;
    for (const one of [buttons.next, buttons.last]) one.disabled = page >= last();
  };
  let found: Uint32Array = new Uint32Array();
  const sort = () => {
    shown = sortRows(rows, found, order.value.column, order.value.descending);
    page = 0;
    show();
  };
  const refilter = () => {
    const result = filterRows(rows, filter);
    found = result.found;
    const not = result.unknown.length > 0 ? ` Not understood and left out: ${result.unknown.join(' ')}` : '';
    status.textContent = `${count(found.length)} of ${count(rows.length)} configurations.${not}`;
    sort();
  };
  order.subscribe(sort);

  const choice = (label: string, key: 'setting' | 'metric' | 'algorithm', text = (value: string) => value) => {
    const control = selectControl(label, (value) => {
      filter[key] = value;
      refilter();
    });
    control.select.dataset.filter = key;
    const values = [...new Set(rows.groups.map((group) => group[key]))];
    control.fill([{ value: '', text: 'All' }, ...values.map((value) => ({ value, text: text(value) }))], '');
    return control.root;
  };
  const names = new Map(rows.groups.map((group) => [group.algorithm, group.algorithmName]));
  const search = h('input', {
    type: 'search',
    id: 'configuration-search',
    placeholder: 'alpha=0.1 lambda>=0.9',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  let pending = 0;
  search.addEventListener('input', () => {
    clearTimeout(pending);
    pending = window.setTimeout(() => {
      filter.text = search.value;
      refilter();
    }, 120);
  });
  const download = h(
    'button',
    {
      type: 'button',
      class: 'quiet',
      id: 'download-csv',
      onclick: () => {
        const name = `${fileName(model.data.study.name, 'configurations')}.csv`;
        save(name, new Blob([csvOf(rows, shown)], { type: 'text/csv;charset=utf-8' }));
      },
    },
    'Download CSV',
  );
  const settingTitle = (id: string) => model.data.settings.find((setting) => setting.id === id)?.title ?? id;
  refilter();
  return h(
    'div',
    {},
    h(
      'div',
      { class: 'controls' },
      model.isStudy ? [choice('Setting', 'setting', settingTitle), choice('Metric', 'metric', (id) => id.toUpperCase())] : null,
      choice('Algorithm', 'algorithm', (id) => names.get(id) ?? id),
      h('div', { class: 'control grow' }, h('label', { for: 'configuration-search' }, 'Filter'), search),
      h('div', { class: 'control end' }, download),
    ),
    status,
    h(
      'div',
      { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Configurations' },
      h(
        'table',
        { class: `numbers configurations${model.isStudy ? '' : ' one-view'}` },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            ['Setting', 'Metric', 'Algorithm'].map((text, column) => sortHead(order, column, text, 'text')),
            rows.columns.map(({ key, title }, column) => {
              const head = sortHead(order, column + 3, title);
              head.title = key;
              return head;
            }),
          ),
        ),
        body,
      ),
    ),
    h(
      'div',
      { class: 'pager', role: 'group', 'aria-label': 'Pages' },
      buttons.first,
      buttons.previous,
      position,
      buttons.next,
      buttons.last,
    ),
  );
}
