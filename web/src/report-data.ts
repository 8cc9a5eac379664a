// What `bellwether report` puts into the page, as src/report/page_data.cpp writes it. Scores have seven digits here; the
// CSVs beside the report have them in full. A number that is infinite (a run diverged) is null.

export type Score = number | null;

export interface ReportData {
  format: 1;
  program: string; // "bellwether 0.1.0"
  study: { name: string; description: string; text: string };
  facts: [name: string, value: string][]; // what was run, and on what machine
  algorithms: Algorithm[]; // every algorithm of the study
  parameters: Parameter[]; // every parameter of theirs
  settings: Setting[];
  figures: PaperFigure[]; // that the study asks for, beside what every report has
  published: ComparedNumber[]; // numbers of the paper beside ours
  commonConfigurations: CommonConfiguration[]; // by metric and algorithm; empty where no settings are alike
  claims: Claim[]; // of the paper that the study reproduces; empty for other studies
  readings: Readings | null; // the claims under other readings of the study; null where none was run
  advice: Advice[]; // "which algorithm should I use"; empty for other studies
  runtimes: Runtimes | null;
  realTime: RealTime[]; // one per setting and cost table; may be empty
}

export interface Algorithm {
  id: string; // "to-etd-beta"
  name: string; // "TO-ETD(λ,β)"
  summary: string;
  light: string; // its colour on a light ground, "#0072b2", and on a dark one
  dark: string;
  dash: string; // of its lines, as in SVG's stroke-dasharray; "" is solid
}

export interface Parameter {
  name: string; // "alpha"
  symbol: string; // "α"
  help: string;
}

export interface Setting {
  id: string; // "off-tabular"
  title: string; // "Off-policy, tabular features"
  steps: number; // of a run; or its episodes, where errors are measured at their ends
  every: number; // errors are measured after the first so many steps, and then every so many
  firstMeasured: number;
  unit: string; // what is counted: "step" or "episode"
  scoredSteps: number; // the last so many measurements make the score
  metrics: MetricResult[];
}

export interface MetricResult {
  id: string; // "mave"
  help: string; // what it is
  instances: number;
  runs: number; // of each instance, on which configurations were chosen
  freshRuns: number; // of each instance, on which the chosen ones were run again
  initialError: number; // of w_0
  thresholds: number[]; // of the performance profiles, ascending; empty where runs were not recorded
  algorithms: AlgorithmResult[];
}

export interface AlgorithmResult {
  algorithm: number; // place in ReportData.algorithms
  // Values of each parameter. Configuration numbers count with the first parameter fastest.
  grid: { parameter: number; values: number[] }[];
  // Of a union of grids: by configuration, the place of each parameter's value in its list. Else null.
  places: number[] | null;
  // By configuration, on the runs of the selection. All have `runs` × `instances` runs.
  scores: Score[]; // null where a run diverged
  standardErrors: Score[]; // null likewise, or where there is one run
  diverged: number[]; // runs that diverged
  best: number; // number of the best configuration
  edges: Edge[]; // of the best configuration, by parameter
  bestProbability: number | null; // that it is its algorithm's best, were the instances drawn again
  selection: Estimate; // of the best configuration, on the runs it was chosen on
  fresh: Estimate | null; // and on fresh ones
  selectionCurve: Curve | null;
  freshCurve: Curve | null;
  shares: Shares;
  quantiles: Score[]; // of the scores of all configurations: 0, 5, 25, 50, 75, 95, 100%
  // By parameter, the mean error over its range, clipped at the error of w_0; null where it has one value.
  areas: ({ reselected: number; frozen: number } | null)[];
  robust: Robust | null; // of the best configuration's runs
  tuning: { tried: number[]; score: Score[] }; // the best of so many configurations in expectation
}

// Where a value lies among those that were tried: better ones may lie below the least and above the greatest, and not beyond a
// bound of the parameter, such as λ = 1.
export type Edge = 'inside' | 'least' | 'greatest' | 'bound';

type Spread = [value: Score, low: Score, high: Score]; // 95%, bootstrap over instances and runs

// What a mean hides.
export interface Robust {
  stage: 'fresh' | 'selection';
  runs: number;
  diverged: number;
  failed: number; // diverged, or worse than w_0
  failureInterval: [number, number]; // of the share that failed: Wilson's, 95%
  iqm: Spread; // interquartile mean
  median: Spread;
  profile: { share: number[]; low: number[]; high: number[] }; // of the runs with a score of at most each threshold
}

// A figure as the paper has it.
export interface PaperFigure {
  id: string;
  title: string;
  kind: 'sensitivity' | 'curves' | 'bars';
  x: number | null; // sensitivity: place of the parameter along the horizontal axis
  lines: number[]; // and of that which tells lines apart: of these the first that an algorithm has
  lineValues: { value: number; light: string; dark: string }[]; // ascending
  compared: 'algorithm' | 'setting' | null; // whose lines share panels, where they do not stand for values: then one chart
  rows: FigureRow[]; // a chart for each
}
export interface FigureRow {
  setting: string;
  metric: string;
  algorithms: number[]; // in the order of the figure
  curves: { algorithm: number; configuration: number; curve: Curve }[]; // at stated parameters
  bars: { algorithm: number; ratio: Score; interval: [Score, Score] | null }[]; // scores over that of relativeTo
  relativeTo: number | null;
  light: string; // of its line, where settings are compared
  dark: string;
}

// What the paper publishes, what it may be off by, and ours with a 95% interval.
export interface ComparedNumber {
  title: string; // of the table or figure it stands in
  setting: string;
  label: string;
  theirs: number;
  error: number;
  ours: Score;
  low: Score;
  high: Score;
  agrees: boolean; // some number is within both
}

// The configuration of an algorithm that is best over several settings. Ratios are to the best score of any algorithm in the
// setting.
export interface CommonConfiguration {
  metric: string;
  algorithm: number;
  settings: string[]; // ids
  configuration: number;
  edges: Edge[];
  ratios: Score[]; // by setting
  common: Score; // geometric mean of these
  tuned: Score; // the same with the best configuration of each setting
}

export interface Estimate {
  runs: number; // over all instances
  diverged: number;
  score: Score;
  standardError: Score; // over runs, as in the paper
  interval: [Score, Score] | null; // 95%, bootstrap over instances and runs
  deviation: Score; // between runs of one instance
  firstProbability: number | null; // that no algorithm of the setting has a lower score
}

// The error of w_0 and after each step: mean over runs and instances, and its standard error.
export interface Curve {
  mean: Score[];
  standardError: Score[];
}

// Of the configurations, from 0 to 1.
export interface Shares {
  diverged: number;
  worseThanStart: number; // their score is above the error of w_0; diverged ones included
  within10: number; // of the best score
  within50: number;
}

export type Verdict = 'held' | 'not held' | 'undecided' | 'mixed'; // mixed: of parts

export interface Claim {
  id: string;
  statement: string;
  verdict: Verdict;
  parts: ClaimPart[]; // one, with the same id and statement, where it is not in parts
}

export interface ClaimPart {
  id: string; // "1a"
  statement: string;
  rule: string; // what decides
  verdict: Verdict;
  evidence: Evidence[];
  thresholds: ThresholdRange[];
}

// One comparison. What was not measured has neither unit nor target.
export interface Evidence {
  place: string; // "on-tabular"
  label: string; // "GTD over TD"
  words: string; // all of it, with its numbers
  unit: 'ratio' | 'difference' | 'share' | null; // differences: in parts of the error of w_0
  estimate: Score;
  interval: [Score, Score] | null; // those of a claim hold together with 95%; the lower end is null at −∞
  target: [Score, Score] | null; // where it should lie
  verdict: Verdict;
}

// A threshold with a range: the verdict of its check over it.
export interface ThresholdRange {
  check: string; // "similar"
  key: string; // "within"
  value: number;
  pieces: { from: number; to: number; verdict: Verdict }[];
}

// The matrix of claims and readings. The first column is the study itself.
export interface Readings {
  columns: {
    id: string;
    statement: string; // what it reads in another way
    settings: string[]; // ids of those with results of its own; the others are as in the study
    size: string; // "30 × 10": instances and runs of these results
  }[];
  rows: {
    id: string; // of the claim's part
    statement: string;
    // By column. A claim that the reading does not touch has the study's numbers, which are not repeated.
    cells: { verdict: Verdict; untouched: boolean; numbers: string[] }[];
  }[];
  leftOut: string[]; // readings without a column, and why
}

export interface Advice {
  situation: string;
  paper: string; // what the paper recommends
  verdict: Verdict; // what this run says of it
  numbers: string[];
}

export interface Runtimes {
  machine: string;
  steps: number; // of a run: 500
  reference: string; // id of the algorithm that ratios are to
  rows: RuntimeRow[];
}
export interface RuntimeRow {
  algorithm: number;
  policies: RuntimeEntry[];
}
export type RuntimeFeatures = 'one-hot' | 'dense'; // what a learner is given of the same 30 tabular features
export interface RuntimeEntry {
  policy: 'on' | 'off';
  features: RuntimeFeatures;
  microseconds: number;
  low: number;
  high: number;
  paper: number | null;
  sweepNanoseconds: number | null; // of the sweep engine, per agent-step
}

export interface RealTime {
  costs: 'paper' | 'measured' | 'measured-dense' | string; // where the costs of an update come from
  time: 'quantised' | 'proportional'; // whether a sample takes whole iterations
  slowest: number | null; // the mean cost of the slowest update, where several are possible
  policy: 'on' | 'off';
  setting: string; // id of the setting whose learning curves are used
  metric: string;
  unit: string; // of costs and durations: "ms", "ns"
  algorithms: { algorithm: number; cost: number }[]; // cost: in the mean
  iterations: number[]; // the horizontal axis
  panels: { duration: number; samples: number[]; errors: Score[][] }[]; // by algorithm; errors by iteration
}
