import { linesChart } from '../../charts/lines';
import { count, number } from '../../data/format';
import type { HordeData, Measure, QuestionResult } from '../../horde-data';
import type { State } from '../../state';
import { figure } from '../../ui/figure';
import type { Section } from '../../ui/section';

const least = 1e-4; // smaller shares are drawn there

// All questions at once: their shares in ascending order, a curve for each measure.
export function answersSection(data: HordeData, state: State): Section {
  const sorted = (measure: Measure): QuestionResult[] =>
    data.questions
      .filter((question) => question.measure === measure)
      .sort((left, right) => (left.share ?? Infinity) - (right.share ?? Infinity));
  const curves = [
    { name: 'by returns', questions: sorted('returns') },
    { name: 'by RUPEE', questions: sorted('rupee') },
  ];
  return {
    id: 'answers',
    title: 'How well questions are answered',
    nav: 'All at once',
    eager: true,
    lead:
      'By returns: the mean squared error of the prediction as a share of the returns’ variance; below 1 the prediction says more than the mean return. ' +
      'By RUPEE: the share of the TD errors’ mean square that the features could still explain; 0 is as well as these features can.',
    build: () =>
      figure(state, {
        title: () => 'Questions, the best answered first',
        subtitle: () => `${count(data.questions.length)} questions, over the last half to three quarters of the stream.`,
        file: () => [data.stream, 'questions'],
        draw: (canvas) => {
          const { colours } = canvas;
          const looks = [
            { colour: colours.accent, dash: '' },
            { colour: colours.diverged, dash: '6 3' },
          ];
          const longest = Math.max(...curves.map(({ questions }) => questions.length));
          const shares = curves
            .flatMap(({ questions }) => questions.flatMap(({ share }) => share ?? []))
            .concat(data.learnedBelow.returns, data.learnedBelow.rupee)
            .map((share) => Math.max(share, least));
          return linesChart(canvas, {
            series: curves.map(({ name, questions }, place) => ({
              name,
              colour: looks[place]?.colour ?? colours.ink,
              dash: looks[place]?.dash ?? '',
              points: questions.map(({ share }, rank) => ({
                x: rank + 1,
                y: share === null ? null : Math.max(share, least),
                error: null,
              })),
            })),
            height: canvas.narrow ? 300 : 380,
            log: true,
            start: 1,
            startLine: false,
            bands: false,
            range: [Math.min(...shares) / 1.4, Math.max(...shares) * 1.4],
            xLabel: 'Questions, by rank',
            yLabel: 'Share (see above)',
            domain: [0.5, longest + 0.5],
            ...(longest <= 20
              ? { ticks: Array.from({ length: longest }, (_, rank) => ({ position: rank + 1, text: String(rank + 1) })) }
              : {}),
            tipTitle: (x) => `Rank ${count(Math.round(x))}`,
            tipValue: ({ x, y }) => {
              const names = curves.flatMap(({ questions }) => questions[Math.round(x) - 1] ?? []).map(({ name }) => name);
              return `${y === null ? '∞' : number(y, 3)} (${names.join(', ')})`;
            },
            references: [
              { value: data.learnedBelow.returns, name: 'learned, by returns' },
              { value: data.learnedBelow.rupee, name: 'learned, by RUPEE' },
            ],
            description: `Shares of ${count(data.questions.length)} questions in ascending order.`,
          });
        },
        empty: 'No question could be measured: the stream is too short.',
      }).root,
  };
}
