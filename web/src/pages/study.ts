import { modelOf } from '../data/model';
import type { ReportData } from '../report-data';
import { adviceSection } from '../sections/advice';
import { claimsSection } from '../sections/claims';
import { configurationsSection } from '../sections/configurations';
import { curvesSection } from '../sections/curves';
import { distributionSection } from '../sections/distribution';
import { figuresSection } from '../sections/figures';
import { pageHeader } from '../sections/header';
import { heatmapSection } from '../sections/heatmap';
import { publishedSection } from '../sections/published';
import { readingsSection } from '../sections/readings';
import { realTimeSection } from '../sections/realtime';
import { robustSection } from '../sections/robust';
import { runtimesSection } from '../sections/runtimes';
import { sensitivitySection } from '../sections/sensitivity';
import { tuningSection } from '../sections/tuning';
import type { State } from '../state';
import { h } from '../ui/dom';
import type { Page } from '../ui/section';

export function studyPage(data: ReportData, state: State): Page {
  const model = modelOf(data);
  const { claims, readings, runtimes, realTime, study } = data;
  state.stage.value = model.hasFresh ? 'fresh' : 'selection';
  return {
    header: pageHeader(model),
    sections: [
      ...(claims.length > 0 ? [claimsSection(model)] : []),
      ...(data.published.length > 0 ? [publishedSection(data.published, state)] : []),
      ...(readings ? [readingsSection(readings)] : []),
      adviceSection(model, state),
      curvesSection(model, state),
      ...(model.views.some(({ metric }) => metric.thresholds.length > 0) ? [robustSection(model, state)] : []),
      ...(data.figures.length > 0 ? [figuresSection(model, state)] : []),
      sensitivitySection(model, state),
      distributionSection(model, state),
      tuningSection(model, state),
      heatmapSection(model, state),
      ...(runtimes ? [runtimesSection(model, state, runtimes)] : []),
      ...(realTime.length > 0 ? [realTimeSection(model, state)] : []),
      configurationsSection(model),
      {
        id: 'study',
        title: 'Study file',
        nav: 'Study file',
        height: 40,
        build: () =>
          h('details', { class: 'study' }, h('summary', {}, 'What was run, as it was written'), h('pre', {}, study.text)),
      },
    ],
  };
}
