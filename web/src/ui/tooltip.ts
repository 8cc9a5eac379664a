import { append, type Child, h } from './dom';

export interface TipRow {
  colour?: string;
  dash?: string;
  name: string;
  value: string;
  strong?: boolean; // nearest to the pointer
}

export interface Tip {
  title: string;
  rows: TipRow[];
  note?: string;
}

let box: HTMLElement | null = null;

export function swatch(colour: string, dash = ''): HTMLElement {
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  line.setAttribute('width', '22');
  line.setAttribute('height', '8');
  line.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', 'M1 4H21');
  path.setAttribute('stroke', colour);
  path.setAttribute('stroke-width', '2.5');
  if (dash) path.setAttribute('stroke-dasharray', dash);
  line.append(path);
  return h('span', { class: 'swatch' }, line);
}

export function showTip(tip: Tip, x: number, y: number): void {
  if (!box) {
    box = h('div', { id: 'tooltip', role: 'status', 'aria-live': 'polite' });
    document.body.append(box);
  }
  const rows = tip.rows.map((row): Child =>
    h(
      'tr',
      { class: row.strong ? 'strong' : null },
      h('td', {}, row.colour ? swatch(row.colour, row.dash) : null),
      h('th', { scope: 'row' }, row.name),
      h('td', { class: 'value' }, row.value),
    ),
  );
  box.replaceChildren();
  append(
    box,
    h('p', { class: 'tip-title' }, tip.title),
    rows.length > 0 && h('table', {}, h('tbody', {}, rows)),
    tip.note && h('p', { class: 'tip-note' }, tip.note),
  );
  box.hidden = false;
  // On the side of the pointer where there is room.
  const { width, height } = box.getBoundingClientRect();
  const edge = 8;
  const viewWidth = document.documentElement.clientWidth;
  const left = x + 16 + width + edge < viewWidth ? x + 16 : x - 16 - width;
  const top = y + 16 + height + edge < innerHeight ? y + 16 : y - 16 - height;
  box.style.left = `${Math.max(edge, Math.min(left, viewWidth - width - edge))}px`;
  box.style.top = `${Math.max(edge, Math.min(top, innerHeight - height - edge))}px`;
}

export function hideTip(): void {
  if (box) box.hidden = true;
}
