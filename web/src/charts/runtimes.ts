import { number } from '../data/format';
import { svg } from '../ui/dom';
import type { Canvas, Drawing } from '../ui/figure';
import { drawPlot, textWidth, valueAxis } from './marks';
import { errorTicks } from './scales';

export interface TimeDot {
  policy: 'on' | 'off';
  paper: boolean;
  value: number;
  low: number;
  high: number;
}

export interface TimeRow {
  name: string;
  colour: string;
  dots: TimeDot[];
}

const rowHeight = 34;

// A circle is on-policy and a square off-policy; filled is this machine and hollow the paper's.
function shape(
  x: number,
  y: number,
  dot: { policy: 'on' | 'off'; paper: boolean },
  colour: string,
  ground: string,
): SVGElement {
  const paint = { fill: dot.paper ? ground : colour, stroke: colour, 'stroke-width': 1.6 };
  return dot.policy === 'on'
    ? svg('circle', { cx: x, cy: y, r: 4.2, ...paint })
    : svg('rect', { x: x - 3.7, y: y - 3.7, width: 7.4, height: 7.4, ...paint });
}

export function runtimeChart(canvas: Canvas, rows: TimeRow[], label: string): Drawing | null {
  const values = rows.flatMap(({ dots }) => dots.flatMap(({ low, high }) => [low, high])).filter((value) => value > 0);
  if (values.length === 0) return null;
  const { colours, width, narrow } = canvas;
  const left = Math.max(...rows.map(({ name }) => textWidth(name))) + 20;
  const kinds = (['on', 'off'] as const).flatMap((policy) =>
    [false, true]
      .filter((paper) => rows.some(({ dots }) => dots.some((dot) => dot.policy === policy && dot.paper === paper)))
      .map((paper) => ({ policy, paper, text: `${policy}-policy, ${paper ? 'paper' : 'here'}` })),
  );
  const keys: { x: number; y: number; kind: (typeof kinds)[number] }[] = [];
  let keyX = narrow ? 8 : left + 6;
  let keyY = 12;
  for (const kind of kinds) {
    const size = textWidth(kind.text) + 34;
    if (keyX + size > width) {
      keyX = narrow ? 8 : left + 6;
      keyY += 20;
    }
    keys.push({ x: keyX, y: keyY, kind });
    keyX += size;
  }
  const domain: [number, number] = [Math.min(...values) / 1.12, Math.max(...values) * 1.12];
  const levels = errorTicks(...domain, true, narrow ? 4 : 7);
  const top = keyY + 22;
  const height = top + rowHeight * rows.length + 48;
  const { chart, x } = drawPlot(
    {
      width,
      height,
      marginTop: top,
      marginBottom: 48,
      marginLeft: left,
      marginRight: 24,
      x: { type: 'log', domain, axis: null },
      y: { domain: [0, 1], axis: null },
      marks: valueAxis(label, levels, colours, 40),
    },
    colours,
  );
  for (const { x: at, y, kind } of keys)
    chart.append(
      shape(at, y, kind, colours.muted, colours.ground),
      svg('text', { x: at + 12, y, dy: '0.32em', 'text-anchor': 'start', 'font-size': 12, fill: colours.muted }, kind.text),
    );
  const middle = (row: number) => top + rowHeight * (row + 0.5);
  rows.forEach(({ name, colour, dots }, row) => {
    const group = svg('g', { class: 'times', 'aria-label': name });
    group.append(
      svg(
        'text',
        { x: left - 12, y: middle(row), dy: '0.32em', 'text-anchor': 'end', 'font-size': 12, fill: colours.ink },
        name,
      ),
      svg('path', { d: `M${left} ${top + rowHeight * (row + 1)}H${width - 24}`, stroke: colours.faint }),
    );
    for (const dot of dots) {
      const y = middle(row) + (dot.policy === 'on' ? -6 : 6);
      if (dot.high > dot.low)
        group.append(svg('path', { d: `M${x(dot.low)} ${y}H${x(dot.high)}`, stroke: colour, 'stroke-width': 1.5 }));
      group.append(shape(x(dot.value), y, dot, colour, colours.ground));
    }
    chart.append(group);
  });
  return {
    chart,
    description: `Times of ${rows.length} algorithms.`,
    hit: (_, y) => {
      const row = rows[Math.floor((y - top) / rowHeight)];
      if (!row || y < top) return null;
      return {
        tip: {
          title: row.name,
          rows: row.dots.map((dot) => ({
            name: `${dot.policy}-policy, ${dot.paper ? 'paper' : 'here'}`,
            value:
              dot.high > dot.low
                ? `${number(dot.value, 3)} (${number(dot.low, 3)}–${number(dot.high, 3)})`
                : number(dot.value, 3),
          })),
        },
      };
    },
    stops: rows.map((_, row): [number, number] => [left, middle(row)]),
  };
}
