import { signs } from '../charts/forest';
import type { Readings, Verdict } from '../report-data';
import { Cell } from '../state';
import { segmentedControl } from '../ui/controls';
import { freshId, h } from '../ui/dom';
import type { Section } from '../ui/section';
import { badge } from './claims';

type Row = Readings['rows'][number];

// What the panel below the matrix tells of: one verdict, or a reading as a whole.
type Choice = { row: Row | null; column: number };

export function readingsSection(readings: Readings): Section {
  return {
    id: 'readings',
    title: 'Claims under other readings',
    nav: 'Readings',
    lead: 'What the paper leaves open can be read in several ways. Every column is the study with one thing changed: a row of one colour is robust, one of several hangs on a choice. Choose a verdict for its numbers, or a reading for what it changes.',
    height: 34 * readings.rows.length + 260,
    build: () => matrix(readings),
  };
}

const isOpen = (row: Row) => row.cells.some(({ verdict }) => verdict !== row.cells[0]?.verdict);

function matrix(readings: Readings): HTMLElement {
  const chosen = new Cell<Choice>({ row: null, column: 0 });
  const shown = new Cell<'all' | 'open'>('all');
  const panel = h('div', { class: 'reading-panel', id: freshId('verdict'), 'aria-live': 'polite' });
  const tell = () => panel.replaceChildren(...told(readings, chosen.value));
  chosen.subscribe(tell);
  tell();
  const body = h('tbody', {});
  const rows = readings.rows.map((row) => ({ row, element: matrixRow(readings, row, chosen, panel.id) }));
  const show = () =>
    body.replaceChildren(
      ...rows.filter(({ row }) => shown.value === 'all' || isOpen(row)).map(({ element }) => element),
    );
  shown.subscribe(show);
  show();
  const control = segmentedControl<'all' | 'open'>(
    'Claims',
    [
      { value: 'all', text: 'All', note: String(readings.rows.length) },
      { value: 'open', text: 'Not the same everywhere', note: String(readings.rows.filter(isOpen).length) },
    ],
    shown,
  );
  return h(
    'div',
    {},
    h('div', { class: 'controls' }, control, legend()),
    h(
      'div',
      { class: 'table-scroll' },
      h('table', { class: 'reading-matrix' }, h('thead', {}, headRow(readings, chosen, panel.id)), body),
    ),
    panel,
    readings.leftOut.map((line) => h('p', { class: 'figure-note' }, line)),
  );
}

function choiceButton(choice: Choice, chosen: Cell<Choice>, panel: string, attributes: Record<string, string>, text: string) {
  const button = h('button', { type: 'button', 'aria-controls': panel, ...attributes }, text);
  const mark = () => {
    const { row, column } = chosen.value;
    button.setAttribute('aria-pressed', String(row === choice.row && column === choice.column));
  };
  button.addEventListener('click', () => {
    chosen.value = choice;
  });
  chosen.subscribe(mark);
  mark();
  return button;
}

function headRow(readings: Readings, chosen: Cell<Choice>, panel: string): HTMLElement {
  return h(
    'tr',
    {},
    h('th', { scope: 'col', class: 'reading-claim' }, 'Claim'),
    readings.columns.map(({ id, statement }, column) =>
      h(
        'th',
        { scope: 'col', class: 'reading-name' },
        choiceButton({ row: null, column }, chosen, panel, { title: statement }, id),
      ),
    ),
  );
}

function matrixRow(readings: Readings, row: Row, chosen: Cell<Choice>, panel: string): HTMLElement {
  return h(
    'tr',
    {},
    h(
      'th',
      { scope: 'row', class: 'reading-claim', title: row.statement },
      h('div', {}, h('span', { class: 'reading-id' }, row.id), h('span', { class: 'reading-statement' }, row.statement)),
    ),
    row.cells.map(({ verdict, untouched }, column) => {
      const { id } = readings.columns[column] ?? { id: '' };
      const differs = verdict !== row.cells[0]?.verdict;
      const kind = `verdict ${verdict.replace(' ', '-')}${untouched ? ' untouched' : ''}${differs ? ' differs' : ''}`;
      const label = `Claim ${row.id}, ${id}: ${verdict}${untouched ? ', not touched' : ''}`;
      return h(
        'td',
        {},
        choiceButton({ row, column }, chosen, panel, { class: kind, 'aria-label': label }, signs[verdict]),
      );
    }),
  );
}

function legend(): HTMLElement {
  const entry = (kind: string, sign: string, text: string) =>
    h('span', {}, h('span', { class: `verdict ${kind}`, 'aria-hidden': 'true' }, sign), ` ${text}`);
  const verdicts: Verdict[] = ['held', 'not held', 'undecided'];
  return h(
    'div',
    { class: 'reading-legend' },
    verdicts.map((verdict) => entry(verdict.replace(' ', '-'), signs[verdict], verdict)),
    entry('differs', '', 'other than in the study'),
    entry('untouched', '✓', 'not touched by the reading'),
  );
}

function told(readings: Readings, { row, column }: Choice): HTMLElement[] {
  const reading = readings.columns[column];
  const study = readings.columns[0];
  if (!reading || !study) return [];
  const about = [
    h('p', {}, h('strong', {}, `${reading.id}. `), reading.statement),
    h(
      'p',
      { class: 'figure-note' },
      `Results of its own: ${reading.settings.join(', ')} (instances × runs: ${reading.size}).`,
      column > 0 && reading.settings.length < study.settings.length ? ' The other settings are as in the study.' : '',
    ),
  ];
  const cell = row?.cells[column];
  const before = row?.cells[0];
  if (!row || !cell || !before) return about;
  return [
    h('p', {}, h('strong', {}, `Claim ${row.id}. `), row.statement),
    ...about,
    h(
      'p',
      {},
      badge(cell.verdict),
      column === 0 || cell.verdict === before.verdict ? '' : ` In the study: ${before.verdict}.`,
      cell.untouched ? ' The reading does not touch it: the numbers are those of the study.' : '',
    ),
    h(
      'div',
      { class: 'reading-numbers' },
      (cell.untouched ? before : cell).numbers.map((line) => h('div', {}, line)),
    ),
  ];
}
