import { fontFamily, type Palette } from '../theme';
import { h, svg } from './dom';

export function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = h('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // Some browsers read the blob only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export const fileName = (...parts: string[]): string =>
  parts
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100) || 'bellwether';

export interface Heading {
  title: string;
  subtitle: string;
}

// Greedy filling; an average glyph is a good enough ruler for a subtitle.
function wrapped(text: string, width: number): string[] {
  const room = Math.floor(width / 6.2);
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < room) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

// A chart that stands alone: its ground, its title and its size are in the file.
export function standalone(chart: SVGSVGElement, heading: Heading, colours: Palette): SVGSVGElement {
  const width = Number(chart.getAttribute('width'));
  const height = Number(chart.getAttribute('height'));
  const margin = 20;
  const lines = wrapped(heading.subtitle, width);
  const top = 50 + 16 * lines.length;
  const whole = svg('svg', {
    xmlns: 'http://www.w3.org/2000/svg',
    width: width + 2 * margin,
    height: height + top + margin,
    viewBox: `0 0 ${width + 2 * margin} ${height + top + margin}`,
    'font-family': fontFamily,
  });
  whole.append(svg('rect', { width: '100%', height: '100%', fill: colours.ground }));
  whole.append(svg('text', { x: margin, y: 32, 'font-size': 17, 'font-weight': 600, fill: colours.ink }, heading.title));
  lines.forEach((line, place) =>
    whole.append(svg('text', { x: margin, y: 52 + 16 * place, 'font-size': 12, fill: colours.muted }, line)),
  );
  chart.setAttribute('x', String(margin));
  chart.setAttribute('y', String(top));
  whole.append(chart);
  return whole;
}

const serialized = (chart: SVGSVGElement): string => new XMLSerializer().serializeToString(chart);

export function saveSvg(name: string, chart: SVGSVGElement): void {
  save(`${name}.svg`, new Blob([serialized(chart)], { type: 'image/svg+xml' }));
}

export async function savePng(name: string, chart: SVGSVGElement): Promise<void> {
  const scale = 2;
  const width = Number(chart.getAttribute('width'));
  const height = Number(chart.getAttribute('height'));
  const image = new Image();
  // A data: address, as a canvas that drew a blob: of a page on disk would count as tainted.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(serialized(chart))}`;
  await image.decode();
  const canvas = h('canvas', { width: scale * width, height: scale * height });
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser gives no canvas to draw on.');
  context.scale(scale, scale);
  context.drawImage(image, 0, 0, width, height);
  // At once: toBlob waits until the browser is idle, for some seconds, and what is saved so long after a click it keeps back.
  const [, encoded] = canvas.toDataURL('image/png').split(',');
  if (!encoded) throw new Error('This browser could not write the PNG.');
  const content = new Blob([Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))], { type: 'image/png' });
  save(`${name}.png`, content);
}
