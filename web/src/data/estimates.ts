import type { EvaluationJson, PolicyEstimate } from '../log-data';

export interface NamedEstimate {
  id: string; // its name in evaluation.json
  name: string;
  group: string;
  estimate: PolicyEstimate;
  isAnswer: boolean;
}

const both = 'Weighted returns, corrected by learned values';
const learned = 'Learned values alone';
const weighted = 'Weighted returns alone';

// In the order of the page: what leans on both, on values, on weights.
const known: [id: string, name: string, group: string][] = [
  ['answer-q', 'doubly robust, then values (actions)', both],
  ['answer-v', 'doubly robust, then values (states)', both],
  ['wdr-q', 'weighted doubly robust (actions)', both],
  ['wdr', 'weighted doubly robust (states)', both],
  ['dr-q', 'doubly robust (actions)', both],
  ['dr', 'doubly robust (states)', both],
  ['lstd-q', 'least squares (actions)', learned],
  ['lstd', 'least squares (states)', learned],
  ['wpdis', 'weighted per decision', weighted],
  ['pdis', 'per decision', weighted],
  ['wis', 'weighted importance sampling', weighted],
  ['is', 'importance sampling', weighted],
];

const same = (one: PolicyEstimate, other: PolicyEstimate | undefined): boolean =>
  other !== undefined && one.estimate === other.estimate && one.lower === other.lower;

// Where the whole horizon is weighted, or none of it, an answer is another estimate; which one it then is.
const copies: Record<string, string[]> = { 'answer-q': ['wdr-q', 'lstd-q'], 'answer-v': ['wdr', 'lstd'] };

// Every estimate once.
export function namedEstimates({ estimates, answer, value }: EvaluationJson): NamedEstimate[] {
  const original = (id: string): string => {
    const own = estimates[id];
    return (own && copies[id]?.find((other) => same(own, estimates[other]))) ?? id;
  };
  return known.flatMap(([id, name, group]) => {
    const estimate = estimates[id];
    if (!estimate || original(id) !== id) return [];
    return [{ id, name, group, estimate, isAnswer: value !== null && id === original(answer) }];
  });
}
