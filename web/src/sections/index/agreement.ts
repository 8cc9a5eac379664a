import { agreementChart } from '../../charts/agreement';
import type { IndexedPaper } from '../../index-data';
import type { State } from '../../state';
import { h } from '../../ui/dom';
import { figure } from '../../ui/figure';
import type { Section } from '../../ui/section';
import { agreementNote } from '../published';

export function agreementSection(papers: readonly IndexedPaper[], state: State): Section {
  const having = papers.filter(({ numbers }) => numbers.length > 0);
  return {
    id: 'agreement',
    title: 'Published numbers beside ours',
    nav: 'Numbers',
    lead: agreementNote,
    build: () =>
      h(
        'div',
        {},
        having.map(
          ({ study, numbers }) =>
            figure(state, {
              title: () => study,
              subtitle: () =>
                `${numbers.filter(({ agrees }) => agrees).length} of ${numbers.length} published numbers agree. Ours over theirs.`,
              file: () => [study, 'published numbers'],
              draw: (canvas) => agreementChart(canvas, numbers),
            }).root,
        ),
      ),
    height: 600 * having.length,
  };
}
