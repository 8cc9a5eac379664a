import { count, isPowerOfTwo, parameterValue, powerOfTwo } from '../data/format';

// One algorithm that diverges must not squash the others: beyond the error of w_0 (or of what `needed` says must be seen, if
// that is not much worse) there is little to be told apart, and what lies there is marked at the edge.
export function errorRange(values: number[], start: number, log: boolean, needed = 0): [bottom: number, top: number] {
  const finite = values.filter((value) => Number.isFinite(value));
  let least = Infinity;
  let most = -Infinity;
  let leastPositive = Infinity;
  for (const value of finite) {
    least = Math.min(least, value);
    most = Math.max(most, value);
    if (value > 0) leastPositive = Math.min(leastPositive, value);
  }
  if (!Number.isFinite(least)) return log ? [0.01, 1] : [0, 1];
  const limit = 1.2 * Math.max(start, least, Math.min(needed, (log ? 10 : 3) * start));
  const top = Math.max(Math.min(1.04 * most, limit), Number.MIN_VALUE);
  if (log) {
    const bottom = Math.max(0.94 * Math.min(leastPositive, 0.9 * top), 1e-12 * top);
    return [bottom, 1.03 * top];
  }
  if (least < 0.5 * top) return [Math.min(0, least), top];
  return [least - 0.08 * (top - least || top), top];
}

// Round levels; on a logarithmic scale as dense as the scale is short.
export function errorTicks(bottom: number, top: number, log: boolean, wanted = 6): number[] {
  if (!log) return linearTicks(bottom, top, wanted);
  const inside = (digits: number[], stride = 1): number[] => {
    const found: number[] = [];
    const first = Math.floor(Math.log10(bottom));
    for (let power = first - (((first % stride) + stride) % stride); power <= Math.log10(top); power += stride)
      for (const digit of digits) {
        const level = Number(`${digit}e${power}`);
        if (level >= bottom && level <= top) found.push(level);
      }
    return found;
  };
  const dense = [[1, 1.5, 2, 3, 4, 5, 6, 8], [1, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]].map((digits) => inside(digits));
  const sparse = [2, 3, 4, 6, 12, 24, 48, 96].map((stride) => inside([1], stride));
  const fit = [...dense, ...sparse].find((levels) => levels.length <= wanted + 1) ?? [];
  return fit.length >= 3 ? fit : linearTicks(bottom, top, wanted);
}

function linearTicks(bottom: number, top: number, wanted: number): number[] {
  const raw = (top - bottom) / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((digit) => digit * power >= 0.75 * raw) ?? 10);
  const levels: number[] = [];
  for (let place = Math.ceil(bottom / step - 1e-9); place * step <= top * (1 + 1e-12); ++place)
    levels.push(Number((place * step).toPrecision(12)));
  return levels;
}

// 1, 2, 5, 10, … at the places of their logarithms.
export function decadeTicks(most: number): { position: number; text: string }[] {
  const ticks: { position: number; text: string }[] = [];
  for (let decade = 1; decade <= most; decade *= 10)
    for (const step of [1, 2, 5])
      if (step * decade <= most) ticks.push({ position: Math.log10(step * decade), text: count(step * decade) });
  return ticks;
}

export interface ParameterAxis {
  log: boolean;
  position(value: number): number; // on a linear scale
  domain: [number, number];
  ticks: { position: number; text: string }[];
}

// Step sizes are tried by powers, or by digits over several powers of ten, and are drawn so. A zero among them stands one
// step before the least. Where they go with another parameter they lie as they are.
export function parameterAxis(given: readonly number[], asTheyAre = false): ParameterAxis {
  const values = [...new Set(given)].sort((left, right) => left - right);
  const positive = values.filter((value) => value > 0);
  const ratios = positive.slice(1).map((value, place) => value / (positive[place] ?? value));
  const least = positive[0] ?? 1;
  const range = (positive.at(-1) ?? 1) / least;
  const log =
    !asTheyAre &&
    positive.length >= 3 &&
    positive.length >= values.length - 1 &&
    (values[0] ?? 0) >= 0 &&
    (range >= 1000 || (range >= 16 && Math.min(...ratios) >= 1.25));
  const step = Math.log2(Math.max(2, ...ratios.slice(0, 1)));
  const position = (value: number) => (!log ? value : value > 0 ? Math.log2(value) : Math.log2(least) - step);
  const powers = positive.every(isPowerOfTwo);
  const text = (value: number) =>
    log && powers && value > 0 ? powerOfTwo(value) : parameterValue(log ? Number(value.toPrecision(2)) : value);
  const places = values.map(position);
  const [first = 0, last = 1] = [places[0], places.at(-1)];
  const room = first === last ? 0.5 : 0.025 * (last - first);
  return {
    log,
    position,
    domain: [first - room, last + room],
    ticks: values.map((value, place) => ({ position: places[place] ?? 0, text: text(value) })),
  };
}

// Those ticks that fit side by side: every one, every second, every third, or else as many as there is room for.
export function fitting<T extends { text: string }>(ticks: readonly T[], pixel: (tick: T) => number, glyph = 6.6): T[] {
  const sorted = [...ticks].sort((left, right) => pixel(right) - pixel(left));
  const filled = (candidates: T[]): T[] => {
    let free = Infinity;
    return candidates.filter((tick) => {
      const half = (glyph * tick.text.length) / 2 + 4;
      const fits = pixel(tick) + half <= free;
      if (fits) free = pixel(tick) - half;
      return fits;
    });
  };
  for (const stride of [1, 2, 3]) {
    const regular = sorted.filter((_, place) => place % stride === 0);
    if (filled(regular).length === regular.length) return regular.reverse();
  }
  // Where values crowd, those of fewest digits are the round ones: 0.1, …, 0.9 and 1 of a λ that goes on as 0.91, 0.92, …
  const lengths = [...new Set(sorted.map(({ text }) => text.length))].sort((left, right) => right - left);
  for (const most of lengths) {
    const short = sorted.filter(({ text }) => text.length <= most);
    if (short.length >= 3 && filled(short).length === short.length) return short.reverse();
  }
  return filled(sorted).reverse();
}

// Positions moved apart to at least `gap`, in their order and within [low, high], each as little as that takes.
export function spread(wanted: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, place) => place).sort((left, right) => (wanted[left] ?? 0) - (wanted[right] ?? 0));
  // Neighbours that would collide form a block, centred where its members want to be on the average.
  const blocks: { sum: number; members: number[]; top: number }[] = [];
  const settle = (block: { sum: number; members: number[]; top: number }) => {
    const size = gap * (block.members.length - 1);
    block.top = Math.max(low, Math.min(high - size, block.sum / block.members.length - size / 2));
  };
  for (const place of order) {
    let block = { sum: wanted[place] ?? 0, members: [place], top: 0 };
    settle(block);
    for (let above = blocks.at(-1); above && above.top + gap * above.members.length > block.top; above = blocks.at(-1)) {
      blocks.pop();
      block = { sum: above.sum + block.sum, members: [...above.members, ...block.members], top: 0 };
      settle(block);
    }
    blocks.push(block);
  }
  const result: number[] = wanted.map(() => 0);
  for (const { members, top } of blocks)
    members.forEach((place, index) => {
      result[place] = top + gap * index;
    });
  return result;
}
