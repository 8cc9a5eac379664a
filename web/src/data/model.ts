import type { AtlasData } from '../atlas-data';
import type { HordeData } from '../horde-data';
import type { IndexData } from '../index-data';
import type { EvaluationData, TuningData } from '../log-data';
import type {
  Algorithm,
  AlgorithmResult,
  Curve,
  Estimate,
  MetricResult,
  Parameter,
  ReportData,
  Setting,
} from '../report-data';
import type { Stage } from '../state';

// One metric of one setting: what most of the charts show at a time.
export interface View {
  setting: Setting;
  metric: MetricResult;
  label: string;
  short: string; // where there is little room: a column's head
}

export interface Model {
  data: ReportData;
  views: View[];
  hasFresh: boolean;
  hasSelectionCurves: boolean;
  isStudy: boolean; // else a tuning on a log: one view, one score for each configuration
  references: { value: number; name: string }[]; // scores to compare with, in charts of scores
}

export function readData(): ReportData | EvaluationData | TuningData | HordeData | IndexData | AtlasData {
  const source = document.getElementById('report-data');
  const data = JSON.parse(source?.textContent ?? 'null') as ReturnType<typeof readData> | null;
  if (!data || typeof data !== 'object' || !('kind' in data || Array.isArray(data.settings)))
    throw new Error('This page holds no results yet: `bellwether report` fills it.');
  // The text is megabytes long and is not needed any more.
  source?.remove();
  return data;
}

// Abbreviations stand in capitals, words as they are.
export const metricName = (id: string): string => (id.includes(' ') ? id : id.toUpperCase());

export function modelOf(data: ReportData, isStudy = true): Model {
  const views = data.settings.flatMap((setting) =>
    setting.metrics.map((metric) => ({
      setting,
      metric,
      label: `${setting.title} · ${metricName(metric.id)}`,
      short: setting.metrics.length > 1 ? `${setting.id} ${metric.id}` : setting.id,
    })),
  );
  const results = views.flatMap((view) => view.metric.algorithms);
  return {
    data,
    views,
    hasFresh: results.some((result) => result.fresh !== null || result.freshCurve !== null),
    hasSelectionCurves: results.some((result) => result.selectionCurve !== null),
    isStudy,
    references: [],
  };
}

export function algorithmOf(model: Model, result: { algorithm: number }): Algorithm {
  const algorithm = model.data.algorithms[result.algorithm];
  if (!algorithm) throw new Error(`The data name algorithm ${result.algorithm}, which they do not describe.`);
  return algorithm;
}

export function parameterOf(model: Model, place: number): Parameter {
  const parameter = model.data.parameters[place];
  if (!parameter) throw new Error(`The data name parameter ${place}, which they do not describe.`);
  return parameter;
}

// The estimate of the asked stage, or of the other where a view has but one.
export function estimateOf(result: AlgorithmResult, stage: Stage): Estimate {
  return stage === 'fresh' && result.fresh ? result.fresh : result.selection;
}

export function stageOf(metric: MetricResult, stage: Stage): Stage {
  return stage === 'fresh' && metric.algorithms.some((result) => result.fresh) ? 'fresh' : 'selection';
}

export function curveOf(result: AlgorithmResult, stage: Stage): Curve | null {
  return stage === 'fresh' ? result.freshCurve : result.selectionCurve;
}

// Which curves a view can show: those of the asked stage if there are any, or else of the other.
export function curveStage(metric: MetricResult, stage: Stage): Stage | null {
  const has = (which: Stage) => metric.algorithms.some((result) => curveOf(result, which));
  if (has(stage)) return stage;
  const other: Stage = stage === 'fresh' ? 'selection' : 'fresh';
  return has(other) ? other : null;
}

export const stageText = (metric: MetricResult, stage: Stage): string => {
  const runs = stage === 'fresh' ? metric.freshRuns : metric.runs;
  const instances = metric.instances > 1 ? ` on each of ${metric.instances} instances` : '';
  const counted = runs === 1 ? 'run' : 'runs';
  return stage === 'fresh'
    ? `${runs} fresh ${counted}${instances}`
    : `${runs} ${counted}${instances}, those the configuration was chosen on`;
};
