import { classOf, signs } from '../../charts/forest';
import { number } from '../../data/format';
import type { IndexedPaper } from '../../index-data';
import type { Verdict } from '../../report-data';
import { h } from '../../ui/dom';
import type { Section } from '../../ui/section';
import { numberTable } from '../../ui/table';

export const verdicts: Verdict[] = ['held', 'mixed', 'not held', 'undecided'];

// How many claims have which verdict: a strip with a piece for each claim.
function strip({ claims }: IndexedPaper): HTMLElement {
  return h(
    'span',
    { class: 'verdict-strip', role: 'img', 'aria-label': verdictText(claims) },
    verdicts.flatMap((verdict) =>
      claims
        .filter((claim) => claim.verdict === verdict)
        .map(({ id, statement }) =>
          h('span', { class: `badge ${classOf(verdict)}`, title: `${id}: ${verdict}. ${statement}` }, signs[verdict]),
        ),
    ),
  );
}

const verdictText = (claims: IndexedPaper['claims']): string =>
  verdicts
    .map((verdict) => [claims.filter((claim) => claim.verdict === verdict).length, verdict] as const)
    .filter(([found]) => found > 0)
    .map(([found, verdict]) => `${found} ${verdict}`)
    .join(', ');

const nameOf = ({ study, report }: IndexedPaper): HTMLElement | string =>
  report ? h('a', { href: report }, study) : study;

export function papersSection(papers: readonly IndexedPaper[]): Section {
  return {
    id: 'papers',
    title: 'Papers',
    nav: 'Papers',
    eager: true,
    lead: 'A sign for each claim of a paper; the name leads to its report.',
    build: () =>
      numberTable(
        'Papers',
        ['Paper', 'Claims', 'Published numbers', 'Agent-steps', ''],
        papers.map((paper) => [
          h('th', { scope: 'row', class: 'text paper-name' }, nameOf(paper), h('small', {}, paper.description)),
          h('td', { class: 'text' }, strip(paper), h('small', {}, verdictText(paper.claims))),
          h(
            'td',
            {},
            paper.numbers.length > 0
              ? `${paper.numbers.filter(({ agrees }) => agrees).length} of ${paper.numbers.length} agree`
              : '–',
          ),
          h('td', {}, number(paper.agentSteps, 3)),
          h('td', { class: 'text' }, paper.whole ? 'whole' : 'a part of its runs'),
        ]),
      ),
  };
}
