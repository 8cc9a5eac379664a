import './style/base.css';
import './style/controls.css';
import './style/tables.css';
import './style/forest.css';
import './style/readings.css';
import './style/charts.css';
import { type Model, readModel } from './data/model';
import { adviceSection } from './sections/advice';
import { claimsSection } from './sections/claims';
import { configurationsSection } from './sections/configurations';
import { curvesSection } from './sections/curves';
import { distributionSection } from './sections/distribution';
import { pageHeader } from './sections/header';
import { heatmapSection } from './sections/heatmap';
import { readingsSection } from './sections/readings';
import { realTimeSection } from './sections/realtime';
import { robustSection } from './sections/robust';
import { runtimesSection } from './sections/runtimes';
import { sensitivitySection } from './sections/sensitivity';
import { tuningSection } from './sections/tuning';
import { Cell, type State } from './state';
import { followSystemTheme, themeButton } from './theme';
import { h } from './ui/dom';
import { mount, navigation, type Section } from './ui/section';

function sectionsOf(model: Model, state: State): Section[] {
  const { claims, readings, runtimes, realTime, study } = model.data;
  return [
    ...(claims.length > 0 ? [claimsSection(model)] : []),
    ...(readings ? [readingsSection(readings)] : []),
    adviceSection(model, state),
    curvesSection(model, state),
    ...(model.views.some(({ metric }) => metric.thresholds.length > 0) ? [robustSection(model, state)] : []),
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
  ];
}

function start(app: HTMLElement): void {
  const dark = new Cell(false);
  followSystemTheme(dark);
  const model = readModel();
  const state: State = {
    view: new Cell(0),
    stage: new Cell(model.hasFresh ? ('fresh' as const) : ('selection' as const)),
    hidden: new Cell<ReadonlySet<number>>(new Set()),
    dark,
  };
  const sections = sectionsOf(model, state);
  const main = h('main', { id: 'content', tabindex: -1 });
  app.append(
    h(
      'div',
      { class: 'bar' },
      h(
        'div',
        { class: 'bar-inner' },
        h('a', { class: 'brand', href: '#top' }, 'Bellwether'),
        navigation(sections),
        themeButton(dark),
      ),
    ),
    main,
    h('footer', {}, h('p', {}, `Made by ${model.data.program}. This page is one file and needs no network.`)),
  );
  main.append(pageHeader(model));
  mount(sections, main);
  // The chart is drawn once its width is known, in the frame that follows.
  requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('first-chart')));
}

const app = document.getElementById('app');
if (app)
  try {
    start(app);
  } catch (error) {
    app.append(h('p', { class: 'notice', role: 'alert' }, error instanceof Error ? error.message : String(error)));
  }
