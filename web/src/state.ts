// What the reader has chosen. Every chart reads it from here, so that an algorithm switched off is off everywhere.

export class Cell<T> {
  private readonly listeners = new Set<(value: T) => void>();
  constructor(private current: T) {}
  get value(): T {
    return this.current;
  }
  set value(next: T) {
    if (next === this.current) return;
    this.current = next;
    for (const listener of this.listeners) listener(next);
  }
  subscribe(listener: (value: T) => void): void {
    this.listeners.add(listener);
  }
}

export type Stage = 'fresh' | 'selection';

export interface State {
  view: Cell<number>; // place in Model.views
  stage: Cell<Stage>;
  hidden: Cell<ReadonlySet<number>>; // algorithms that are switched off
  dark: Cell<boolean>;
}

export function toggle(hidden: Cell<ReadonlySet<number>>, algorithm: number): void {
  const next = new Set(hidden.value);
  if (!next.delete(algorithm)) next.add(algorithm);
  hidden.value = next;
}
