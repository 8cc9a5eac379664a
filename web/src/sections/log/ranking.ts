import { configurationText, edgeNote, number, percent, ratio, score } from '../../data/format';
import type { Model } from '../../data/model';
import { scoreName } from '../../data/tuning';
import type { TuningData } from '../../log-data';
import type { State } from '../../state';
import { h } from '../../ui/dom';
import type { Section } from '../../ui/section';
import { algorithmTable } from '../../ui/table';

const meanings = {
  projected:
    'how far what was learned on four fifths of the segments is from solving the equations of the held-out fifth, in turns.',
  return: 'predictions of what was learned on four fifths of the segments against the returns of the held-out fifth, in turns.',
  progressive: 'predictions before each step was learned from against the returns that followed, over the last half of the log.',
};

// The best configuration of each algorithm, side by side.
export function rankingSection(data: TuningData, model: Model, state: State): Section {
  const results = model.views[0]?.metric.algorithms ?? [];
  const least = Math.min(...results.map(({ scores, best }) => scores[best] ?? Infinity));
  return {
    id: 'ranking',
    title: 'Ranking',
    nav: 'Ranking',
    eager: true,
    lead:
      `The score is the ${scoreName(data.tuning)}: ${meanings[data.tuning.score ?? 'projected']} ` +
      'It needs no truth, and 0 is never reached: what is held out is noisy too.',
    build: () => {
      const body = h('div', {});
      const show = () =>
        body.replaceChildren(
          algorithmTable(
            model,
            state,
            {
              label: 'Ranking',
              note:
                `Predicting 0 has ${score(data.tuning.score_of_zero_final, 3)}` +
                (data.tuning.score_of_least_squares === null
                  ? '. '
                  : `; LSTD, which is never chosen as it costs more, ${number(data.tuning.score_of_least_squares, 3)}. `) +
                edgeNote,
              heads: ['Best configuration', 'Score', 'Over the best', 'Within 10% of its own best', 'Diverged'],
            },
            results.map((result) => {
              const own = result.scores[result.best] ?? null;
              return {
                algorithm: result.algorithm,
                cells: [
                  h('td', { class: 'text' }, configurationText(model, result, result.best, result.edges)),
                  score(own, 3),
                  own === null ? '∞' : ratio(own / least),
                  percent(result.shares.within10),
                  percent(result.shares.diverged),
                ],
              };
            }),
          ),
        );
      show();
      state.dark.subscribe(show);
      return body;
    },
  };
}
