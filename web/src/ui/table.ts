import { algorithmOf, type Model } from '../data/model';
import { colourOf, palette } from '../theme';
import type { State } from '../state';
import { type Child, h } from './dom';
import { swatch } from './tooltip';

export interface AlgorithmRow {
  algorithm: number;
  cells: Child[]; // one for each head: a <td>, or what stands in one
}

// Numbers in rows, of which the first cell is the row's head. A cell is an element of a table, or what stands in one.
export function numberTable(label: string, heads: Child[], rows: readonly Child[][]): HTMLElement {
  const isCell = (child: Child): child is HTMLTableCellElement => child instanceof HTMLTableCellElement;
  const first = rows[0] ?? [];
  return h(
    'div',
    { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': label },
    h(
      'table',
      { class: 'numbers described' },
      heads.some((text) => text !== '')
        ? h(
            'thead',
            {},
            h(
              'tr',
              {},
              heads.map((text, column) => {
                const under = first[column];
                return h('th', { scope: 'col', class: isCell(under) ? under.className : null }, text);
              }),
            ),
          )
        : null,
      h(
        'tbody',
        {},
        rows.map((cells) =>
          h(
            'tr',
            {},
            cells.map((cell) => (isCell(cell) ? cell : h('td', {}, cell))),
          ),
        ),
      ),
    ),
  );
}

// Numbers of algorithms, a row each, under a title and a note.
export function algorithmTable(
  model: Model,
  state: State,
  about: { title?: string; note: string; label: string; heads: string[] },
  rows: readonly AlgorithmRow[],
): HTMLElement {
  const colours = palette(state.dark.value);
  return h(
    'div',
    { class: 'table-block' },
    about.title ? h('h3', {}, about.title) : null,
    h('p', { class: 'figure-note' }, about.note),
    h(
      'div',
      { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': about.label },
      h(
        'table',
        { class: 'numbers' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col', class: 'sticky' }, 'Algorithm'),
            about.heads.map((text, column) => {
              const under = rows[0]?.cells[column];
              return h('th', { scope: 'col', class: under instanceof HTMLTableCellElement ? under.className : '' }, text);
            }),
          ),
        ),
        h(
          'tbody',
          {},
          rows.map(({ algorithm: place, cells }) => {
            const algorithm = algorithmOf(model, { algorithm: place });
            return h(
              'tr',
              {},
              h('th', { scope: 'row', class: 'sticky' }, swatch(colourOf(algorithm, colours), algorithm.dash), algorithm.name),
              cells.map((cell) => (cell instanceof HTMLTableCellElement ? cell : h('td', {}, cell))),
            );
          }),
        ),
      ),
    ),
  );
}
