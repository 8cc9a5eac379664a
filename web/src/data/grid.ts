import type { AlgorithmResult, Setting } from '../report-data';

// Configuration numbers count with the first parameter fastest; those of a union of grids are listed.

export function indicesOf(result: AlgorithmResult, configuration: number): number[] {
  const { places } = result;
  if (places) return result.grid.map((_, axis) => places[configuration * result.grid.length + axis] ?? 0);
  let rest = configuration;
  return result.grid.map(({ values }) => {
    const index = rest % values.length;
    rest = Math.floor(rest / values.length);
    return index;
  });
}

// -1 where a union of grids does not have it.
export function configurationOf(result: AlgorithmResult, indices: readonly number[]): number {
  if (result.places)
    return result.scores.findIndex((_, configuration) =>
      indicesOf(result, configuration).every((place, axis) => place === indices[axis]),
    );
  let stride = 1;
  let configuration = 0;
  result.grid.forEach(({ values }, axis) => {
    configuration += stride * (indices[axis] ?? 0);
    stride *= values.length;
  });
  return configuration;
}

// After how many steps, or episodes, the error at this place of a learning curve was measured.
export const timeOf = (setting: Setting, place: number): number =>
  place === 0 ? 0 : (place - 1) * setting.every + setting.firstMeasured;

export const axisOf = (result: AlgorithmResult, parameter: number): number =>
  result.grid.findIndex((axis) => axis.parameter === parameter);

export interface Point {
  value: number; // of the parameter
  configuration: number;
}

// The configurations that differ from `from` in one parameter only.
export function sliceOf(result: AlgorithmResult, parameter: number, from = result.best): Point[] {
  const axis = axisOf(result, parameter);
  if (axis < 0) return [];
  const indices = indicesOf(result, from);
  return (result.grid[axis]?.values ?? [])
    .map((value, index) => ({
      value,
      configuration: configurationOf(
        result,
        indices.map((old, place) => (place === axis ? index : old)),
      ),
    }))
    .filter(({ configuration }) => configuration >= 0)
    .sort((left, right) => left.value - right.value);
}

// The best configuration with each value of a parameter: the others are selected again.
export function reselectedOf(result: AlgorithmResult, parameter: number): Point[] {
  const axis = axisOf(result, parameter);
  if (axis < 0) return [];
  const least: number[] = [];
  const selected: number[] = [];
  result.scores.forEach((score, configuration) => {
    const index = indicesOf(result, configuration)[axis] ?? 0;
    if (selected[index] !== undefined && !((score ?? Infinity) < (least[index] ?? Infinity))) return;
    least[index] = score ?? Infinity;
    selected[index] = configuration;
  });
  return (result.grid[axis]?.values ?? [])
    .map((value, index) => ({ value, configuration: selected[index] ?? 0 }))
    .sort((left, right) => left.value - right.value);
}

// Whether every value stands with as many configurations: in a union of grids some may stand with few values of the other
// parameters, and then neighbours have little to do with each other.
export function hasEqualShares(result: AlgorithmResult, parameter: number): boolean {
  const axis = axisOf(result, parameter);
  const shares = new Map<number, number>();
  result.scores.forEach((_, configuration) => {
    const index = indicesOf(result, configuration)[axis] ?? 0;
    shares.set(index, (shares.get(index) ?? 0) + 1);
  });
  return new Set(shares.values()).size <= 1;
}

// The same with one value of a second parameter.
export function reselectedAt(result: AlgorithmResult, parameter: number, other: number, value: number): Point[] {
  const axis = axisOf(result, parameter);
  const otherAxis = axisOf(result, other);
  const wanted = result.grid[otherAxis]?.values.indexOf(value) ?? -1;
  if (axis < 0 || wanted < 0) return [];
  const least: number[] = [];
  const selected: number[] = [];
  result.scores.forEach((score, configuration) => {
    const indices = indicesOf(result, configuration);
    const index = indices[axis] ?? 0;
    if (indices[otherAxis] !== wanted) return;
    if (selected[index] !== undefined && !((score ?? Infinity) < (least[index] ?? Infinity))) return;
    least[index] = score ?? Infinity;
    selected[index] = configuration;
  });
  // A grid need not have all pairs of values.
  return (result.grid[axis]?.values ?? [])
    .flatMap((at, index) => {
      const configuration = selected[index];
      return configuration === undefined ? [] : { value: at, configuration };
    })
    .sort((left, right) => left.value - right.value);
}

// Parameters of which some algorithm tried more than one value, in the order of the data.
export function variedParameters(results: readonly AlgorithmResult[]): number[] {
  const varied = new Set<number>();
  for (const { grid } of results) for (const { parameter, values } of grid) if (values.length > 1) varied.add(parameter);
  return [...varied].sort((left, right) => left - right);
}
