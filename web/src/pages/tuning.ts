import { configurationText, count, number, score } from '../data/format';
import { scoreName, tuningModel } from '../data/tuning';
import type { TuningData, TuningJson } from '../log-data';
import { configurationsSection } from '../sections/configurations';
import { distributionSection } from '../sections/distribution';
import { heatmapSection } from '../sections/heatmap';
import { freshSection } from '../sections/log/fresh';
import { logHeader } from '../sections/log/header';
import { rankingSection } from '../sections/log/ranking';
import { sensitivitySection } from '../sections/sensitivity';
import type { State } from '../state';
import { h } from '../ui/dom';
import type { Page } from '../ui/section';

function freshFact({ fresh }: TuningJson): [string, string][] {
  if (!fresh?.best) return [];
  const { score: found, lower, upper } = fresh.best;
  return [[`on ${count(fresh.segments)} fresh segments`, `${score(found, 3)} (${score(lower, 3)} to ${score(upper, 3)})`]];
}

export function tuningPage(data: TuningData, state: State): Page {
  const { tuning } = data;
  const model = tuningModel(data);
  const [best] = model.views[0]?.metric.algorithms ?? [];
  const z = tuning.z_against_zero === null ? '–' : number(tuning.z_against_zero, 2);
  const choice = best ? `${model.data.algorithms[best.algorithm]?.name}, ${configurationText(model, best, best.best, best.edges)}` : '';
  return {
    header: logHeader({
      eyebrow: `${data.program} · which algorithm and parameters to learn with, by a log alone`,
      name: tuning.log,
      tone: tuning.can_tell ? 'held' : 'not-held',
      badge: tuning.can_tell ? 'chosen' : 'cannot tell',
      answer: tuning.can_tell ? h('p', { class: 'log-answer choice' }, h('strong', {}, choice)) : null,
      sentence: tuning.can_tell
        ? `Better than predicting 0 by ${z} standard errors. ${count(tuning.indistinguishable)} configuration${tuning.indistinguishable === 1 ? '' : 's'} cannot be told from it: among those, take what is simplest.`
        : `Cannot tell: no configuration is clearly better than predicting 0 (z = ${z}, and 2 is needed). Log more, or look at the features.`,
      ...(tuning.can_tell ? { command: data.command } : {}),
      notes: tuning.can_tell ? (tuning.notes ?? []) : [],
      facts: [
        ['configurations', count(tuning.configurations)],
        ['diverged', count(tuning.diverged)],
        ['best score', score(best?.scores[best.best] ?? null, 3)],
        ['predicting 0', score(tuning.score_of_zero_final, 3)],
        // There is none where there are too many features for it, or where a score is not its own.
        ...(tuning.score_of_least_squares === null
          ? []
          : [['LSTD, for reference', score(tuning.score_of_least_squares, 3)] as [string, string]]),
        ['cannot be told from the best', count(tuning.indistinguishable)],
        ...freshFact(tuning),
      ],
    }),
    sections: [
      rankingSection(data, model, state),
      ...(tuning.fresh ? [freshSection(data, tuning.fresh, state)] : []),
      {
        ...sensitivitySection(model, state),
        title: 'Score over the parameters',
        nav: 'Parameters',
        lead:
          'The score against one parameter, the others selected again at each value so as to minimise it, or frozen as in the algorithm’s best ' +
          'configuration, which is ringed. Above the frame: × where a learner diverged, ▲ where the score is off the scale.',
      },
      distributionSection(model, state),
      heatmapSection(model, state),
      {
        ...configurationsSection(model),
        lead:
          `The ${scoreName(tuning)} of every configuration on held-out segments. ` +
          'Conditions can be combined, such as “alpha=0.1 lambda>=0.9 score<0.5”.',
      },
    ],
  };
}
