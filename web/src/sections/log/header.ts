import { lastPart } from '../../data/format';
import { type Child, h } from '../../ui/dom';

export type Tone = 'held' | 'mixed' | 'not-held';

export interface LogHeader {
  eyebrow: string;
  name: string; // of the log
  tone: Tone;
  badge: string;
  answer: Child; // what stands out; nothing where the log cannot tell
  sentence: string;
  command?: string; // to go on with
  notes: string[];
  facts: [name: string, value: string][];
}

const signs: Record<Tone, string> = { held: '✓', mixed: '±', 'not-held': '?' };

// The verdict on top, what else should be known, and what the log is.
export function logHeader({ eyebrow, name, tone, badge, answer, sentence, command, notes, facts }: LogHeader): HTMLElement {
  return h(
    'header',
    { class: 'page-header' },
    h('p', { class: 'eyebrow' }, eyebrow),
    h('h1', {}, lastPart(name)),
    h(
      'div',
      { class: `log-verdict ${tone}`, id: 'verdict' },
      h('span', { class: `badge ${tone}` }, h('span', { 'aria-hidden': 'true' }, signs[tone]), ` ${badge}`),
      answer,
      h('p', { class: 'log-sentence' }, sentence),
      command ? h('pre', { class: 'log-command' }, command) : null,
      notes.length > 0
        ? h(
            'ul',
            { class: 'log-notes' },
            notes.map((note) => h('li', {}, note)),
          )
        : null,
    ),
    h(
      'dl',
      { class: 'facts' },
      [['log', name] as const, ...facts].map(([term, value]) => h('div', {}, h('dt', {}, term), h('dd', {}, value))),
    ),
  );
}
