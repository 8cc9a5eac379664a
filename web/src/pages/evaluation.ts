import { count, number, parameterValue, percent } from '../data/format';
import type { EvaluationData, EvaluationJson } from '../log-data';
import { behaviourSection } from '../sections/log/behaviour';
import { dataSection } from '../sections/log/data';
import { driftSection } from '../sections/log/drift';
import { estimatesSection } from '../sections/log/estimates';
import { logHeader, type Tone } from '../sections/log/header';
import { supportSection } from '../sections/log/support';
import { valuesSection } from '../sections/log/values';
import type { State } from '../state';
import { type Child, h } from '../ui/dom';
import type { Page } from '../ui/section';

const toneOf = (verdict: string): Tone =>
  verdict === 'supported' ? 'held' : verdict.startsWith('cannot tell') ? 'not-held' : 'mixed';

// Two digits of the interval's width, as in the sentence.
function answerOf({ value, level, spread }: EvaluationJson): Child {
  if (!value || value.estimate === null || value.lower === null || value.upper === null) return null;
  const width = Math.max(value.upper - value.lower, 1e-4 * (spread ?? 0));
  const places = width > 0 ? Math.max(0, Math.min(12, 1 - Math.floor(Math.log10(width)))) : 3;
  const text = (one: number) => one.toFixed(places).replace('-', '−');
  return h(
    'p',
    { class: 'log-answer' },
    h('strong', {}, text(value.estimate)),
    h('span', {}, `${text(value.lower)} to ${text(value.upper)} with ${parameterValue(100 * level)}%`),
  );
}

const unitOf = ({ ended, segments, pieces }: EvaluationJson): string =>
  ended === segments ? 'episodes' : pieces ? 'pieces' : 'segments';

export function evaluationPage(data: EvaluationData, state: State): Page {
  const { evaluation, values } = data;
  const { fitted, rho } = evaluation;
  return {
    header: logHeader({
      eyebrow: `${data.program} · what a policy is worth, by the log of another one`,
      name: evaluation.log,
      tone: toneOf(evaluation.verdict),
      badge: evaluation.verdict,
      answer: answerOf(evaluation),
      sentence: evaluation.sentence,
      notes: evaluation.notes,
      facts: [
        [unitOf(evaluation), count(evaluation.segments)],
        ['steps', count(evaluation.steps)],
        ['features', count(evaluation.dimension) + (evaluation.rank === null ? '' : ` of rank ${count(evaluation.rank)}`)],
        ...(evaluation.actions > 0 ? [['actions', count(evaluation.actions)] as [string, string]] : []),
        ['target', evaluation.target],
        ['behaviour', evaluation.behaviour],
        ['ratios', `mean ${number(rho.mean ?? NaN, 3)}, largest ${number(rho.max ?? NaN, 3)}`],
        ['rests on learned values', percent(evaluation.rest)],
      ],
    }),
    sections: [
      estimatesSection(data, state),
      supportSection(data, state),
      ...(fitted ? [behaviourSection(data, fitted, state)] : []),
      ...(values.length > 0 ? [valuesSection(data, state)] : []),
      driftSection(data, state),
      dataSection(data),
    ],
  };
}
