// What `bellwether atlas` puts into the page, as src/report/atlas_report.cpp writes it. A number that is infinite or not there
// is null.

import type { Advice, Algorithm, Score } from './report-data';

export interface AtlasData {
  format: 1;
  kind: 'atlas';
  program: string; // "bellwether 0.1.0"
  algorithms: Algorithm[]; // in the order of the summaries
  summaries: AtlasSummary[]; // the lowest typical ratio first
  problems: AtlasProblem[];
  advice: Advice[]; // recommendations of papers, judged on all of it
}

// An algorithm over all problems that have it. Ratios are of its score, at most the error before learning, to the best one.
export interface AtlasSummary {
  algorithm: number; // place in AtlasData.algorithms
  problems: number;
  typical: Score; // geometric mean
  worst: Score;
  worstIn: number; // place in AtlasData.problems
  within50: number; // mean share of its configurations within 50% of its own best
  failureRate: number; // the highest of its best configurations
  cost: number | null; // of an agent-step over that of the cheapest algorithm, geometric mean
}

export interface AtlasProblem {
  study: string;
  setting: string;
  title: string;
  metric: string;
  policy: 'on' | 'off';
  entries: {
    algorithm: number;
    configurations: number;
    score: Score;
    interval: [Score, Score] | null;
    ratio: Score;
    within50: number;
    failureRate: Score;
    nanoseconds: Score;
  }[];
}
