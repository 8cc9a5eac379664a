import type { AtlasData, AtlasProblem } from '../atlas-data';
import { count, number, percent, ratio, score } from '../data/format';
import { metricName } from '../data/model';
import { adviceTable } from '../sections/advice';
import type { State } from '../state';
import { h } from '../ui/dom';
import { blank, type Entry, matrix, shadeOf } from '../ui/matrix';
import type { Page } from '../ui/section';
import type { Tip } from '../ui/tooltip';

export function atlasPage(data: AtlasData, state: State): Page {
  const studies = [...new Set(data.problems.map(({ study }) => study))];
  return {
    header: h(
      'header',
      { class: 'page-header' },
      h('p', { class: 'eyebrow' }, `${data.program} atlas`),
      h('h1', {}, 'Which algorithm should I use?'),
      h(
        'p',
        { class: 'description' },
        `${count(data.algorithms.length)} algorithms on ${count(data.problems.length)} problems of ${studies.join(', ')}: all the evidence there is, not one paper’s.`,
      ),
    ),
    sections: [
      {
        id: 'summary',
        title: 'Over all problems',
        nav: 'Over all',
        eager: true,
        lead:
          'Typical and worst: the score over the best one of the problem, in the geometric mean and at its worst; a score above the error before learning counts as that error. ' +
          'Within 50%: the mean share of an algorithm’s configurations that come so near to its own best. Failures: the highest share of runs of a best configuration that diverge or are worse than before learning. ' +
          'Algorithms that were run on few problems are compared on few.',
        build: () => summary(data, state),
      },
      ...(data.advice.length > 0
        ? [
            {
              id: 'advice',
              title: 'Recommendations of papers',
              nav: 'Recommendations',
              eager: true,
              lead: 'Judged on every problem that has the algorithms, of whatever study. Intervals are 95%, each for itself.',
              build: () => adviceTable(data.advice),
            },
          ]
        : []),
      {
        id: 'problems',
        title: 'Problem by problem',
        nav: 'Problems',
        lead: 'The score over the best one of the problem, and below it the score itself. The stronger the blue the better; amber fails in more than half of its runs. A column’s head sorts.',
        build: () => byProblem(data, state),
        height: 900,
      },
    ],
  };
}

const of = (text: string, key: number | null, note = '', shade = 0, tip: Tip | null = null): Entry => ({
  text,
  note,
  key,
  shade,
  tip,
});

const nameOf = ({ study, setting, metric }: AtlasProblem): string => `${study} ${setting} ${metric}`;

function summary(data: AtlasData, state: State): HTMLElement {
  return matrix(state, {
    label: 'Algorithms over all problems',
    algorithms: data.algorithms,
    heads: [
      { text: 'problems', title: 'How many problems have it' },
      { text: 'typical', title: 'Score over the best of the problem, geometric mean' },
      { text: 'worst', title: 'The highest of these ratios, and where' },
      { text: 'within 50%', title: 'Mean share of its configurations within 50% of its own best' },
      { text: 'failures', title: 'The highest failure rate of its best configurations' },
      { text: 'cost', title: 'Of an agent-step over the cheapest of the problem, geometric mean' },
    ],
    order: { column: 1, descending: false },
    rows: () =>
      data.summaries.map((one) => {
        const worst = data.problems[one.worstIn];
        return {
          algorithm: one.algorithm,
          entries: [
            of(count(one.problems), one.problems),
            of(score(one.typical, 3), one.typical, '', one.typical === null ? -1 : shadeOf(one.typical)),
            of(score(one.worst, 3), one.worst, worst ? `${worst.study} ${worst.setting}` : ''),
            of(percent(one.within50), one.within50),
            of(percent(one.failureRate), one.failureRate),
            one.cost === null ? blank : of(ratio(one.cost), one.cost),
          ],
        };
      }),
  }).root;
}

function byProblem(data: AtlasData, state: State): HTMLElement {
  return matrix(state, {
    label: 'Algorithms by problems',
    algorithms: data.algorithms,
    heads: data.problems.map((problem) => ({
      text: nameOf(problem),
      title: `${problem.title}, ${metricName(problem.metric)}, ${problem.policy}-policy`,
    })),
    order: { column: -1, descending: false },
    rows: () =>
      data.algorithms.map((algorithm, place) => ({
        algorithm: place,
        entries: data.problems.map((problem) => {
          const entry = problem.entries.find((one) => one.algorithm === place);
          if (!entry) return blank;
          const failed = entry.failureRate ?? 0;
          return of(
            entry.ratio === null ? '∞' : ratio(entry.ratio),
            entry.ratio,
            score(entry.score, 3),
            failed > 0.5 || entry.ratio === null ? -1 : shadeOf(entry.ratio),
            {
              title: `${algorithm.name}, ${nameOf(problem)}`,
              rows: [
                { name: 'Score', value: score(entry.score) },
                ...(entry.interval
                  ? [{ name: '95% interval', value: `${score(entry.interval[0])} to ${score(entry.interval[1])}` }]
                  : []),
                { name: 'Configurations', value: count(entry.configurations) },
                { name: 'Within 50% of its best', value: percent(entry.within50) },
                { name: 'Failed runs', value: entry.failureRate === null ? '–' : percent(entry.failureRate) },
                { name: 'Agent-step', value: entry.nanoseconds === null ? '–' : `${number(entry.nanoseconds, 3)} ns` },
              ],
            },
          );
        }),
      })),
  }).root;
}
