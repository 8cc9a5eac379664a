import { count, number } from '../../data/format';
import type { Answer, HordeData, QuestionResult } from '../../horde-data';
import type { Score } from '../../report-data';
import { Cell, type State } from '../../state';
import { selectControl } from '../../ui/controls';
import { h } from '../../ui/dom';
import type { Section } from '../../ui/section';
import { compare, type Order, sortHead } from '../../ui/sortable';

const pageSize = 100;

const answers: Answer[] = ['not learned', 'cannot tell', 'learned'];
const tones: Record<Answer, string> = { learned: 'held', 'not learned': 'not-held', 'cannot tell': 'undecided' };
const measures = { returns: 'returns', rupee: 'RUPEE', none: '–' };

const cell = (value: Score, digits = 4) => (value === null ? h('td', { class: 'none' }, '–') : h('td', {}, number(value, digits)));

// Every question, the worst answered first.
export function questionsSection(data: HordeData, state: State): Section {
  return {
    id: 'questions',
    title: 'Every question',
    nav: 'Every question',
    lead: 'All numbers are over the last half to three quarters of the stream. Errors are root mean squares.',
    height: 900,
    build: () => build(data, state),
  };
}

interface Column {
  title: string;
  text?: boolean;
  key: (question: QuestionResult) => number | string | null;
  show: (question: QuestionResult) => HTMLElement;
}

function build(data: HordeData, _state: State): HTMLElement {
  const nameOf = ({ algorithm }: QuestionResult) => data.algorithms[algorithm]?.name ?? '';
  const columns: Column[] = [
    { title: 'Question', text: true, key: ({ name }) => name, show: ({ name }) => h('td', { class: 'text' }, name) },
    { title: 'Algorithm', text: true, key: nameOf, show: (question) => h('td', { class: 'text' }, nameOf(question)) },
    {
      title: 'Answer',
      text: true,
      key: ({ answer }) => answers.indexOf(answer),
      show: ({ answer }) => h('td', { class: 'text' }, h('span', { class: `badge ${tones[answer]}` }, answer)),
    },
    { title: 'By', text: true, key: ({ measure }) => measure, show: ({ measure }) => h('td', { class: 'text' }, measures[measure]) },
    { title: 'Share', key: ({ share }) => share, show: ({ share }) => cell(share, 3) },
    { title: 'TD error', key: ({ tdError }) => tdError, show: ({ tdError }) => cell(tdError) },
    { title: 'Returns', key: ({ returns }) => returns, show: ({ returns }) => h('td', {}, count(returns)) },
    { title: 'Return error', key: ({ returnError }) => returnError, show: ({ returnError }) => cell(returnError) },
    { title: 'Of variance', key: ({ ofVariance }) => ofVariance, show: ({ ofVariance }) => cell(ofVariance, 3) },
    { title: 'RUPEE', key: ({ rupee }) => rupee, show: ({ rupee }) => cell(rupee) },
    { title: 'Explainable', key: ({ explainable }) => explainable, show: ({ explainable }) => cell(explainable, 3) },
  ];
  const order = new Cell<Order>({ column: 2, descending: false });
  const filter = { algorithm: '', answer: '', text: '' };
  let limit = pageSize;

  const body = h('tbody', {});
  const status = h('p', { class: 'table-status', role: 'status' });
  const more = h('button', { type: 'button', class: 'quiet', id: 'more-questions' }, 'Show all');
  const show = () => {
    const wanted = filter.text.toLowerCase();
    const found = data.questions.filter(
      (question) =>
        (!filter.answer || question.answer === filter.answer) &&
        (!filter.algorithm || String(question.algorithm) === filter.algorithm) &&
        question.name.toLowerCase().includes(wanted),
    );
    const { column, descending } = order.value;
    const key = columns[column]?.key ?? (() => null);
    // Those that are alike: the worst of them first.
    found.sort(
      (left, right) => compare(key(left), key(right), descending) || compare(left.share, right.share, true),
    );
    body.replaceChildren(
      ...found.slice(0, limit).map((question) =>
        h(
          'tr',
          {},
          columns.map((one) => one.show(question)),
        ),
      ),
    );
    status.textContent = `${count(found.length)} of ${count(data.questions.length)} questions.`;
    more.hidden = found.length <= limit;
    more.textContent = `Show all ${count(found.length)}`;
  };
  more.addEventListener('click', () => {
    limit = Infinity;
    show();
  });
  order.subscribe(show);

  const choice = (label: string, key: 'algorithm' | 'answer', options: { value: string; text: string }[]) => {
    const control = selectControl(label, (value) => {
      filter[key] = value;
      show();
    });
    control.select.dataset.filter = key;
    control.fill([{ value: '', text: 'All' }, ...options], '');
    return control.root;
  };
  const search = h('input', { type: 'search', id: 'question-search', placeholder: 'part of a name', spellcheck: 'false', autocomplete: 'off' });
  search.addEventListener('input', () => {
    filter.text = search.value;
    show();
  });
  show();
  return h(
    'div',
    {},
    h(
      'div',
      { class: 'controls' },
      choice('Answer', 'answer', answers.map((answer) => ({ value: answer, text: answer }))),
      choice('Algorithm', 'algorithm', data.algorithms.map(({ name }, place) => ({ value: String(place), text: name }))),
      h('div', { class: 'control grow' }, h('label', { for: 'question-search' }, 'Filter'), search),
    ),
    status,
    h(
      'div',
      { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Questions' },
      h(
        'table',
        { class: 'numbers questions' },
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            columns.map(({ title, text }, column) => sortHead(order, column, title, text ? 'text' : '')),
          ),
        ),
        body,
      ),
    ),
    h('p', {}, more),
  );
}
