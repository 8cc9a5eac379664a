import type { Algorithm } from '../report-data';
import { Cell, type State } from '../state';
import { colourOf, palette } from '../theme';
import { h } from './dom';
import { compare, type Order, sortHead } from './sortable';
import { hideTip, showTip, swatch, type Tip } from './tooltip';

export interface Entry {
  text: string;
  note: string;
  key: number | null; // what the column is sorted by
  shade: number; // from 0 to 1; negative where it is a warning
  tip: Tip | null;
}

export const blank: Entry = { text: '–', note: '', key: null, shade: 0, tip: null };

// Full at the best, none at twice its score.
export const shadeOf = (ratio: number): number => Math.max(0, 1 - Math.log2(ratio));

export interface MatrixRow {
  algorithm: number;
  entries: Entry[]; // by column
}

export interface MatrixOptions {
  label: string;
  algorithms: readonly Algorithm[];
  heads: { text: string; title: string; extra?: boolean }[]; // extra: not one of the problems
  rows: () => MatrixRow[];
  order: Order; // to begin with; column −1 is the algorithms' own
}

// Algorithms by columns, shaded, sorted by what a column has.
export function matrix(state: State, options: MatrixOptions): { root: HTMLElement; refresh(): void } {
  const { algorithms, heads } = options;
  const order = new Cell<Order>(options.order);
  const body = h('tbody', {});
  const show = () => {
    const colours = palette(state.dark.value);
    const { column, descending } = order.value;
    const rows = options
      .rows()
      .sort((left, right) =>
        column < 0
          ? (descending ? -1 : 1) * (left.algorithm - right.algorithm)
          : compare(left.entries[column]?.key ?? null, right.entries[column]?.key ?? null, descending),
      );
    body.replaceChildren(
      ...rows.flatMap(({ algorithm: place, entries }) => {
        const algorithm = algorithms[place];
        if (!algorithm) return [];
        return h(
          'tr',
          {},
          h(
            'th',
            { scope: 'row', class: 'sticky', title: algorithm.summary },
            swatch(colourOf(algorithm, colours), algorithm.dash),
            algorithm.name,
          ),
          entries.map((entry, at) => cell(entry, heads[at]?.extra === true)),
        );
      }),
    );
  };
  order.subscribe(show);
  state.dark.subscribe(show);
  show();
  const root = h(
    'div',
    { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': options.label },
    h(
      'table',
      { class: 'matrix' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          sortHead(order, -1, 'Algorithm', 'sticky'),
          heads.map(({ text, title, extra }, column) => {
            const made = sortHead(order, column, words(text), extra ? 'extra' : '');
            made.title = title;
            return made;
          }),
        ),
      ),
      body,
    ),
  );
  return { root, refresh: show };
}

// Heads break between words, not at the hyphens of an id.
const words = (text: string) =>
  h(
    'span',
    {},
    text.split(' ').flatMap((word) => [h('span', { class: 'word' }, word), ' ']),
  );

function cell({ text, note, shade, tip }: Entry, extra: boolean): HTMLElement {
  const kind = shade < 0 ? 'poor' : shade > 0.62 ? 'shaded strong' : shade > 0 ? 'shaded' : '';
  const made = h('td', { class: `${kind} ${extra ? 'extra' : ''}`.trim() }, text, note ? h('small', {}, note) : null);
  if (shade > 0) made.style.setProperty('--share', `${Math.round(100 * shade)}%`);
  if (tip) {
    made.addEventListener('pointermove', (event) => showTip(tip, event.clientX, event.clientY));
    made.addEventListener('pointerleave', hideTip);
  }
  return made;
}
