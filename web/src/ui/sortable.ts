import type { Cell } from '../state';
import { type Child, h } from './dom';

export interface Order {
  column: number;
  descending: boolean;
}

// A column's head that sorts by it: ascending first, then descending.
export function sortHead(order: Cell<Order>, column: number, text: Child, className = ''): HTMLElement {
  const button = h(
    'button',
    { type: 'button', class: 'sort' },
    text,
    h('span', { class: 'sort-sign', 'aria-hidden': 'true' }),
  );
  button.addEventListener('click', () => {
    const { column: old, descending } = order.value;
    order.value = { column, descending: old === column ? !descending : false };
  });
  const head = h('th', { scope: 'col', class: className }, button);
  const show = () => {
    const { column: now, descending } = order.value;
    head.setAttribute('aria-sort', now !== column ? 'none' : descending ? 'descending' : 'ascending');
  };
  order.subscribe(show);
  show();
  return head;
}

// Nothing to compare (not there, diverged) comes last, whatever the direction.
export function compare(left: number | string | null, right: number | string | null, descending: boolean): number {
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  const sign = left < right ? -1 : 1;
  return descending ? -sign : sign;
}
