import { count, number } from '../data/format';
import type { IndexData, IndexedPaper } from '../index-data';
import type { Verdict } from '../report-data';
import { agreementSection } from '../sections/index/agreement';
import { disagreementsSection } from '../sections/index/disagreements';
import { papersSection, verdicts } from '../sections/index/papers';
import type { State } from '../state';
import { h } from '../ui/dom';
import type { Page } from '../ui/section';

export function indexPage(data: IndexData, state: State): Page {
  const { papers } = data;
  const all = <T>(of: (paper: IndexedPaper) => readonly T[]): T[] => papers.flatMap((paper) => [...of(paper)]);
  const claims = all((paper) => paper.claims);
  const numbers = all((paper) => paper.numbers);
  const having = (verdict: Verdict) => claims.filter((claim) => claim.verdict === verdict).length;
  const facts: [string, string][] = [
    ['papers', count(papers.length)],
    ['agent-steps', number(papers.reduce((sum, { agentSteps }) => sum + agentSteps, 0), 3)],
    ...verdicts.map((verdict): [string, string] => [`claims ${verdict}`, count(having(verdict))]),
    ['published numbers that agree', `${count(numbers.filter(({ agrees }) => agrees).length)} of ${count(numbers.length)}`],
  ];
  return {
    header: h(
      'header',
      { class: 'page-header' },
      h('p', { class: 'eyebrow' }, `${data.program} index`),
      h('h1', {}, 'Reproduced papers'),
      h(
        'p',
        { class: 'description' },
        `${papers.length} paper${papers.length === 1 ? '' : 's'}, ${count(claims.length)} claims: what holds, what does not, and whose numbers come out again.`,
      ),
      h(
        'dl',
        { class: 'facts' },
        facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
      ),
    ),
    sections: [
      papersSection(papers),
      disagreementsSection(papers),
      ...(numbers.length > 0 ? [agreementSection(papers, state)] : []),
    ],
  };
}
