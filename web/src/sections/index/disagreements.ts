import type { IndexedPaper } from '../../index-data';
import { h } from '../../ui/dom';
import type { Section } from '../../ui/section';
import { numberTable } from '../../ui/table';
import { badge } from '../claims';

// Every claim that is not held, whatever the reason.
export function disagreementsSection(papers: readonly IndexedPaper[]): Section {
  const rows = papers.flatMap((paper) =>
    paper.claims
      .filter(({ verdict }) => verdict !== 'held')
      .map(({ id, statement, verdict, parts }) => [
        h('th', { scope: 'row', class: 'text' }, `${paper.study} ${id}`),
        h('td', { class: 'text' }, badge(verdict)),
        h(
          'td',
          { class: 'text statement' },
          statement,
          parts.length > 0 ? h('small', {}, parts.map((part) => `${part.id} ${part.verdict}`).join(' · ')) : null,
        ),
      ]),
  );
  return {
    id: 'disagreements',
    title: 'Where papers and results part',
    nav: 'Disagreements',
    lead: 'Claims that are not held: for some the results say otherwise, for some they are not enough to tell. The reports have the numbers.',
    build: () =>
      rows.length > 0
        ? numberTable('Claims that are not held', ['Claim', 'Verdict', 'What the paper says'], rows)
        : h('p', { class: 'empty' }, 'Every claim is held.'),
    height: 60 * rows.length,
  };
}
