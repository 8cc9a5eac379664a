import { axisX, axisY, dot, gridX, gridY, line } from '@observablehq/plot';
import { count, percent } from '../data/format';
import type { Fitted } from '../log-data';
import type { Canvas, Drawing } from '../ui/figure';
import { drawPlot } from './marks';

// How often an action was taken against how likely the fitted behaviour held it: on the diagonal where it is right.
export function reliabilityChart(canvas: Canvas, bins: Fitted['reliability']): Drawing | null {
  if (bins.length === 0) return null;
  const { colours, width } = canvas;
  const height = Math.min(width, 420);
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const axis = { labelArrow: 'none' as const, fill: colours.muted, tickSize: 0, ticks, tickFormat: (share: number) => `${100 * share}%` };
  const { chart, x, y } = drawPlot(
    {
      width,
      height,
      marginTop: 30,
      marginRight: 20,
      marginBottom: 46,
      marginLeft: 52,
      x: { domain: [0, 1], axis: null },
      y: { domain: [0, 1], axis: null },
      marks: [
        gridX({ stroke: colours.faint, strokeOpacity: 1, ticks }),
        gridY({ stroke: colours.faint, strokeOpacity: 1, ticks }),
        line(
          [
            [0, 0],
            [1, 1],
          ],
          { stroke: colours.muted, strokeDasharray: '1 4', strokeLinecap: 'round' },
        ),
        line(bins, { x: 'predicted', y: 'taken', stroke: colours.accent, strokeWidth: 1.5 }),
        dot(bins, { x: 'predicted', y: 'taken', r: 4, fill: colours.accent, stroke: colours.ground }),
        axisX({ ...axis, label: 'Fitted probability of an action, held out', labelAnchor: 'center', labelOffset: 38, tickPadding: 8 }),
        axisY({ ...axis, label: 'Share of the steps in which it was taken', labelAnchor: 'top', labelOffset: 48 }),
      ],
    },
    colours,
  );
  return {
    chart,
    description: `Fitted probabilities in ${bins.length} bins against how often the actions were taken.`,
    hit: (pointerX, pointerY) => {
      const distance = (bin: (typeof bins)[number]) => Math.hypot(x(bin.predicted) - pointerX, y(bin.taken) - pointerY);
      const nearest = bins.reduce((found, bin) => (distance(bin) < distance(found) ? bin : found));
      if (distance(nearest) > 40) return null;
      return {
        tip: {
          title: `${count(nearest.count)} actions`,
          rows: [
            { name: 'fitted', value: percent(nearest.predicted) },
            { name: 'taken', value: percent(nearest.taken) },
          ],
        },
      };
    },
    stops: bins.map((bin): [number, number] => [x(bin.predicted), y(bin.taken)]),
  };
}
