import { axisX, gridX, type Markish, plot, type PlotOptions } from '@observablehq/plot';
import { number } from '../data/format';
import { fontFamily, type Palette } from '../theme';
import { svg } from '../ui/dom';

export interface Plotted {
  chart: SVGSVGElement;
  x(value: number): number;
  y(value: number): number;
}

// What all charts have in common. Colours stand in the chart itself, for when it is saved.
export function drawPlot(options: PlotOptions, colours: Palette): Plotted {
  const drawn = plot({
    ...options,
    style: {
      background: 'transparent',
      color: colours.ink,
      fontFamily,
      fontSize: '12px',
      fontVariantNumeric: 'tabular-nums',
      overflow: 'visible',
    },
  });
  const scale = (name: 'x' | 'y') => (value: number) => Number(drawn.scale(name)?.apply(value) ?? NaN);
  return { chart: drawn as unknown as SVGSVGElement, x: scale('x'), y: scale('y') };
}

export const errorTick = (value: number): string =>
  value === 0
    ? '0'
    : Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3
      ? number(value, 1)
      : String(Number(value.toPrecision(3))).replace('-', '−');

// A horizontal axis of values, with its grid.
export const valueAxis = (label: string, levels: number[], colours: Palette, labelOffset = 38): Markish[] => [
  gridX({ stroke: colours.faint, strokeOpacity: 1, ticks: levels }),
  axisX({
    label,
    labelArrow: 'none',
    labelAnchor: 'center',
    labelOffset,
    tickSize: 0,
    tickPadding: 8,
    ticks: levels,
    tickFormat: errorTick,
    fill: colours.muted,
  }),
];

let ruler: CanvasRenderingContext2D | null | undefined;
export function textWidth(text: string, size = 12): number {
  if (ruler === undefined) ruler = document.createElement('canvas').getContext('2d');
  if (!ruler) return 0.6 * size * text.length;
  ruler.font = `${size}px ${fontFamily}`;
  return ruler.measureText(text).width;
}

export function cross(x: number, y: number, colour: string, size = 3): SVGPathElement {
  return svg('path', {
    d: `M${x - size} ${y - size}l${2 * size} ${2 * size}m0 ${-2 * size}l${-2 * size} ${2 * size}`,
    stroke: colour,
    'stroke-width': 1.5,
    fill: 'none',
  });
}

export function triangle(x: number, y: number, colour: string, size = 3.2): SVGPathElement {
  return svg('path', { d: `M${x - size} ${y + size}L${x} ${y - size}L${x + size} ${y + size}Z`, fill: colour });
}

let patterns = 0;
// Diagonal strokes: told apart from every colour, also without colours.
export function hatching(chart: SVGSVGElement, ground: string, stroke: string): string {
  const id = `hatching-${++patterns}`;
  chart.prepend(
    svg(
      'defs',
      {},
      svg(
        'pattern',
        { id, width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
        svg('rect', { width: 6, height: 6, fill: ground }),
        svg('path', { d: 'M0 3H6', stroke, 'stroke-width': 1.6 }),
      ),
    ),
  );
  return `url(#${id})`;
}
