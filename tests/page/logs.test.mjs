// The pages of evaluations and tunings, as the program writes them (LOG_PAGES: their directory, by make_reports.cmake).

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertQuiet, browserOfTests, dataOf, downloaded, missing, openForTests } from './browser.mjs';

const folder = process.env.LOG_PAGES ?? '';
const browser = browserOfTests(missing() ?? (existsSync(folder) ? null : 'LOG_PAGES names no directory'));

const pages = readdirSync(folder)
  .filter((name) => existsSync(join(folder, name, 'report.html')))
  .map((name) => {
    const path = join(folder, name, 'report.html');
    return { name, path, data: dataOf(path) };
  });
const evaluations = pages.filter(({ data }) => data.kind === 'evaluation');
const tunings = pages.filter(({ data }) => data.kind === 'tuning');
const number = (text) => Number(text.replaceAll('−', '-').replaceAll('\u202f', ''));

it('has pages of every kind of verdict', () => {
  const verdicts = new Set(evaluations.map(({ data }) => data.evaluation.verdict.split(':')[0]));
  assert.deepEqual([...verdicts].sort(), ['cannot tell', 'depends on the features', 'supported']);
  assert.ok(evaluations.some(({ data }) => data.evaluation.fitted));
  assert.deepEqual(new Set(tunings.map(({ data }) => data.tuning.can_tell)), new Set([true, false]));
});

for (const { name, path, data } of pages)
  describe(name, () => {
    let page;
    let opened;
    openForTests(browser, path, (made) => {
      opened = made;
      page = made.page;
    });
    const told = data.kind === 'evaluation' ? data.evaluation : data.tuning;
    const answered = data.kind === 'evaluation' ? told.value !== null : told.can_tell;

    it('opens from a disk, complains of nothing and asks for nothing', async () => {
      assertQuiet(opened);
      const file = told.log.split('/').at(-1);
      assert.equal(await page.title(), file);
      assert.equal(await page.locator('h1').textContent(), file);
      assert.equal(await page.locator('.facts dd').first().textContent(), told.log);
      assert.equal(await page.evaluate(() => window.broken), undefined);
    });

    it('has the sections that its data call for, in order', async () => {
      const ids = await page.locator('section').evaluateAll((sections) => sections.map(({ id }) => id));
      assert.deepEqual(
        ids,
        data.kind === 'evaluation'
          ? ['estimates', 'support', ...(told.fitted ? ['behaviour'] : []), 'values', 'drift', 'data']
          : ['ranking', ...(told.fresh ? ['fresh'] : []), 'sensitivity', 'distribution', 'heatmap', 'configurations'],
      );
    });

    it('says the verdict on top, and nothing in bold where the log cannot tell', async () => {
      const verdict = page.locator('#verdict');
      const box = await verdict.boundingBox();
      assert.ok(box.y < 400, `at ${box.y}`);
      if (data.kind === 'evaluation') {
        assert.ok((await verdict.locator('.badge').textContent()).endsWith(told.verdict));
        assert.equal(await verdict.locator('.log-sentence').textContent(), told.sentence);
        for (const note of told.notes) assert.ok((await verdict.textContent()).includes(note));
      }
      const strong = await verdict.locator('strong').allTextContents();
      const bold = await page.evaluate(() =>
        [...document.querySelectorAll('#verdict *, #estimates td, #estimates tbody th, #ranking td')]
          .filter((element) => Number(getComputedStyle(element).fontWeight) >= 600 && !element.closest('.badge'))
          .map((element) => element.textContent),
      );
      if (!answered) {
        assert.deepEqual(strong, []);
        assert.deepEqual(bold, []);
      } else if (data.kind === 'evaluation') {
        const { estimate, lower, upper } = told.value;
        assert.ok(Math.abs(number(strong[0]) - estimate) <= 0.051 * Math.max(upper - lower, 1e-4 * told.spread));
      } else assert.ok(strong[0].startsWith(data.algorithms[0].name));
    });

    it('draws every chart, whole', async () => {
      const broken = await page.evaluate(() =>
        [...document.querySelectorAll('.figure')].flatMap((figure) => {
          const heading = figure.querySelector('h3').textContent;
          const chart = figure.querySelector('.chart > svg');
          if (!chart) return [`${heading}: no chart`];
          const invalid = /NaN|Infinity|undefined/.exec(chart.innerHTML);
          return invalid ? [`${heading}: ${chart.innerHTML.slice(Math.max(0, invalid.index - 60), invalid.index + 20)}`] : [];
        }),
      );
      assert.deepEqual(broken, []);
      assert.ok((await page.locator('.figure').count()) >= 3);
    });

    it('fits wide and narrow screens, in light and dark colours', async () => {
      for (const [colorScheme, width] of [
        ['dark', 390],
        ['light', 390],
        ['dark', 1280],
        ['light', 1280],
      ]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 844 });
        // Charts are drawn anew a frame after their width has changed.
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
        const found = await page.evaluate(() => ({
          content: document.documentElement.scrollWidth,
          window: document.documentElement.clientWidth,
          wide: [...document.querySelectorAll('.chart > svg')].filter((chart) => chart.getBoundingClientRect().right > innerWidth)
            .length,
          ground: getComputedStyle(document.body).backgroundColor,
        }));
        const what = `${width} pixels, ${colorScheme}`;
        assert.ok(found.content <= found.window, `${what}: ${found.content} in ${found.window}`);
        assert.equal(found.wide, 0, what);
        const lightest = Math.max(...found.ground.match(/\d+/g).slice(0, 3).map(Number));
        assert.equal(lightest < 60, colorScheme === 'dark', what);
      }
      assert.deepEqual(opened.complaints, []);
    });

    if (data.kind === 'evaluation') {
      it('draws estimates and intervals to one scale, the answer strong', async () => {
        const rows = await page.locator('#estimates .interval').evaluateAll((groups) =>
          groups.map((group) => ({
            name: group.getAttribute('aria-label'),
            strong: group.classList.contains('strong'),
            x: Number(group.querySelector('circle').getAttribute('cx')),
          })),
        );
        assert.equal(rows.filter(({ strong }) => strong).length, answered ? 1 : 0);
        const cells = await page.locator('#estimates table').first().locator('tbody tr').evaluateAll((all) =>
          all.map((row) => [...row.children].map((cell) => cell.textContent)),
        );
        assert.equal(rows.length, cells.length);
        // Each estimate once: those of the file that are not the answer by another name.
        const distinct = new Set(Object.values(told.estimates).map(({ estimate, se }) => `${estimate} ${se}`));
        assert.ok(rows.length >= distinct.size);
        const values = cells.map(([, id]) => told.estimates[id].estimate);
        const low = values.indexOf(Math.min(...values));
        const high = values.indexOf(Math.max(...values));
        const scale = (rows[high].x - rows[low].x) / (values[high] - values[low]);
        if (values[high] > values[low])
          rows.forEach(({ x }, place) => assert.ok(Math.abs(x - rows[low].x - scale * (values[place] - values[low])) < 0.01));
        cells.forEach(([, id, text]) => assert.ok(Math.abs(number(text) - told.estimates[id].estimate) <= 6e-4 * Math.abs(told.estimates[id].estimate) || text.includes('×')));
      });

      it('tells the effective sample, step by step', async () => {
        const chart = page.locator('#support .chart').first();
        await chart.focus();
        await page.keyboard.press('ArrowRight');
        const tip = page.locator('#tooltip');
        assert.equal(await tip.locator('.tip-title').textContent(), 'After 1 step');
        const [, first] = data.effectiveSample[0];
        assert.ok(Math.abs(number(await tip.locator('.value').textContent()) - first) <= 5e-3 * first);
        await page.keyboard.press('Escape');
      });

      it('has as many steps in its ratios as in the log', async () => {
        const { counts, zeros } = data.ratios;
        assert.equal(counts.reduce((sum, count) => sum + count, zeros), told.steps);
        const bins = await page.locator('#support .bin').evaluateAll((all) => all.map((bin) => Number(bin.getAttribute('height'))));
        assert.equal(bins.length, counts.filter((count) => count > 0).length + Number(zeros > 0));
        const most = Math.max(...counts, zeros);
        const shown = [...(zeros > 0 ? [zeros] : []), ...counts.filter((count) => count > 0)];
        const tallest = Math.max(...bins);
        bins.forEach((height, place) => assert.ok(Math.abs(height / tallest - shown[place] / most) < 0.02, `bin ${place}`));
      });

      it('sorts the values of states', async () => {
        const table = page.locator('#values table');
        await table.locator('th button', { hasText: 'Value' }).click();
        const values = (await table.locator('tbody td:nth-child(3)').allTextContents()).map(number);
        assert.deepEqual(values, [...values].sort((left, right) => left - right));
        assert.equal(values.length, data.values.length);
        await page.locator('#values .segments button', { hasText: 'Lowest' }).click();
        const first = await page.locator('#values .interval circle').first().getAttribute('cx');
        const all = await page.locator('#values .interval circle').evaluateAll((dots) => dots.map((dot) => Number(dot.getAttribute('cx'))));
        assert.ok(all.every((x) => x >= Number(first) - 1e-6));
      });

      it('bends where the log changes', async () => {
        for (const { statistic, path: points } of data.drift)
          assert.ok(points.every((value) => Math.abs(value) <= statistic + 1e-6));
        const lines = await page.locator('#drift .chart path[aria-label]:not([aria-label$=" band"])').count();
        assert.equal(lines, data.drift.filter(({ path: points }) => points.length > 0).length);
      });
    } else {
      it('ranks the algorithms by their best configuration', async () => {
        const rows = await page.locator('#ranking tbody tr').evaluateAll((all) =>
          all.map((row) => [...row.children].map((cell) => cell.textContent)),
        );
        assert.deepEqual(
          rows.map(([algorithm]) => algorithm),
          data.algorithms.map((algorithm) => algorithm.name),
        );
        const scores = data.results.map(({ scores: all, best }) => all[best]);
        rows.forEach(([, , score], place) => assert.ok(Math.abs(number(score) - scores[place]) <= 5e-3 * scores[place]));
        assert.deepEqual(scores, [...scores].sort((left, right) => left - right));
      });

      it('draws the score over α, a line for each algorithm, and what to compare with', async () => {
        const chart = page.locator('#sensitivity .figure[data-parameter="alpha"]');
        const names = await chart.locator('path[aria-label]').evaluateAll((lines) => lines.map((one) => one.getAttribute('aria-label')));
        assert.deepEqual([...new Set(names)].sort(), data.algorithms.map((algorithm) => algorithm.name).sort());
        for (const text of ['predicting 0', 'LSTD']) assert.ok((await chart.locator('svg').textContent()).includes(text));
      });

      it('has every configuration in its table, the best first', async () => {
        const finite = data.results.flatMap(({ scores }) => scores);
        assert.equal(finite.length, told.configurations);
        assert.match(await page.locator('#configurations .table-status').textContent(), new RegExp(`^${finite.length} of ${finite.length}`));
        const cells = await page.locator('#configurations tbody tr').first().locator('td:visible').allTextContents();
        assert.equal(cells[0], data.algorithms[0].name);
        const least = Math.min(...finite.filter((score) => score !== null));
        assert.ok(Math.abs(number(cells.at(-1)) - least) <= 1e-4 * least);
        const { content } = await downloaded(page, () => page.locator('#download-csv').click());
        assert.equal(content.toString().trim().split('\r\n').length, finite.length + 1);
      });
    }
  });
