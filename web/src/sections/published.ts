import { agreementChart } from '../charts/agreement';
import type { ComparedNumber } from '../report-data';
import type { State } from '../state';
import { figure } from '../ui/figure';
import type { Section } from '../ui/section';

export const agreementNote =
  'Squares are what the paper publishes, with what that may be off by; dots and lines are ours with 95% intervals, in the colour of a warning where no number is within both.';

export function publishedSection(numbers: readonly ComparedNumber[], state: State): Section {
  const agreeing = numbers.filter(({ agrees }) => agrees).length;
  return {
    id: 'published',
    title: 'Published numbers beside ours',
    nav: 'Numbers',
    lead: agreementNote,
    build: () =>
      figure(state, {
        title: () => `${agreeing} of ${numbers.length} published numbers agree with ours`,
        subtitle: () => 'Ours over theirs.',
        file: () => ['published numbers'],
        draw: (canvas) => agreementChart(canvas, numbers),
        empty: 'None of them can be shown.',
      }).root,
    height: 60 + 28 * numbers.length,
  };
}
