import type { Model } from '../data/model';
import { colourOf, palette } from '../theme';
import type { Cell, Stage, State } from '../state';
import { toggle } from '../state';
import { freshId, h } from './dom';
import { swatch } from './tooltip';

export interface Option {
  value: string;
  text: string;
}

export interface Select {
  root: HTMLElement;
  select: HTMLSelectElement;
  fill(options: Option[], value: string): void;
}

export function selectControl(label: string, onChange: (value: string) => void): Select {
  const id = freshId('select');
  const select = h('select', { id });
  select.addEventListener('change', () => onChange(select.value));
  return {
    root: h('div', { class: 'control' }, h('label', { for: id }, label), select),
    select,
    fill(options, value) {
      select.replaceChildren(...options.map((option) => h('option', { value: option.value }, option.text)));
      select.value = value;
    },
  };
}

// Every section of a study has one; they move together.
export function viewControl(model: Model, state: State): HTMLElement | null {
  if (!model.isStudy) return null;
  const control = selectControl('Setting and metric', (value) => {
    state.view.value = Number(value);
  });
  control.select.classList.add('view-select');
  control.fill(
    model.views.map((view, place) => ({ value: String(place), text: view.label })),
    String(state.view.value),
  );
  state.view.subscribe((view) => {
    control.select.value = String(view);
  });
  return control.root;
}

export interface Segment<T> {
  value: T;
  text: string;
  note?: string; // shown smaller: a count
}

// A few choices side by side: buttons, of which one is pressed.
export function segmentedControl<T>(label: string, segments: Segment<T>[], cell: Cell<T>): HTMLElement {
  const buttons = segments.map(({ value, text, note }) => {
    const button = h('button', { type: 'button' }, text, note ? h('small', {}, note) : null);
    button.addEventListener('click', () => {
      cell.value = value;
    });
    return button;
  });
  const show = () =>
    buttons.forEach((button, place) => button.setAttribute('aria-pressed', String(segments[place]?.value === cell.value)));
  cell.subscribe(show);
  show();
  const id = freshId('segments');
  return h(
    'div',
    { class: 'control' },
    h('span', { class: 'label', id }, label),
    h('div', { class: 'segments', role: 'group', 'aria-labelledby': id }, buttons),
  );
}

export function stageControl(model: Model, state: State): HTMLElement | null {
  if (!model.hasFresh) return null;
  return segmentedControl<Stage>(
    'Runs',
    [
      { value: 'fresh', text: 'Fresh' },
      { value: 'selection', text: 'Selection' },
    ],
    state.stage,
  );
}

export function scaleControl(cell: Cell<boolean>): HTMLElement {
  return segmentedControl<boolean>(
    'Error axis',
    [
      { value: false, text: 'Linear' },
      { value: true, text: 'Log' },
    ],
    cell,
  );
}

// Switches algorithms on and off, on all charts of the page at once.
export function legend(model: Model, state: State, shown: () => number[]): { root: HTMLElement; refresh(): void } {
  const list = h('div', { class: 'legend', role: 'group', 'aria-label': 'Algorithms' });
  const set = (hidden: Iterable<number>) => {
    state.hidden.value = new Set(hidden);
  };
  const refresh = () => {
    const colours = palette(state.dark.value);
    const buttons = shown().map((place) => {
      const algorithm = model.data.algorithms[place];
      if (!algorithm) return null;
      return h(
        'button',
        {
          type: 'button',
          class: 'legend-item',
          'aria-pressed': String(!state.hidden.value.has(place)),
          'data-algorithm': algorithm.id,
          title: algorithm.summary,
          onclick: () => toggle(state.hidden, place),
        },
        swatch(colourOf(algorithm, colours), algorithm.dash),
        algorithm.name,
      );
    });
    // Redrawing must not take the focus from the button that was just pressed.
    const focused = list.contains(document.activeElement)
      ? [...list.children].indexOf(document.activeElement as Element)
      : -1;
    list.replaceChildren(
      ...buttons.filter((button) => button !== null),
      h('button', { type: 'button', class: 'legend-all', onclick: () => set([]) }, 'All'),
      h('button', { type: 'button', class: 'legend-all', onclick: () => set(model.data.algorithms.keys()) }, 'None'),
    );
    if (focused >= 0) (list.children[focused] as HTMLElement | undefined)?.focus({ preventScroll: true });
  };
  state.hidden.subscribe(refresh);
  state.dark.subscribe(refresh);
  refresh();
  return { root: list, refresh };
}
