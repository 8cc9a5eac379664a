import { areaY, axisX, axisY, dot, gridY, line, type Markish, ruleX, ruleY } from '@observablehq/plot';
import { withError } from '../data/format';
import type { Score } from '../report-data';
import { svg } from '../ui/dom';
import type { Canvas, Drawing, Hit } from '../ui/figure';
import { cross, drawPlot, errorTick, textWidth, triangle } from './marks';
import { errorRange, errorTicks, fitting, spread } from './scales';

export interface LinePoint {
  x: number; // where it is drawn
  y: Score;
  error: Score;
  band?: [low: number, high: number]; // where it is not as wide below as above
}

export interface Series {
  name: string;
  colour: string;
  dash: string;
  points: LinePoint[];
  highlight?: number; // place of the point that deserves a ring
  apart?: boolean; // no line from point to point
}

export interface LinesOptions {
  series: Series[];
  height: number;
  log: boolean;
  start: number; // the error of w_0
  startLine: boolean;
  bands: boolean; // or else bars and dots
  xLabel: string;
  yLabel: string;
  domain: [number, number];
  ticks?: { position: number; text: string }[];
  tipTitle: (x: number) => string;
  tipNote?: string;
  description: string;
  range?: [number, number]; // of the vertical axis, where the values do not decide
  tipValue?: (point: LinePoint) => string;
  references?: Reference[]; // to compare the lines with
}

// A dotted line across the chart at a value, or up at a place, with its name.
export type Reference = { value: number; name: string } | { place: number; name: string };

const stripRow = 9;
const labelGap = 14;

// The best curve is to be seen whole, also where it rises before it falls.
function highOfBest(series: Series[]): number {
  const end = ({ points }: Series) => points.at(-1)?.y ?? Infinity;
  const best = series.reduce((found, one) => (end(one) < end(found) ? one : found));
  return best.points.reduce((most, { y }) => Math.max(most, y ?? 0), 0);
}

// More points than pixels show nothing more.
function thinned(points: LinePoint[], width: number): LinePoint[] {
  const stride = Math.max(1, Math.floor(points.length / (1.5 * width)));
  return stride === 1 ? points : points.filter((_, place) => place % stride === 0 || place === points.length - 1);
}

export function linesChart(canvas: Canvas, options: LinesOptions): Drawing | null {
  const { colours, width, narrow } = canvas;
  const series = options.series.filter(({ points }) => points.length > 0);
  if (series.length === 0) return null;
  const levelsToSee = (options.references ?? []).flatMap((reference) => ('value' in reference ? [reference.value] : []));
  const values = [...series.flatMap(({ points }) => points.map(({ y }) => y ?? Infinity)), ...levelsToSee];
  const [bottom, top] =
    options.range ?? errorRange(values, options.start, options.log, options.bands ? highOfBest(series) : 0);
  const off = (y: Score) => y === null || y > top;
  // Far outside the frame, but not so far that the drawing of the line fails: scores may be 1e295.
  const ceiling = options.log ? top * 10 : top + 2 * (top - bottom);
  const floor = options.log ? bottom : bottom - 2 * (top - bottom);
  const drawable = (y: Score) => (y === null ? NaN : Math.max(floor, Math.min(y, ceiling)));

  const strip = series.filter(({ points }) => points.some(({ y }) => off(y)));
  const labelWidth = Math.max(...series.map(({ name }) => textWidth(name))) + 54;
  const labelled = !narrow && width - labelWidth > 320;
  const margin = {
    top: 30 + (strip.length > 0 ? 6 + stripRow * strip.length : 0),
    right: labelled ? labelWidth : 14,
    bottom: 44,
    left: 52,
  };
  const height = options.height + margin.top - 30;

  const levels = errorTicks(bottom, top, options.log);
  const marks: Markish[] = [gridY({ stroke: colours.faint, strokeOpacity: 0.9, ticks: levels })];
  if (options.startLine && options.start > 0 && options.start <= top && options.start >= bottom)
    marks.push(ruleY([options.start], { stroke: colours.muted, strokeDasharray: '1 4', strokeLinecap: 'round' }));
  for (const { name, colour, dash, points, highlight, apart } of series) {
    const shown = thinned(points, width);
    const x = (point: LinePoint) => point.x;
    const low = ({ y, error, band }: LinePoint) => (off(y) ? NaN : drawable(band?.[0] ?? (y ?? 0) - (error ?? 0)));
    const high = ({ y, error, band }: LinePoint) => (off(y) ? NaN : drawable(band?.[1] ?? (y ?? 0) + (error ?? 0)));
    if (options.bands)
      marks.push(
        areaY(shown, { x, y1: low, y2: high, fill: colour, fillOpacity: 0.16, clip: true, ariaLabel: () => `${name} band` }),
      );
    else
      marks.push(
        ruleX(
          shown.filter(({ y, error }) => !off(y) && error),
          {
            x,
            y1: low,
            y2: high,
            stroke: colour,
            strokeOpacity: 0.75,
            clip: true,
            ariaLabel: () => `${name} error bars`,
          },
        ),
      );
    if (!apart)
      marks.push(
        line(shown, {
          x,
          y: (point: LinePoint) => drawable(point.y),
          stroke: colour,
          strokeWidth: options.bands ? 1.6 : 1.5,
          strokeDasharray: dash || undefined,
          clip: true,
          ariaLabel: () => name,
        }),
      );
    if (!options.bands)
      marks.push(
        dot(
          shown.filter(({ y }) => !off(y)),
          {
            x,
            y: 'y',
            r: 2,
            fill: colour,
            ariaLabel: () => `${name} point`,
          },
        ),
      );
    const ring = highlight === undefined ? undefined : points[highlight];
    if (ring && !off(ring.y))
      marks.push(dot([ring], { x, y: 'y', r: 4.5, stroke: colour, strokeWidth: 1.75, fill: colours.ground }));
  }
  const plotWidth = width - margin.left - margin.right;
  const pixel = (position: number) => ((position - options.domain[0]) / (options.domain[1] - options.domain[0])) * plotWidth;
  const ticks = options.ticks && fitting(options.ticks, ({ position }) => pixel(position));
  const axis = { labelArrow: 'none' as const, fill: colours.muted, tickSize: 0 };
  marks.push(
    axisX({
      ...axis,
      label: options.xLabel,
      labelAnchor: 'center',
      labelOffset: 38,
      tickPadding: 8,
      ticks: ticks ? ticks.map(({ position }) => position) : Math.max(3, Math.min(10, Math.floor(plotWidth / 70))),
      tickFormat: (value: number, place: number) => ticks?.[place]?.text ?? String(Number(value.toPrecision(6))),
    }),
    axisY({
      ...axis,
      label: options.yLabel,
      labelAnchor: 'top',
      labelOffset: margin.left - 4,
      ticks: levels,
      tickFormat: errorTick,
    }),
  );
  const { chart, x, y } = drawPlot(
    {
      width,
      height,
      marginTop: margin.top,
      marginRight: margin.right,
      marginBottom: margin.bottom,
      marginLeft: margin.left,
      x: { domain: options.domain, axis: null },
      y: { domain: [bottom, top], type: options.log ? 'log' : 'linear', axis: null },
      marks,
    },
    colours,
  );
  const frame = { top: margin.top, bottom: height - margin.bottom, right: width - margin.right };
  for (const reference of options.references ?? []) {
    const across = 'value' in reference;
    const at = across ? y(reference.value) : x(reference.place);
    if (across ? at < frame.top - 1 || at > frame.bottom + 1 : at < margin.left - 1 || at > frame.right + 1) continue;
    // The name of an upright line stands on the side where there is room.
    const toLeft = !across && at + textWidth(reference.name, 11) + 8 > frame.right;
    chart.append(
      svg('path', {
        d: across ? `M${margin.left} ${at}H${frame.right}` : `M${at} ${frame.top}V${frame.bottom}`,
        stroke: colours.muted,
        'stroke-dasharray': '1 4',
        'stroke-linecap': 'round',
      }),
      svg(
        'text',
        {
          x: across ? frame.right - 2 : at + (toLeft ? -5 : 5),
          y: across ? at - 4 : frame.top + 10,
          'text-anchor': across || toLeft ? 'end' : 'start',
          'font-size': 11,
          fill: colours.muted,
        },
        reference.name,
      ),
    );
  }
  // A frame line at the foot only: the grid does the rest.
  chart.append(
    svg('path', { d: `M${margin.left} ${frame.bottom}H${frame.right}`, stroke: colours.muted, 'stroke-opacity': 0.6 }),
  );

  // What is off the scale stands above the frame, a row for each algorithm.
  const stripY = (row: number) => margin.top - 8 - stripRow * (strip.length - 1 - row);
  strip.forEach((one, row) => {
    const group = svg('g', { 'aria-label': `${one.name} off the scale` });
    let inside = true;
    for (const point of one.points) {
      // On a curve of many steps only where it leaves the scale.
      if (off(point.y) && (inside || !options.bands))
        group.append((point.y === null ? cross : triangle)(x(point.x), stripY(row), one.colour));
      inside = !off(point.y);
    }
    chart.append(group);
  });
  if (labelled)
    chart.append(endLabels(series, { x, y, top, bottom, frame, off, stripRowOf: (one) => stripY(strip.indexOf(one)) }));

  const positions = [...new Set(series.flatMap(({ points }) => points.map((point) => point.x)))].sort((a, b) => a - b);
  const pixels = positions.map(x);
  const hit = (pointerX: number, pointerY: number): Hit | null => {
    if (pointerX < margin.left - 12 || pointerX > frame.right + 12 || pointerY > height) return null;
    const place = nearest(pixels, pointerX);
    const at = positions[place] ?? 0;
    const found = series
      .map((one) => ({ one, point: one.points.find((point) => point.x === at) }))
      .filter((entry): entry is { one: Series; point: LinePoint } => entry.point !== undefined)
      .map((entry) => ({ ...entry, pixel: off(entry.point.y) ? frame.top : y(drawable(entry.point.y)) }))
      .sort((left, right) => (left.point.y ?? Infinity) - (right.point.y ?? Infinity));
    if (found.length === 0) return null;
    const closest = nearest(
      found.map((entry) => entry.pixel),
      pointerY,
    );
    return {
      tip: {
        title: options.tipTitle(at),
        rows: found.map(({ one, point }, row) => ({
          colour: one.colour,
          dash: one.dash,
          name: one.name,
          value: point.y === null ? 'diverged' : (options.tipValue?.(point) ?? withError(point.y, point.error)),
          strong: row === closest,
        })),
        note: options.tipNote,
      },
      marks: [
        svg('path', { d: `M${pixels[place]} ${frame.top}V${frame.bottom}`, stroke: colours.muted, 'stroke-opacity': 0.5 }),
        ...found
          .filter(({ point }) => !off(point.y))
          .map((entry, row) =>
            svg('circle', {
              cx: pixels[place],
              cy: entry.pixel,
              r: row === closest ? 4.5 : 2.5,
              fill: entry.one.colour,
              stroke: colours.ground,
              'stroke-width': 1.5,
            }),
          ),
      ],
    };
  };
  const stride = Math.max(1, Math.ceil(pixels.length / 60));
  return {
    chart,
    description: options.description,
    hit,
    stops: pixels.filter((_, place) => place % stride === 0).map((at): [number, number] => [at, frame.top + 40]),
  };
}

export function nearest(values: readonly number[], wanted: number): number {
  let best = 0;
  values.forEach((value, place) => {
    if (Math.abs(value - wanted) < Math.abs((values[best] ?? Infinity) - wanted)) best = place;
  });
  return best;
}

interface LabelFrame {
  x(value: number): number;
  y(value: number): number;
  top: number;
  bottom: number;
  frame: { top: number; bottom: number; right: number };
  off(y: Score): boolean;
  stripRowOf(series: Series): number;
}

// Names beside the ends of the lines, moved apart, each tied to its end by a hair line.
function endLabels(series: Series[], place: LabelFrame): SVGGElement {
  const group = svg('g', { class: 'end-labels', 'font-size': 12 });
  const ends = series.map((one) => {
    const last = one.points.at(-1) ?? { x: 0, y: null, error: null };
    const outside = place.off(last.y);
    const value = Math.max(place.bottom, Math.min(last.y ?? place.top, place.top));
    return { x: place.x(last.x), y: outside ? place.stripRowOf(one) : place.y(value) };
  });
  const room = place.frame.bottom - place.frame.top;
  const gap = Math.min(labelGap, room / Math.max(1, series.length));
  const low = Math.min(place.frame.top, ...ends.map(({ y }) => y));
  const labels = spread(
    ends.map(({ y }) => y),
    gap,
    low,
    place.frame.bottom,
  );
  series.forEach((one, index) => {
    const end = ends[index] ?? { x: 0, y: 0 };
    const at = labels[index] ?? 0;
    const from = end.x + 6;
    const to = place.frame.right + 24;
    group.append(
      svg('path', {
        d: `M${from} ${end.y}L${to - 8} ${at}`,
        fill: 'none',
        stroke: one.colour,
        'stroke-opacity': 0.5,
      }),
      svg('path', {
        d: `M${to - 8} ${at}h18`,
        stroke: one.colour,
        'stroke-width': 2.2,
        'stroke-dasharray': one.dash || null,
      }),
      // In the colour of text: some lines are too pale to be read as letters.
      svg('text', { x: to + 15, y: at, dy: '0.32em', 'text-anchor': 'start', fill: 'currentColor' }, one.name),
    );
  });
  return group;
}
