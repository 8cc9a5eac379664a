import { type Palette, palette } from '../theme';
import type { State } from '../state';
import { fileName, savePng, saveSvg, standalone } from './download';
import { h } from './dom';
import { hideTip, showTip, type Tip } from './tooltip';

export interface Canvas {
  width: number;
  colours: Palette;
  narrow: boolean; // a phone: no room for labels beside the lines
  standalone: boolean; // to be saved: the legend of the page is not beside it
}

export interface Hit {
  tip: Tip;
  marks?: SVGElement[]; // drawn over the chart while the tip is shown
}

export interface Drawing {
  chart: SVGSVGElement;
  description: string; // for who does not see the chart
  hit?: (x: number, y: number) => Hit | null; // in the chart's own coordinates
  stops?: [x: number, y: number][]; // where the arrow keys go
}

export interface FigureOptions {
  title: () => string;
  subtitle: () => string;
  file: () => string[]; // what the name of a saved file is made of
  draw: (canvas: Canvas) => Drawing | null; // null where there is nothing to show
  empty?: string;
  exportWidth?: number;
}

export interface Figure {
  root: HTMLElement;
  refresh(): void;
}

const narrowBelow = 560;

export function figure(state: State, options: FigureOptions): Figure {
  const title = h('h3', {});
  const subtitle = h('p', { class: 'figure-note' });
  const stage = h('div', { class: 'chart', tabindex: 0, role: 'group', 'aria-roledescription': 'chart' });
  const failure = h('p', { class: 'failure', role: 'alert', hidden: true });
  const root = h('figure', { class: 'figure' });
  let drawing: Drawing | null = null;
  let overlay: SVGGElement | null = null;
  let width = 0;
  let stop = -1;

  const canvasOf = (size: number, alone = false): Canvas => ({
    width: size,
    colours: palette(state.dark.value),
    narrow: size < narrowBelow,
    standalone: alone,
  });

  const hide = () => {
    overlay?.replaceChildren();
    hideTip();
  };

  const point = (x: number, y: number, clientX: number, clientY: number) => {
    const hit = drawing?.hit?.(x, y) ?? null;
    if (!hit) return hide();
    overlay?.replaceChildren(...(hit.marks ?? []));
    showTip(hit.tip, clientX, clientY);
  };

  const refresh = () => {
    title.textContent = options.title();
    stage.setAttribute('aria-label', `${options.title()}. The arrow keys tell the values.`);
    subtitle.textContent = options.subtitle();
    if (width < 1) return;
    hide();
    stop = -1;
    drawing = options.draw(canvasOf(width));
    if (!drawing) {
      stage.replaceChildren(h('p', { class: 'empty' }, options.empty ?? 'Nothing to show: every algorithm is off.'));
      return;
    }
    const { chart } = drawing;
    chart.setAttribute('role', 'img');
    chart.setAttribute('aria-label', `${options.title()}. ${drawing.description}`);
    overlay = document.createElementNS('http://www.w3.org/2000/svg', 'g');
    overlay.setAttribute('pointer-events', 'none');
    chart.append(overlay);
    stage.replaceChildren(chart);
  };

  const move = (event: PointerEvent) => {
    const box = drawing?.chart.getBoundingClientRect();
    if (box) point(event.clientX - box.left, event.clientY - box.top, event.clientX, event.clientY);
  };
  stage.addEventListener('pointermove', move);
  stage.addEventListener('pointerdown', move);
  stage.addEventListener('pointerleave', hide);
  stage.addEventListener('blur', hide);
  stage.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return hide();
    const stops = drawing?.stops ?? [];
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || stops.length === 0 || !drawing) return;
    event.preventDefault();
    stop = Math.max(0, Math.min(stops.length - 1, stop < 0 && step < 0 ? stops.length - 1 : stop + step));
    const [x, y] = stops[stop] ?? [0, 0];
    const box = drawing.chart.getBoundingClientRect();
    point(x, y, box.left + x, box.top + y);
  });

  const exported = async (kind: 'svg' | 'png') => {
    failure.hidden = true;
    const canvas = canvasOf(options.exportWidth ?? 960, true);
    const own = options.draw(canvas);
    if (!own) return;
    const whole = standalone(own.chart, { title: options.title(), subtitle: options.subtitle() }, canvas.colours);
    const name = fileName(...options.file());
    try {
      if (kind === 'svg') saveSvg(name, whole);
      else await savePng(name, whole);
    } catch (error) {
      failure.textContent = `The chart could not be saved. ${error instanceof Error ? error.message : ''}`;
      failure.hidden = false;
    }
  };
  const saveButton = (kind: 'svg' | 'png') =>
    h(
      'button',
      { type: 'button', class: 'quiet', 'data-save': kind, onclick: () => void exported(kind) },
      `Save ${kind.toUpperCase()}`,
    );

  root.append(
    h(
      'figcaption',
      {},
      h('div', { class: 'figure-text' }, title, subtitle),
      h('div', { class: 'figure-buttons' }, saveButton('svg'), saveButton('png')),
    ),
    stage,
    failure,
  );

  // Only a change of width changes the chart; its own height follows from it.
  new ResizeObserver((entries) => {
    const next = Math.floor(entries[0]?.contentRect.width ?? 0);
    if (next === width || next < 1) return;
    width = next;
    refresh();
  }).observe(stage);
  state.dark.subscribe(refresh);
  state.hidden.subscribe(refresh);
  return { root, refresh };
}
