import { classOf, forest, signs } from '../charts/forest';
import { parameterValue } from '../data/format';
import type { Model } from '../data/model';
import type { Claim, ClaimPart, ThresholdRange, Verdict } from '../report-data';
import { Cell } from '../state';
import { segmentedControl } from '../ui/controls';
import { freshId, h } from '../ui/dom';
import type { Section } from '../ui/section';

const verdicts: Verdict[] = ['held', 'mixed', 'not held', 'undecided'];

export function claimsSection({ data }: Model): Section {
  return {
    id: 'claims',
    title: 'Claims of the paper',
    nav: 'Claims',
    lead:
      'What the paper says, sentence by sentence. A row is a comparison: the dot is what was found, the line an interval, and the shaded part where it should lie. ' +
      'The intervals of a claim hold together with 95%. Open a claim to read its rules and numbers.',
    eager: true,
    build: () => claimsTable(data.claims),
  };
}

export function badge(verdict: Verdict): HTMLElement {
  return h(
    'span',
    { class: `badge ${classOf(verdict)}` },
    h('span', { 'aria-hidden': 'true' }, signs[verdict]),
    ` ${verdict}`,
  );
}

const threshold = (value: number): string => parameterValue(Number(value.toPrecision(3)));

// What the verdict would be with other thresholds: a strip, and where it turns.
function thresholdLine({ check, key, value, pieces }: ThresholdRange): HTMLElement {
  const turns = pieces.map(({ from, to, verdict }) => `${verdict} from ${threshold(from)} to ${threshold(to)}`);
  return h(
    'div',
    { class: 'threshold' },
    h('span', {}, `${check}, ${key} ${threshold(value)}: `),
    pieces.map(({ verdict }, place) =>
      h('span', { class: `threshold-piece ${classOf(verdict)}` }, `${signs[verdict]} ${turns[place]}`),
    ),
  );
}

function partWords({ id, rule, evidence, thresholds }: ClaimPart, isOnly: boolean): HTMLElement {
  return h(
    'div',
    { class: 'rule' },
    h('p', {}, h('strong', {}, isOnly ? 'Rule. ' : `Rule of ${id}. `), rule),
    evidence.map(({ verdict, words }) => h('div', { class: 'evidence-words' }, `${signs[verdict]} ${words}`)),
    thresholds.length > 0 ? h('p', { class: 'threshold-title' }, h('strong', {}, 'With other thresholds')) : null,
    thresholds.map(thresholdLine),
  );
}

function partBlock(part: ClaimPart, isOnly: boolean): HTMLElement {
  return h(
    'div',
    { class: 'claim-part' },
    isOnly
      ? null
      : h('div', { class: 'part-head' }, h('span', { class: 'part-id' }, part.id), badge(part.verdict), h('span', {}, part.statement)),
    forest(part.evidence),
  );
}

interface ClaimRow {
  rows: HTMLElement[];
  open(on: boolean): void;
  claim: Claim;
}

function claimRow(claim: Claim): ClaimRow {
  const id = freshId('rule');
  const isOnly = claim.parts.length === 1;
  const detail = h(
    'tr',
    { class: 'claim-detail', id, hidden: true },
    h('td', {}),
    h(
      'td',
      { colspan: 2 },
      claim.parts.map((part) => partWords(part, isOnly)),
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
  );
  const seen = h(
    'tr',
    { class: 'claim-forest' },
    h('td', {}),
    h(
      'td',
      { colspan: 2 },
      claim.parts.map((part) => partBlock(part, isOnly)),
    ),
  );
  return { rows: [row, seen, detail], open, claim };
}

function claimsTable(claims: Claim[]): HTMLElement {
  const filter = new Cell<Verdict | 'all'>('all');
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
  const control = segmentedControl<Verdict | 'all'>(
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
          ['No.', 'Claim', 'Verdict'].map((text) => h('th', { scope: 'col' }, text)),
        ),
      ),
      body,
    ),
  );
}
