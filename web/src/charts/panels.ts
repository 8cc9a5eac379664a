import { axisX, axisY, gridY, line, type Markish } from '@observablehq/plot';
import { score } from '../data/format';
import type { Score } from '../report-data';
import { svg } from '../ui/dom';
import type { Canvas, Drawing, Hit } from '../ui/figure';
import { cross, drawPlot, errorTick, textWidth, triangle } from './marks';
import { nearest } from './lines';
import { errorRange, errorTicks, fitting } from './scales';

export interface PanelSeries {
  name: string;
  colour: string;
  dash: string;
  note: string; // for the tip, such as its cost
  errors: Score[][]; // by panel, by place; empty where the panel does not have it
  places?: number[][]; // likewise: its own, some of those of the chart
}

export interface PanelOptions {
  titles: string[];
  places: number[]; // along the horizontal axis
  domain?: [number, number]; // of it, where the places do not decide
  ticks?: { position: number; text: string }[]; // likewise
  placeText?: (place: number) => string; // for the tip
  series: PanelSeries[];
  start: number;
  starts?: number[]; // by panel, where each has an axis of its own
  log: boolean;
  xLabel: string;
  yLabel: string;
}

// The names of the lines, in rows.
function keyOf(series: PanelSeries[], width: number): { height: number; elements: SVGElement[] } {
  const elements: SVGElement[] = [];
  let x = 0;
  let y = 30;
  for (const { name, colour, dash } of series) {
    const size = textWidth(name) + 48;
    if (x + size > width) {
      x = 0;
      y += 20;
    }
    elements.push(
      svg('path', { d: `M${x} ${y}h22`, stroke: colour, 'stroke-width': 2.2, 'stroke-dasharray': dash || null }),
      svg('text', { x: x + 28, y, dy: '0.32em', 'font-size': 12, fill: 'currentColor' }, name),
    );
    x += size;
  }
  return { height: y - 4, elements };
}

// Small multiples on common axes; where the errors of w_0 differ, errors have an axis in each.
export function panelsChart(canvas: Canvas, options: PanelOptions): Drawing | null {
  const { colours, width } = canvas;
  const { places, series, titles } = options;
  if (series.length === 0 || places.length === 0) return null;
  const most = width < 460 ? 1 : width < 720 ? 2 : 3;
  const columns = Math.min(most, titles.length);
  const rows = Math.ceil(titles.length / columns);
  const gap = 20;
  const panelWidth = (width - gap * (columns - 1)) / columns;
  const alone = titles.length === 1; // it has the whole width, and a height that goes with it
  const panelHeight = most === 1 ? (alone ? 240 : 180) : alone ? 380 : 214;
  const key = canvas.standalone ? keyOf(series, width) : { height: 0, elements: [] };
  const head = 22 + key.height;
  const height = head + rows * (panelHeight + 12) + 6;
  const valuesOf = (panel: number) => series.flatMap(({ errors }) => (errors[panel] ?? []).map((error) => error ?? Infinity));
  const { starts } = options;
  const common = errorRange(
    titles.flatMap((_, panel) => valuesOf(panel)),
    options.start,
    options.log,
  );
  const ranges = titles.map((_, panel) =>
    starts && new Set(starts.map((start) => start.toPrecision(6))).size > 1
      ? errorRange(valuesOf(panel), starts[panel] ?? options.start, options.log)
      : common,
  );
  const chart = svg('svg', {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    'font-size': 12,
    color: colours.ink,
    fill: colours.ink,
  });
  chart.append(
    svg(
      'text',
      { x: 0, y: 10, fill: colours.muted, 'font-size': 12 },
      `${options.yLabel} against ${options.xLabel.toLowerCase()}`,
    ),
  );
  chart.append(...key.elements);
  const margin = { left: 44, right: 14, top: 26, bottom: 26 };
  const domain: [number, number] = options.domain ?? [places[0] ?? 0, places.at(-1) ?? 1];
  const plotWidth = panelWidth - margin.left - margin.right;
  const ticks =
    options.ticks &&
    fitting(options.ticks, ({ position }) => ((position - domain[0]) / (domain[1] - domain[0])) * plotWidth);
  // A long one is set smaller, so that it ends where its panel does.
  const titleSize = (title: string) => Math.min(12, (12 * (panelWidth - margin.left)) / (1.22 * textWidth(title)));
  const panels = titles.map((title, place) => {
    const left = (place % columns) * (panelWidth + gap);
    const from = head + Math.floor(place / columns) * (panelHeight + 12);
    const [bottom, top] = ranges[place] ?? common;
    const levels = errorTicks(bottom, top, options.log, 4);
    const ceiling = options.log ? 10 * top : top + 2 * (top - bottom);
    const marks: Markish[] = [
      gridY({ stroke: colours.faint, strokeOpacity: 1, ticks: levels }),
      axisY({ label: null, tickSize: 0, ticks: levels, tickFormat: errorTick, fill: colours.muted }),
      axisX({
        label: null,
        tickSize: 0,
        tickPadding: 6,
        ticks: ticks ? ticks.map(({ position }) => position) : 4,
        ...(ticks ? { tickFormat: (_: number, at: number) => ticks[at]?.text ?? '' } : {}),
        fill: colours.muted,
      }),
      ...series.map(({ name, colour, dash, errors, places: own }) =>
        line(errors[place] ?? [], {
          x: (_: Score, at: number) => (own?.[place] ?? places)[at],
          y: (error: Score) => (error === null ? NaN : Math.max(options.log ? bottom : 0, Math.min(error, ceiling))),
          stroke: colour,
          strokeWidth: 1.4,
          strokeDasharray: dash || undefined,
          clip: true,
          ariaLabel: () => name,
        }),
      ),
    ];
    const plotted = drawPlot(
      {
        width: panelWidth,
        height: panelHeight,
        marginTop: margin.top,
        marginRight: margin.right,
        marginBottom: margin.bottom,
        marginLeft: margin.left,
        x: { domain, axis: null },
        y: { domain: [bottom, top], type: options.log ? 'log' : 'linear', axis: null },
        marks,
      },
      colours,
    );
    plotted.chart.setAttribute('x', String(left));
    plotted.chart.setAttribute('y', String(from));
    plotted.chart.append(
      svg(
        'text',
        { x: margin.left, y: 16, 'text-anchor': 'start', 'font-size': titleSize(title), 'font-weight': 600, fill: colours.ink },
        title,
      ),
    );
    // The first place off the scale.
    series.forEach(({ errors, colour, places: own }, row) => {
      const at = (errors[place] ?? []).findIndex((error) => error === null || error > top);
      if (at < 0) return;
      const sign = (errors[place]?.[at] ?? null) === null ? cross : triangle;
      plotted.chart.append(sign(plotted.x((own?.[place] ?? places)[at] ?? 0) + 3 * (row % 3), margin.top - 3, colour));
    });
    chart.append(plotted.chart);
    return { left, from, top, plotted };
  });

  const hit = (pointerX: number, pointerY: number): Hit | null => {
    const place = panels.findIndex(
      ({ left, from }) =>
        pointerX >= left && pointerX < left + panelWidth && pointerY >= from && pointerY < from + panelHeight,
    );
    const panel = panels[place];
    if (!panel) return null;
    const at = nearest(places.map(panel.plotted.x), pointerX - panel.left);
    const pixelX = panel.left + panel.plotted.x(places[at] ?? 0);
    const found = series
      .map((one) => ({ one, own: one.places ? (one.places[place] ?? []).indexOf(places[at] ?? NaN) : at }))
      .filter(({ one, own }) => own >= 0 && own < (one.errors[place] ?? []).length)
      .map(({ one, own }) => ({ one, error: one.errors[place]?.[own] ?? null }))
      .map((entry) => ({ ...entry, pixel: panel.from + panel.plotted.y(Math.min(entry.error ?? panel.top, panel.top)) }))
      .sort((left, right) => (left.error ?? Infinity) - (right.error ?? Infinity));
    const closest = nearest(
      found.map(({ pixel }) => pixel),
      pointerY,
    );
    return {
      tip: {
        title: `${titles[place]}, ${options.placeText?.(places[at] ?? 0) ?? `${options.xLabel.toLowerCase()} ${places[at]}`}`,
        rows: found.map(({ one, error }, row) => ({
          colour: one.colour,
          dash: one.dash,
          name: one.name,
          value: [error === null ? 'diverged' : score(error), ...(one.note ? [one.note] : [])].join('  ·  '),
          strong: row === closest,
        })),
      },
      marks: [
        svg('path', {
          d: `M${pixelX} ${panel.from + margin.top}V${panel.from + panelHeight - margin.bottom}`,
          stroke: colours.muted,
          'stroke-opacity': 0.5,
        }),
        ...found.map(({ one, pixel }, row) =>
          svg('circle', {
            cx: pixelX,
            cy: pixel,
            r: row === closest ? 4 : 2,
            fill: one.colour,
            stroke: colours.ground,
          }),
        ),
      ],
    };
  };
  return {
    chart,
    description: `${titles.length} panels: ${titles.join('; ')}.`,
    hit,
    stops: panels.map(({ left, from }): [number, number] => [left + panelWidth - margin.right - 1, from + panelHeight / 2]),
  };
}
