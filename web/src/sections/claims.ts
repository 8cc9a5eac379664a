import type { Claim } from '../report-data';
import type { Model } from '../data/model';
import { Cell } from '../state';
import { segmentedControl } from '../ui/controls';
import { freshId, h } from '../ui/dom';
import type { Section } from '../ui/section';

const verdicts: Claim['verdict'][] = ['held', 'not held', 'undecided'];
// More lines than this go below the rule.
const numbersShown = 4;
export const signs = { held: '✓', 'not held': '✕', undecided: '?' };

export function claimsSection({ data }: Model): Section {
  return {
    id: 'claims',
    title: 'Claims of the paper',
    nav: 'Claims',
    lead: 'What the paper says, what the rule of each claim makes of this run, and the numbers it looked at. Open a claim to read its rule.',
    eager: true,
    build: () => claimsTable(data.claims),
  };
}

export function badge(verdict: Claim['verdict']): HTMLElement {
  return h(
    'span',
    { class: `badge ${verdict.replace(' ', '-')}` },
    h('span', { 'aria-hidden': 'true' }, signs[verdict]),
    ` ${verdict}`,
  );
}

function claimRow(claim: Claim): { rows: HTMLElement[]; open(on: boolean): void; claim: Claim } {
  const id = freshId('rule');
  const rest = claim.numbers.slice(numbersShown);
  const detail = h(
    'tr',
    { class: 'claim-detail', id, hidden: true },
    h('td', {}),
    h(
      'td',
      { colspan: 3 },
      h(
        'div',
        { class: 'rule' },
        h('p', {}, h('strong', {}, 'Rule. '), claim.rule),
        rest.length > 0 ? h('p', {}, h('strong', {}, 'More numbers')) : null,
        rest.map((line) => h('div', {}, line)),
      ),
    ),
  );
  const button = h(
    'button',
    { type: 'button', class: 'disclosure', 'aria-expanded': 'false', 'aria-controls': id },
    claim.statement,
  );
  const open = (on: boolean) => {
    button.setAttribute('aria-expanded', String(on));
    detail.hidden = !on;
  };
  button.addEventListener('click', () => open(detail.hidden));
  const row = h(
    'tr',
    { class: 'claim' },
    h('td', { class: 'claim-number' }, claim.id),
    h('td', { class: 'claim-statement' }, button),
    h('td', { class: 'claim-verdict' }, badge(claim.verdict)),
    h(
      'td',
      { class: 'claim-numbers' },
      claim.numbers.slice(0, numbersShown).map((line) => h('div', {}, line)),
      rest.length > 0 ? h('div', {}, `and ${rest.length} more below the rule`) : null,
    ),
  );
  return { rows: [row, detail], open, claim };
}

function claimsTable(claims: Claim[]): HTMLElement {
  const filter = new Cell<Claim['verdict'] | 'all'>('all');
  const rows = claims.map(claimRow);
  const body = h('tbody', {});
  const show = () =>
    body.replaceChildren(
      ...rows.filter(({ claim }) => filter.value === 'all' || claim.verdict === filter.value).flatMap((row) => row.rows),
    );
  filter.subscribe(show);
  show();
  const all = h('button', { type: 'button', class: 'quiet' }, 'Show all rules');
  let opened = false;
  all.addEventListener('click', () => {
    opened = !opened;
    for (const row of rows) row.open(opened);
    all.textContent = opened ? 'Hide all rules' : 'Show all rules';
  });
  const control = segmentedControl<Claim['verdict'] | 'all'>(
    'Verdict',
    [
      { value: 'all', text: 'All', note: String(claims.length) },
      ...verdicts.map((verdict) => ({
        value: verdict,
        text: verdict[0]?.toUpperCase() + verdict.slice(1),
        note: String(claims.filter((claim) => claim.verdict === verdict).length),
      })),
    ],
    filter,
  );
  return h(
    'div',
    {},
    h('div', { class: 'controls' }, control, h('div', { class: 'control end' }, all)),
    h(
      'table',
      { class: 'claims' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['No.', 'Claim', 'Verdict', 'Numbers'].map((text) => h('th', { scope: 'col' }, text)),
        ),
      ),
      body,
    ),
  );
}
