// What `bellwether horde --page` puts into the page, as src/report/horde_page.cpp writes it. A number that is infinite or
// not there is null.

import type { Algorithm, Score } from './report-data';

export interface HordeData {
  format: 1;
  kind: 'horde';
  program: string; // "bellwether 0.1.0"
  questionsFile: string;
  stream: string;
  steps: number;
  enoughReturns: number; // fewer say little
  learnedBelow: { returns: number; rupee: number }; // the share of each measure below which a question counts as learned
  algorithms: Algorithm[];
  questions: QuestionResult[]; // in the order of the file
}

export type Measure = 'returns' | 'rupee' | 'none';
export type Answer = 'learned' | 'not learned' | 'cannot tell';

// Over the latter part of the stream.
export interface QuestionResult {
  name: string;
  algorithm: number; // place in HordeData.algorithms
  answer: Answer;
  measure: Measure; // what decides: returns where there are enough of them
  share: Score; // of the returns' variance that is not predicted; or of the TD errors' mean square that features could explain
  steps: number;
  tdError: Score; // root mean square
  returns: number; // that were followed to their end
  returnError: Score; // root mean square of prediction − return; null where there are too few
  ofVariance: Score;
  rupee: Score;
  explainable: Score;
}
