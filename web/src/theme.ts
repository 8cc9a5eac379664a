import type { Algorithm } from './report-data';
import type { Cell } from './state';
import { h } from './ui/dom';

// Charts carry their colours in themselves, so that a saved one looks like the one on the page.
export interface Palette {
  dark: boolean;
  ground: string;
  ink: string;
  muted: string;
  faint: string;
  warning: string; // diverged, off the scale
  low: string; // best end of the heat map's colours, and the worst one
  middle: string;
  high: string;
  poor: string; // worse than the start
  diverged: string;
  accent: string;
}

const light: Palette = {
  dark: false,
  ground: '#ffffff',
  ink: '#1b1f24',
  muted: '#59636e',
  faint: '#d9dee3',
  warning: '#a63c00',
  low: '#12436d',
  middle: '#4f9dc9',
  high: '#e3eff6',
  poor: '#f3dcc0',
  diverged: '#b9683a',
  accent: '#1f5f8b',
};

const dark: Palette = {
  dark: true,
  ground: '#171a1e',
  ink: '#e7eaed',
  muted: '#9aa5b0',
  faint: '#343b43',
  warning: '#ff9d63',
  low: '#b9e4ff',
  middle: '#3f89b8',
  high: '#1c303f',
  poor: '#4a3826',
  diverged: '#c77b4a',
  accent: '#7cc0ee',
};

export const palette = (isDark: boolean): Palette => (isDark ? dark : light);
export const colourOf = (algorithm: Algorithm, colours: Palette): string =>
  colours.dark ? algorithm.dark : algorithm.light;

export const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

const key = 'bellwether-theme';

// Pages opened from a disk may be denied a storage; the choice then lasts as long as the page.
function remembered(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function remember(value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Nothing depends on it.
  }
}

export function followSystemTheme(isDark: Cell<boolean>): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = remembered();
  isDark.value = chosen ? chosen === 'dark' : system.matches;
  system.addEventListener('change', () => {
    if (!remembered()) isDark.value = system.matches;
  });
  const show = () => {
    document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light';
  };
  isDark.subscribe(show);
  show();
}

export function themeButton(isDark: Cell<boolean>): HTMLElement {
  const button = h('button', { type: 'button', class: 'theme-button', id: 'theme-toggle' });
  const show = () => {
    button.textContent = isDark.value ? '☀' : '☾';
    const text = isDark.value ? 'Use light colours' : 'Use dark colours';
    button.setAttribute('aria-label', text);
    button.title = text;
  };
  button.addEventListener('click', () => {
    isDark.value = !isDark.value;
    remember(isDark.value ? 'dark' : 'light');
  });
  isDark.subscribe(show);
  show();
  return button;
}
