// Made-up results in the shape of web/src/report-data.ts, the same in every run. `full` has everything that a page can show,
// and `small` is what a study of one's own looks like: no claims, no advice, no runtimes, no real time.

// A small generator of its own: tests must not depend on the weather.
function uniform(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const parameters = [
  { name: 'alpha', symbol: 'α', help: 'step size of w' },
  { name: 'eta', symbol: 'η', help: 'step size of h as a multiple of α' },
  { name: 'lambda', symbol: 'λ', help: 'trace parameter' },
];

const allAlgorithms = [
  ['td0', 'TD(0)', [0], '#5f6b76', '#a9b4be', ''],
  ['td', 'TD(λ)', [0, 2], '#000000', '#f0f0f0', ''],
  ['gtd', 'GTD(λ)', [0, 1, 2], '#0072b2', '#56a8e0', ''],
  ['to-gtd', 'TO-GTD(λ)', [0, 1, 2], '#0072b2', '#56a8e0', '6 3'],
  ['to-etd', 'TO-ETD(λ)', [0, 2], '#d55e00', '#f08a3c', '6 3'],
];

const values = [
  [-4, -3, -2, -1, 0, 1, 2, 3].map((power) => 0.1 * 2 ** power),
  [-4, -1, 0, 1, 4].map((power) => 2 ** power),
  [0, 0.4, 0.8, 0.9, 0.95, 1],
];

const thresholds = Array.from({ length: 21 }, (_, place) => 0.05 * 40 ** (place / 20));

function curve(start, end, steps, error, breaksAt = Infinity) {
  const at = (step) => (step >= breaksAt ? null : end + (start - end) * Math.exp((-4 * step) / steps));
  const mean = Array.from({ length: steps + 1 }, (_, step) => at(step));
  return { mean, standardError: mean.map((value) => (value === null ? null : error)) };
}

function result(place, kinds, { steps, runs, start, diverging }, random) {
  const grid = kinds.map((parameter) => ({ parameter, values: values[parameter] }));
  const count = grid.reduce((product, axis) => product * axis.values.length, 1);
  const base = 0.1 + 0.25 * random();
  const scores = [];
  for (let configuration = 0; configuration < count; ++configuration) {
    const alpha = values[0][configuration % values[0].length];
    const distance = Math.abs(Math.log2(alpha / 0.1) + place / 2);
    // Large steps diverge, somewhat smaller ones are absurdly bad.
    const absurd = alpha > 0.7 && place > 0 ? (random() < 0.5 ? null : 1e295 * random()) : undefined;
    scores.push(absurd === undefined ? base + 0.08 * distance + 0.02 * random() : absurd);
  }
  const finite = scores.map((score) => score ?? Infinity);
  const best = finite.indexOf(Math.min(...finite));
  const sorted = [...finite].sort((left, right) => left - right);
  const quantile = (share) => sorted[Math.round(share * (count - 1))];
  const share = (test) => finite.filter(test).length / count;
  const least = sorted[0];
  const estimate = (score) => ({
    runs,
    diverged: score === null ? 1 : 0,
    score,
    standardError: score === null ? null : 0.004,
    interval: score === null ? null : [score - 0.01, score + 0.01],
    deviation: score === null ? null : 0.05,
    firstProbability: 0.25,
  });
  return {
    algorithm: place,
    grid,
    places: null,
    scores,
    standardErrors: scores.map((score) => (score === null ? null : score > 1e6 ? score / 3 : 0.004)),
    diverged: scores.map((score) => (score === null ? 3 : 0)),
    best,
    edges: grid.map(({ values: tried }, axis) => {
      const stride = grid.slice(0, axis).reduce((product, one) => product * one.values.length, 1);
      const index = Math.floor(best / stride) % tried.length;
      if (index > 0 && index < tried.length - 1) return 'inside';
      return axis > 0 && axis === grid.length - 1 ? 'bound' : index === 0 ? 'least' : 'greatest';
    }),
    bestProbability: 0.5,
    selection: estimate(least),
    fresh: estimate(diverging ? null : least * 1.02),
    selectionCurve: curve(start, least, steps, 0.01),
    freshCurve: curve(start, least * 1.02, steps, 0.01, diverging ? steps / 2 : Infinity),
    shares: {
      diverged: share((score) => score === Infinity),
      worseThanStart: share((score) => score > start),
      within10: share((score) => score <= 1.1 * least),
      within50: share((score) => score <= 1.5 * least),
    },
    quantiles: [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1].map(quantile).map((score) => (score === Infinity ? null : score)),
    areas: grid.map(() => ({ reselected: 1.2 * least, frozen: 1.6 * least })),
    robust: {
      stage: 'fresh',
      runs,
      diverged: diverging ? 1 : 0,
      failed: diverging ? 2 : 0,
      failureInterval: diverging ? [0.06, 0.51] : [0, 0.28],
      iqm: [least, 0.98 * least, 1.03 * least],
      median: [least, 0.97 * least, 1.04 * least],
      profile: {
        share: thresholds.map((threshold) => Math.min(1, Math.max(0, threshold / least - 0.7))),
        low: thresholds.map((threshold) => Math.min(1, Math.max(0, threshold / least - 0.75))),
        high: thresholds.map((threshold) => Math.min(1, Math.max(0, threshold / least - 0.65))),
      },
    },
    tuning: { tried: [1, 2, 5, count], score: [start, 0.8 * start, 0.6 * start, least] },
  };
}

function data(kind) {
  const full = kind === 'full';
  const random = uniform(full ? 7 : 11);
  const chosen = full ? allAlgorithms : allAlgorithms.slice(0, 3);
  const setting = (id, title, steps, metrics) => ({
    id,
    title,
    steps,
    every: 1,
    firstMeasured: 1,
    unit: 'step',
    scoredSteps: steps / 2,
    metrics: metrics.map((metric) => ({
      id: metric,
      help: 'an error',
      instances: 2,
      runs: 5,
      freshRuns: 5,
      initialError: 1,
      thresholds,
      algorithms: chosen.map(([, , kinds], place) =>
        result(place, kinds, { steps, runs: 10, start: 1, diverging: full && metric === 'rmspbe' && place === 4 }, random),
      ),
    })),
  });
  const settings = [
    setting('walk', 'A random walk', 60, ['mave']),
    setting('baird', 'Baird’s counterexample', 80, full ? ['rmsve', 'rmspbe'] : ['rmsve']),
  ];
  const made = {
    format: 1,
    program: 'bellwether 0.1.0',
    study: { name: `${kind} fixture`, description: 'Made-up results', text: `name = "${kind} fixture"\nseed = 1\n` },
    facts: [
      ['Seed', '1'],
      ['Machine', 'none'],
    ],
    algorithms: chosen.map(([id, name, , light, dark, dash]) => ({
      id,
      name,
      summary: `${name}, made up`,
      light,
      dark,
      dash,
    })),
    parameters,
    settings,
    commonConfigurations: full
      ? settings[0].metrics[0].algorithms.map(({ algorithm, best, edges }) => ({
          metric: 'mave',
          algorithm,
          settings: ['walk', 'baird'],
          configuration: best,
          edges,
          ratios: algorithm === 4 ? [1.2, null] : [1.1, 1.3],
          common: algorithm === 4 ? null : 1.196,
          tuned: 1.05,
        }))
      : [],
    figures: [],
    published: [],
    claims: [],
    readings: null,
    advice: [],
    runtimes: null,
    realTime: [],
  };
  return full ? { ...made, ...extras(made) } : made;
}

// Comparisons of every unit; the last ones have an infinite interval and nothing at all.
function evidenceOf(verdict, count) {
  const units = ['ratio', 'difference', 'share'];
  const rows = Array.from({ length: count }, (_, line) => {
    const unit = units[line % 3];
    const estimate = { ratio: 0.8 + 0.1 * line, difference: 0.02 * line - 0.04, share: Math.min(1, 0.3 * line) }[unit];
    return {
      place: 'walk',
      label: `comparison ${line + 1}`,
      words: `walk: comparison ${line + 1}, number ${line + 1}`,
      unit,
      estimate,
      interval: unit === 'share' ? null : [estimate * 0.9, line > 5 ? null : estimate * 1.2],
      target: { ratio: [0, 1], difference: [-0.05, 0.05], share: [0.5, 1] }[unit],
      verdict: verdict === 'mixed' ? 'held' : verdict,
    };
  });
  const nothing = { place: 'walk', label: 'not measured', words: 'not measured', unit: null, estimate: null };
  return [...rows, { ...nothing, interval: null, target: null, verdict: 'undecided' }];
}

// Numbers of a paper that agree, that do not, and one of which ours diverged.
export const published = [
  { title: 'Table 1', label: 'TD(λ)', theirs: 0.3, error: 0.01, ours: 0.31, low: 0.29, high: 0.33, agrees: true },
  { title: 'Table 1', label: 'GTD(λ)', theirs: 0.2, error: 0, ours: 0.31, low: 0.29, high: 0.33, agrees: false },
  { title: 'Table 2', label: 'TO-ETD(λ)', theirs: 12, error: 1, ours: null, low: 11, high: null, agrees: true },
].map((number) => ({ setting: 'walk', ...number }));

// A figure of each kind, of the first setting.
function figuresOf({ id, metrics: [metric] }) {
  const row = { setting: id, metric: metric.id, algorithms: [], curves: [], bars: [], relativeTo: null };
  const none = { x: null, lines: [], lineValues: [] };
  const all = metric.algorithms.map(({ algorithm }) => algorithm);
  return [
    {
      id: 'by-lambda',
      title: 'Score by α and λ',
      kind: 'sensitivity',
      x: 0,
      lines: [2],
      lineValues: values[2].map((value, place) => ({ value, light: `#0000${40 + place}`, dark: `#ffff${40 + place}` })),
      rows: [{ ...row, algorithms: [...all].reverse() }],
    },
    {
      id: 'stated',
      title: 'Curves as they show them',
      kind: 'curves',
      ...none,
      rows: [
        {
          ...row,
          curves: [0, 1].map((configuration) => ({ algorithm: all[1], configuration, curve: curve(1, 0.3, 60, 0.01) })),
        },
      ],
    },
    {
      id: 'over-td',
      title: 'Over TD(0)',
      kind: 'bars',
      ...none,
      rows: [
        {
          ...row,
          algorithms: all,
          relativeTo: all[0],
          bars: all.map((algorithm, place) => ({
            algorithm,
            ratio: place === 4 ? null : place === 3 ? 7 : 1 - 0.1 * place,
            interval: place === 4 ? null : [0.9 - 0.1 * place, 1.1 - 0.1 * place],
          })),
        },
      ],
    },
  ];
}

function extras({ algorithms, settings }) {
  const verdicts = ['held', 'not held', 'undecided', 'held', 'mixed', 'mixed'];
  const iterations = Array.from({ length: 21 }, (_, place) => 3 * place);
  const panels = (scale) =>
    Array.from({ length: 9 }, (_, panel) => ({
      duration: scale * (panel + 1),
      samples: algorithms.map((__, place) => 60 / (1 + place / (panel + 1))),
      errors: algorithms.map((__, place) =>
        iterations.map((step) =>
          place === 4 && panel === 0 && step > 30 ? null : Math.exp((-step * (panel + 1)) / (200 + 40 * place)),
        ),
      ),
    }));
  const scales = (costs, policy) => (costs === 'paper' && policy === 'off' ? [1.9, 1.8, 2] : [null]);
  const combinations = ['paper', 'measured', 'measured-dense'].flatMap((costs) =>
    ['on', 'off'].flatMap((policy) =>
      ['quantised', 'proportional'].flatMap((time) =>
        scales(costs, policy).map((slowest) => ({ costs, policy, time, slowest })),
      ),
    ),
  );
  const realTime = combinations.map(({ costs, policy, time, slowest }) => ({
      costs,
      time,
      slowest,
      policy,
      setting: settings[0].id,
      metric: 'mave',
      unit: costs === 'paper' ? 'ms' : 'ns',
      algorithms: algorithms.map((_, algorithm) => ({ algorithm, cost: 10 + 5 * algorithm })),
      iterations,
      panels: panels((costs === 'paper' ? 10 : 20) * (slowest ?? 1)),
    }));
  return {
    figures: figuresOf(settings[0]),
    published,
    claims: verdicts.map((verdict, place) => ({
      id: String(place + 1),
      statement: `Claim ${place + 1} is a statement.`,
      verdict,
      parts: Array.from({ length: 1 + (place % 2) }, (_, part) => ({
        id: place % 2 ? `${place + 1}${'ab'[part]}` : String(place + 1),
        statement: `Part ${part + 1} of claim ${place + 1}.`,
        rule: `Rule ${place + 1} decides.`,
        verdict: verdict === 'mixed' ? ['held', 'not held'][part] : verdict,
        evidence: evidenceOf(verdict, 1 + 2 * place),
        thresholds: [
          {
            check: 'similar',
            key: 'within',
            value: 0.1,
            pieces: [
              { from: 0.02, to: 0.07, verdict: 'not held' },
              { from: 0.07, to: 0.3, verdict: 'held' },
            ],
          },
        ],
      })),
    })),
    readings: {
      columns: ['study', 'l1', 'steps-2000', 'unnormalised'].map((id, column) => ({
        id,
        statement: `Reading ${id} is a statement.`,
        settings: column === 1 ? ['walk'] : ['walk', 'baird'],
        size: '30 × 10',
      })),
      // Claim 1 is touched by one reading, the others by all; claim 2 turns round under the last.
      rows: verdicts.map((verdict, place) => ({
        id: String(place + 1),
        statement: `Claim ${place + 1} is a statement.`,
        cells: [0, 1, 2, 3].map((column) => {
          const untouched = place === 0 && column > 1;
          return {
            verdict: place === 1 && column === 3 ? 'held' : verdict,
            untouched,
            numbers: untouched ? [] : [`number of claim ${place + 1} in column ${column}`],
          };
        }),
      })),
      leftOut: ['readings that were not run: seed-2018'],
    },
    advice: [{ situation: 'On-policy', paper: 'TD(λ)', verdict: 'held', numbers: ['TD(λ): 0.2'] }],
    runtimes: {
      machine: 'none',
      steps: 500,
      reference: 'td0',
      rows: algorithms.map((_, algorithm) => ({
        algorithm,
        policies: ['one-hot', 'dense'].flatMap((features, kind) =>
          ['on', 'off'].map((policy) => ({
            policy,
            features,
            microseconds: 20 + 50 * kind + 10 * algorithm,
            low: 19 + 50 * kind + 10 * algorithm,
            high: 22 + 50 * kind + 10 * algorithm,
            paper: algorithm === 3 ? null : 100 + 40 * algorithm,
            sweepNanoseconds: 3 + kind + algorithm,
          })),
        ),
      })),
    },
    realTime,
  };
}

export const fixture = { full: () => data('full'), small: () => data('small') };
