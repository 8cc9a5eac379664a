import { count } from '../data/format';
import type { Model } from '../data/model';
import { h } from '../ui/dom';

export function pageHeader({ data, views }: Model): HTMLElement {
  const configurations = views.reduce(
    (sum, view) => sum + view.metric.algorithms.reduce((all, result) => all + result.scores.length, 0),
    0,
  );
  const summary = [
    `${data.settings.length} setting${data.settings.length === 1 ? '' : 's'}`,
    `${data.algorithms.length} algorithm${data.algorithms.length === 1 ? '' : 's'}`,
    `${count(configurations)} scores`,
  ].join(' · ');
  return h(
    'header',
    { class: 'page-header' },
    h('p', { class: 'eyebrow' }, `${data.program} report`),
    h('h1', {}, data.study.name),
    data.study.description ? h('p', { class: 'description' }, data.study.description) : null,
    h('p', { class: 'summary' }, summary),
    data.facts.length > 0
      ? h(
          'dl',
          { class: 'facts' },
          data.facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
        )
      : null,
  );
}
