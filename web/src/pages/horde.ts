import { count } from '../data/format';
import type { Answer, HordeData, Measure } from '../horde-data';
import { answersSection } from '../sections/horde/answers';
import { questionsSection } from '../sections/horde/questions';
import { logHeader } from '../sections/log/header';
import type { State } from '../state';
import type { Page } from '../ui/section';

const questions = (number: number): string => `${count(number)} question${number === 1 ? '' : 's'}`;

export function hordePage(data: HordeData, state: State): Page {
  const number = (answer: Answer) => data.questions.filter((question) => question.answer === answer).length;
  const by = (measure: Measure) => data.questions.filter((question) => question.measure === measure).length;
  const learned = number('learned');
  const open = number('cannot tell');
  return {
    header: logHeader({
      eyebrow: `${data.program} · which questions of a horde are learned`,
      name: data.stream,
      tone: learned === data.questions.length ? 'held' : learned > 0 ? 'mixed' : 'not-held',
      badge: `${count(learned)} of ${questions(data.questions.length)} learned`,
      answer: null,
      sentence:
        `${questions(by('returns'))} ${by('returns') === 1 ? 'is' : 'are'} judged by returns that the stream was long enough to see: learned is what is predicted ` +
        `better than by the mean return. ${questions(by('rupee'))} without enough returns by RUPEE: learned is where features could explain less than ` +
        `${100 * data.learnedBelow.rupee}% of what is left of the TD errors.${open > 0 ? ` Of ${count(open)} nothing can be told.` : ''}`,
      notes: [],
      facts: [
        ['questions', `${data.questionsFile} (${count(data.questions.length)})`],
        ['steps', count(data.steps)],
        ['learned', count(learned)],
        ['not learned', count(number('not learned'))],
        ['cannot tell', count(open)],
      ],
    }),
    sections: [answersSection(data, state), questionsSection(data, state)],
  };
}
