import { append, type Child, h } from './dom';

export interface Section {
  id: string;
  title: string;
  nav: string; // its name in the navigation
  lead?: Child;
  // Called once, when the section comes near or the browser has time.
  build: () => Child;
  eager?: boolean; // on the first screens: built at once
  height?: number; // about how tall it will be, so that the page does not jump
}

export interface Page {
  header: HTMLElement;
  sections: Section[];
}

const margin = '900px';

export function mount(sections: Section[], main: HTMLElement): void {
  const waiting = new Map<Element, () => void>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.();
    },
    { rootMargin: `${margin} 0px` },
  );
  for (const { id, title, lead, build, eager, height } of sections) {
    const body = h('div', { class: 'section-body' });
    const root = h(
      'section',
      { id, 'aria-labelledby': `${id}-title` },
      h('h2', { id: `${id}-title` }, title),
      lead ? h('p', { class: 'lead' }, lead) : null,
      body,
    );
    main.append(root);
    const fill = () => {
      observer.unobserve(root);
      waiting.delete(root);
      append(body, build());
      body.style.minHeight = '';
      root.dataset.built = '';
    };
    if (eager) {
      fill();
      continue;
    }
    body.style.minHeight = `${height ?? 600}px`;
    waiting.set(root, fill);
    observer.observe(root);
  }
  // The rest one by one in idle time, for searching in the page, printing and jumping to it.
  const idle = window.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 50));
  const next = () => {
    const [task] = waiting.values();
    if (!task) return;
    task();
    idle(next);
  };
  addEventListener('load', () => setTimeout(() => idle(next), 300));
  addEventListener('beforeprint', () => {
    for (const task of [...waiting.values()]) task();
  });
}

export function navigation(sections: Section[]): HTMLElement {
  const links = new Map(sections.map(({ id, nav }) => [id, h('a', { href: `#${id}` }, nav)] as const));
  const list = h(
    'ul',
    {},
    [...links.values()].map((link) => h('li', {}, link)),
  );
  const mark = () => {
    // The last section whose head has passed the upper third of the window.
    let current: string | undefined;
    for (const { id } of sections) {
      const top = document.getElementById(id)?.getBoundingClientRect().top ?? Infinity;
      if (top < innerHeight / 3) current = id;
    }
    for (const [id, link] of links) {
      if (id !== current) link.removeAttribute('aria-current');
      else if (!link.hasAttribute('aria-current')) {
        link.setAttribute('aria-current', 'true');
        list.scrollTo({ left: link.offsetLeft - list.clientWidth / 2 + link.offsetWidth / 2 });
      }
    }
  };
  let asked = false;
  addEventListener(
    'scroll',
    () => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        mark();
      });
    },
    { passive: true },
  );
  return h('nav', { 'aria-label': 'Sections' }, list);
}
