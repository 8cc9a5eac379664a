import './style/base.css';
import './style/controls.css';
import './style/tables.css';
import './style/forest.css';
import './style/readings.css';
import './style/charts.css';
import './style/logs.css';
import './style/library.css';
import { readData } from './data/model';
import { atlasPage } from './pages/atlas';
import { evaluationPage } from './pages/evaluation';
import { hordePage } from './pages/horde';
import { indexPage } from './pages/index';
import { studyPage } from './pages/study';
import { tuningPage } from './pages/tuning';
import { Cell, type State } from './state';
import { followSystemTheme, themeButton } from './theme';
import { h } from './ui/dom';
import { mount, navigation } from './ui/section';

function start(app: HTMLElement): void {
  const dark = new Cell(false);
  followSystemTheme(dark);
  const data = readData();
  const state: State = {
    view: new Cell(0),
    stage: new Cell<State['stage']['value']>('selection'),
    hidden: new Cell<ReadonlySet<number>>(new Set()),
    dark,
  };
  const { header, sections } = !('kind' in data)
    ? studyPage(data, state)
    : data.kind === 'evaluation'
      ? evaluationPage(data, state)
      : data.kind === 'tuning'
        ? tuningPage(data, state)
        : data.kind === 'index'
          ? indexPage(data, state)
          : data.kind === 'atlas'
            ? atlasPage(data, state)
            : hordePage(data, state);
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
    h('footer', {}, h('p', {}, `Made by ${data.program}. This page is one file and needs no network.`)),
  );
  main.append(header);
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
