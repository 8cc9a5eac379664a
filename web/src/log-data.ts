// What `bellwether evaluate` and `bellwether tune` put into the page, as src/report/log_pages.cpp writes it. A number that
// is infinite or not there is null.

import type { Algorithm, Edge, Parameter, Score } from './report-data';

export interface EvaluationData {
  format: 1;
  kind: 'evaluation';
  program: string; // "bellwether 0.1.0"
  evaluation: EvaluationJson;
  effectiveSample: [step: number, effective: Score][];
  leastEffective: number; // segments, below which weighting says too little
  ratios: Histogram;
  values: StateValue[]; // of the most frequent states, or of those asked for
  drift: Drift[];
  driftLimit: number; // passed by chance in 1 of 100 logs
  balanceLimit: number;
  memoryLimit: number;
}

// evaluation.json
export interface EvaluationJson {
  log: string;
  verdict: string; // "supported", "depends on the features", or "cannot tell: ..."
  sentence: string; // the verdict in words
  answer: string; // the name of the estimate that it is
  value: PolicyEstimate | null; // that estimate; null where the log cannot tell
  level: number; // of the intervals
  lambda: number;
  segments: number;
  steps: number;
  ended: number; // segments that came to their end
  pieces?: number; // steps of the pieces that a continuing log was cut into
  lengths: Range; // with their median
  rewards: Range; // with their mean, as the discounts
  gammas: Range;
  'missing-steps': number;
  'repeated-rows': number;
  dimension: number;
  actions: number; // 0 where they are not known
  target: string;
  behaviour: string;
  rho: Summary;
  products: Summary; // of the ratios of a segment
  'zero-ratios': number;
  unsupported: number;
  horizon: number; // steps that ratios support
  rest: number; // the share of the answer that rests on learned values
  rank: number | null; // null: more features than least squares take
  condition: Score;
  'empty-features': number[];
  balance: Score[]; // z by feature
  estimates: Record<string, PolicyEstimate>;
  // How people see the estimates: each once, by what it leans on.
  methods: { estimate: string; name: string; group: string; answer: boolean }[];
  spread: Score; // of the returns
  tests?: Record<string, [z: Score, difference: Score]>;
  flags: string[]; // tests that object
  fitted?: Fitted;
  notes: string[];
}

export type Range = [least: Score, middle: Score, most: Score];

export interface PolicyEstimate {
  estimate: Score;
  se: Score;
  lower: Score;
  upper: Score;
  effective: Score; // segments that it rests on
}

export interface Summary {
  mean: Score;
  max: Score;
  q50: Score;
  q90: Score;
  q99: Score;
}

// Of a behaviour that was fitted to the log.
export interface Fitted {
  model: string;
  'log-loss': Score;
  'held-out-log-loss': Score;
  'marginal-log-loss': Score;
  'uniform-log-loss': Score;
  'calibration-error': Score;
  'smallest-taken': Score;
  memory: Score; // z
  reliability: { predicted: number; taken: number; count: number }[];
}

// Bins from 2^−doublings to 2^doublings, even in the logarithm; the outer two take what lies beyond.
export interface Histogram {
  perDoubling: number;
  doublings: number;
  zeros: number; // ratios that are 0
  counts: number[];
}

export interface StateValue {
  features: [index: number, value: number][]; // those that are not 0
  others: number; // further ones, which are not listed
  count: number; // of steps in the log; 0 where the state was asked for
  value: Score;
  se: Score;
}

export interface Drift {
  of: string; // "answer", "rewards", "behaviour"
  statistic: Score; // the largest number of the path, to either side
  segment: number; // after which it is
  path: Score[]; // along the log, at even distances
}

export interface TuningData {
  format: 1;
  kind: 'tuning';
  program: string;
  tuning: TuningJson;
  command: string; // that learns with the best configuration
  algorithms: Algorithm[]; // the best first
  parameters: Parameter[];
  results: TuningResult[]; // by algorithm
}

// tune.json
export interface TuningJson {
  log: string;
  can_tell: boolean;
  configurations: number;
  diverged: number;
  score_of_zero_final: number;
  score_of_best_final: Score;
  score_of_least_squares: Score;
  z_against_zero: Score;
  indistinguishable: number;
  notes?: string[]; // to know before one goes on with the command
  score?: 'projected' | 'return' | 'progressive'; // projected where it is not said
  // On segments that the choice has not seen; null where there were none to spare.
  fresh?: { segments: number; best: FreshScore | null; zero: FreshScore; least_squares: FreshScore | null } | null;
  best: TuningRow[];
}

export interface FreshScore {
  score: Score;
  lower: Score;
  upper: Score;
}

// One of the best configurations, with its parameters by name.
export interface TuningRow {
  algorithm: string;
  score: Score;
  fresh?: FreshScore;
  rupee?: Score;
  [parameter: string]: string | Score | FreshScore | undefined;
}

export interface TuningResult {
  algorithm: number; // place in TuningData.algorithms
  grid: { parameter: number; values: number[] }[]; // as AlgorithmResult.grid of report-data.ts
  scores: Score[]; // by configuration; null where it diverged
  best: number;
  edges: Edge[];
}
