import type { TuningData, TuningJson, TuningResult } from '../log-data';
import type { AlgorithmResult, ReportData, Score } from '../report-data';
import { lastPart } from './format';
import { modelOf, type Model } from './model';

const shares = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1];

// The number that this share of the sorted scores does not exceed; what diverged comes last.
function quantile(sorted: readonly Score[], share: number): Score {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

function resultOf({ algorithm, grid, scores, best, edges }: TuningResult, start: number): AlgorithmResult {
  const finite = scores.filter((score) => score !== null);
  const sorted: Score[] = [...finite].sort((left, right) => left - right);
  while (sorted.length < scores.length) sorted.push(null);
  const least = scores[best] ?? Infinity;
  const share = (test: (score: number) => boolean) => finite.filter(test).length / Math.max(1, scores.length);
  const diverged = 1 - finite.length / Math.max(1, scores.length);
  return {
    algorithm,
    grid,
    places: null,
    scores,
    standardErrors: scores.map(() => null),
    diverged: scores.map((score) => Number(score === null)),
    best,
    edges,
    bestProbability: null,
    selection: {
      runs: 1,
      diverged: 0,
      score: scores[best] ?? null,
      standardError: null,
      interval: null,
      deviation: null,
      firstProbability: null,
    },
    fresh: null,
    selectionCurve: null,
    freshCurve: null,
    shares: {
      diverged,
      worseThanStart: diverged + share((score) => score > start),
      within10: share((score) => score <= 1.1 * least),
      within50: share((score) => score <= 1.5 * least),
    },
    quantiles: shares.map((at) => quantile(sorted, at)),
    areas: grid.map(() => null),
    robust: null,
    tuning: { tried: [], score: [] },
  };
}

const scoreNames = { projected: 'projected error', return: 'error of returns', progressive: 'error while learning' };

// What the score of a tuning is called.
export const scoreName = ({ score }: TuningJson): string => scoreNames[score ?? 'projected'];

// A tuning as a study of one setting, whose metric is the score on held-out segments: what the charts of studies draw.
export function tuningModel(data: TuningData): Model {
  const { tuning } = data;
  const name = lastPart(tuning.log);
  const { score_of_least_squares: leastSquares } = tuning;
  const study: ReportData = {
    format: 1,
    program: data.program,
    study: { name, description: '', text: '' },
    facts: [],
    algorithms: data.algorithms,
    parameters: data.parameters,
    settings: [
      {
        id: name,
        title: name,
        steps: 0,
        every: 1,
        firstMeasured: 1,
        unit: 'step',
        scoredSteps: 0,
        metrics: [
          {
            id: scoreName(tuning),
            help: '',
            instances: 1,
            runs: 1,
            freshRuns: 0,
            initialError: tuning.score_of_zero_final,
            thresholds: [],
            algorithms: data.results.map((result) => resultOf(result, tuning.score_of_zero_final)),
          },
        ],
      },
    ],
    figures: [],
    published: [],
    commonConfigurations: [],
    claims: [],
    readings: null,
    advice: [],
    runtimes: null,
    realTime: [],
  };
  return {
    ...modelOf(study, false),
    references: [
      { value: tuning.score_of_zero_final, name: 'predicting 0' },
      ...(leastSquares === null ? [] : [{ value: leastSquares, name: 'LSTD' }]),
    ],
  };
}
