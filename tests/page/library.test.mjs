// Figures of papers, and the pages over several papers: the index and the atlas.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertQuiet, browserOfTests, dataOf, open, openForTests, writeReport } from './browser.mjs';
import { fixture, published } from './fixture.mjs';

const browser = browserOfTests();
const full = fixture.full();

// No column of the page is cut off: only tables may be scrolled within it.
const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

async function inEveryWindow(path, test) {
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ]) {
    const opened = await open(browser(), path, { viewport: { width, height: 800 }, colorScheme });
    assertQuiet(opened);
    assert.ok(await fits(opened.page), `${width} pixels`);
    await test(opened.page, width);
    await opened.context.close();
  }
}

describe('a study with one algorithm in every setting', () => {
  const one = structuredClone(fixture.small());
  for (const { metrics } of one.settings)
    for (const metric of metrics) metric.algorithms = metric.algorithms.slice(0, 1);

  it('has scores, and does not ask which algorithm to use', () =>
    inEveryWindow(writeReport('one-algorithm', one), async (page) => {
      assert.equal(await page.locator('#advice h2').textContent(), 'Scores');
      const first = await page.locator('#advice tbody td').first().textContent();
      assert.ok(Number(first) > 0 && first !== '1.00', first);
      assert.doesNotMatch(await page.locator('#advice').textContent(), /ratio to the best/);
    }));
});

describe('figures of a paper', () => {
  let page;
  openForTests(browser, writeReport('figures', full), (made) => {
    page = made.page;
  });
  const chart = (id) => page.locator(`[data-figure="${id}"] .chart > svg`);

  it('have a panel for each algorithm, in the order of the figure, and a line for each value', async () => {
    const { rows, lineValues } = full.figures[0];
    const titles = await chart('by-lambda').locator('text[font-weight="600"]').allTextContents();
    assert.deepEqual(
      titles,
      rows[0].algorithms.map((place) => full.algorithms[place].name),
    );
    // TD(0) has no λ, and one line of its own.
    const lines = await chart('by-lambda').locator('path[aria-label]').count();
    assert.equal(lines, (titles.length - 1) * lineValues.length + 1);
    assert.equal(await page.locator('[data-figure="by-lambda"] .figure-key-entry').count(), lineValues.length);
  });

  it('have curves at the stated parameters', async () => {
    const names = await chart('stated')
      .locator('path[aria-label]:not([aria-label$=" band"])')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('aria-label')));
    assert.deepEqual(names, ['TD(λ), α = 0.00625', 'TD(λ), α = 0.0125']);
  });

  it('have bars with their lengths', async () => {
    const widths = await chart('over-td')
      .locator('.bar-of-figure rect')
      .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('width'))));
    assert.equal(widths.length, 5);
    assert.ok(Math.abs(widths[1] / widths[0] - 0.9) < 0.01);
    assert.ok(widths[3] > 1.02 * widths[0] && widths[3] === widths[4], 'what is too long ends at the edge');
  });

  it('stand beside published numbers, those that differ marked', async () => {
    const colours = await page
      .locator('#published .interval circle')
      .evaluateAll((dots) => dots.map((dot) => dot.getAttribute('fill')));
    assert.equal(colours.length, 2); // one diverged
    assert.notEqual(colours[0], colours[1]);
    assert.match(await page.locator('#published h3').textContent(), /2 of 3 published numbers agree/);
  });
});

const paper = (study, verdicts, numbers) => ({
  study,
  description: `About ${study}.`,
  program: 'bellwether 0',
  whole: study !== 'doe2020',
  agentSteps: 1.5e10,
  report: `${study}/report.html`,
  claims: verdicts.map((verdict, place) => ({
    id: String(place + 1),
    statement: `<b>Claim</b> ${place + 1} of ${study}.`,
    verdict,
    parts: verdict === 'mixed' ? [{ id: '1a', verdict: 'held' }, { id: '1b', verdict: 'not held' }] : [],
  })),
  numbers,
});

describe('the index', () => {
  const data = {
    format: 1,
    kind: 'index',
    program: 'bellwether 0',
    papers: [paper('doe2020', ['held', 'mixed'], published), paper('roe2021', ['held', 'undecided', 'not held'], [])],
  };
  const path = writeReport('index', data);

  it('has a row and a link for each paper, a sign for each claim, and every claim that is not held', () =>
    inEveryWindow(path, async (page) => {
      const links = await page.locator('#papers th a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      assert.deepEqual(links, ['doe2020/report.html', 'roe2021/report.html']);
      assert.equal(await page.locator('#papers .badge').count(), 5);
      assert.equal(await page.locator('#disagreements tbody tr').count(), 3);
      assert.match(await page.locator('#disagreements tbody tr').first().textContent(), /<b>Claim<\/b> 2 of doe2020/);
      assert.equal(await page.locator('#agreement figure').count(), 1);
    }));
});

describe('the atlas', () => {
  const entry = (algorithm, ratio) => ({
    algorithm,
    configurations: 10,
    score: ratio && 0.1 * ratio,
    interval: ratio && [0.09 * ratio, 0.11 * ratio],
    ratio,
    within50: 0.4,
    failureRate: algorithm === 2 ? 0.9 : 0,
    nanoseconds: null,
  });
  const problem = (setting, entries) => ({
    study: 'doe2020',
    setting,
    title: `The ${setting}`,
    metric: 'rmsve',
    policy: 'off',
    entries,
  });
  const data = {
    format: 1,
    kind: 'atlas',
    program: 'bellwether 0',
    algorithms: full.algorithms.slice(0, 3),
    summaries: [1.1, 1.5, null].map((typical, algorithm) => ({
      algorithm,
      problems: 2 - (algorithm > 1),
      typical,
      worst: typical && 2 * typical,
      worstIn: 0,
      within50: 0.4,
      failureRate: 0.01 * algorithm,
      cost: algorithm === 1 ? null : 1 + algorithm,
    })),
    problems: [problem('walk', [entry(0, 1), entry(1, 1.5), entry(2, null)]), problem('star', [entry(0, 1.2), entry(1, 1)])],
    advice: [{ situation: 'Otherwise', paper: 'TD(λ)', verdict: 'undecided', numbers: ['TD(λ) over TD(0): 0.9'] }],
  };
  const path = writeReport('atlas', data);

  it('has algorithms over all problems and by problem, and judges recommendations', () =>
    inEveryWindow(path, async (page) => {
      const typical = page.locator('#summary tbody td:nth-of-type(2)');
      assert.deepEqual(await typical.allTextContents(), ['1.10', '1.50', '∞']);
      assert.equal(await page.locator('#problems tbody tr').count(), 3);
      assert.equal(await page.locator('#problems tbody td.poor').count(), 1);
      assert.match(await page.locator('#advice').textContent(), /undecided/);
      await page.locator('#summary th .sort', { hasText: 'failures' }).click();
      await page.locator('#summary th .sort', { hasText: 'failures' }).click();
      assert.equal(await typical.first().textContent(), '∞');
    }));
});

for (const [name, path] of Object.entries({ INDEX_HTML: process.env.INDEX_HTML, ATLAS_HTML: process.env.ATLAS_HTML }))
  if (path)
    describe(`${name} of the program`, () => {
      it('opens from a disk in every window', () =>
        inEveryWindow(path, async (page) => {
          const data = dataOf(path);
          const wanted = data.kind === 'index' ? data.papers.length : data.summaries.length;
          assert.ok(wanted > 0);
          assert.equal(await page.locator('section tbody').first().locator('tr').count(), wanted);
        }));
    });
