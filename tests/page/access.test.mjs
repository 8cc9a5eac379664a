// Colours, narrow screens, the keyboard, and text that looks like markup.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { browserOfTests, dataOf, open, writeReport } from './browser.mjs';
import { fixture } from './fixture.mjs';

const browser = browserOfTests();

const reports = [
  ['made-up results', writeReport('full', fixture.full())],
  ['a small study', writeReport('small', fixture.small())],
  ...(process.env.REPORT_HTML ? [['the report of the program', process.env.REPORT_HTML]] : []),
];

const rgb = (hex) => `rgb(${[1, 3, 5].map((from) => parseInt(hex.slice(from, from + 2), 16)).join(', ')})`;

for (const [title, path] of reports)
  describe(title, () => {
    const data = dataOf(path);
    const algorithm = data.algorithms[data.settings[0].metrics[0].algorithms[0].algorithm];
    const stroke = (page) =>
      page.locator(`#curves .chart path[aria-label="${algorithm.name}"]`).evaluate((line) => getComputedStyle(line).stroke);
    const ground = async (page) => {
      const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      return Math.max(...colour.match(/\d+/g).slice(0, 3).map(Number));
    };

    it('follows the colours of the system, and the button', async () => {
      for (const colorScheme of ['light', 'dark']) {
        const { page, context } = await open(browser(), path, { colorScheme });
        const dark = colorScheme === 'dark';
        assert.equal((await ground(page)) < 60, dark);
        assert.equal(await stroke(page), rgb(dark ? algorithm.dark : algorithm.light));
        await page.locator('#theme-toggle').click();
        assert.equal((await ground(page)) < 60, !dark);
        assert.equal(await stroke(page), rgb(dark ? algorithm.light : algorithm.dark));
        await context.close();
      }
    });

    for (const width of [390, 1280])
      it(`fits ${width} pixels without scrolling sideways`, async () => {
        const { page, context } = await open(browser(), path, { viewport: { width, height: 844 } });
        for (const section of await page.locator('section').all()) await section.scrollIntoViewIfNeeded();
        const [content, window] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          document.documentElement.clientWidth,
        ]);
        assert.ok(content <= window, `${content} in ${window}`);
        const wide = await page.evaluate(
          () =>
            [...document.querySelectorAll('.chart > svg')].filter(
              (chart) => chart.getBoundingClientRect().right > innerWidth,
            ).length,
        );
        assert.equal(wide, 0);
        await context.close();
      });

    it('is used with the keyboard alone', async () => {
      const { page, context } = await open(browser(), path);
      const focused = (property) => page.evaluate((name) => document.activeElement[name], property);
      await page.keyboard.press('Tab');
      assert.equal(await focused('className'), 'skip-link');
      await page.keyboard.press('Enter');
      assert.equal(await focused('id'), 'content');

      const until = async (selector) => {
        for (let presses = 0; presses < 200; ++presses) {
          await page.keyboard.press('Tab');
          if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
        }
        assert.fail(`Tab does not reach ${selector}`);
      };
      const lines = () => page.locator('#curves .chart path[aria-label]:not([aria-label$=" band"])').count();
      await until('#curves .legend-item');
      const count = await lines();
      await page.keyboard.press('Space');
      assert.equal(await lines(), count - 1);
      assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-pressed')), 'false');
      await page.keyboard.press('Enter');
      assert.equal(await lines(), count);
      const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
      assert.notEqual(outline, 'none');

      await until('#curves .chart');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      assert.match(await page.locator('#tooltip').textContent(), /^Step \d+/);
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('#tooltip').isVisible(), false);

      await page.locator('.configurations th button').last().focus();
      await page.keyboard.press('Enter');
      assert.equal(await page.locator('.configurations th').last().getAttribute('aria-sort'), 'ascending');
      await page.keyboard.press('Space');
      assert.equal(await page.locator('.configurations th').last().getAttribute('aria-sort'), 'descending');
      await context.close();
    });
  });

describe('text that looks like markup', () => {
  const hostile = '<script>window.broken = 1</script>';
  const image = '<img src=x onerror="window.broken = 1">';
  const disguised = (data) => ({
    ...data,
    program: image,
    study: { name: hostile, description: image, text: `</pre>${hostile}` },
    facts: [[image, hostile]],
    algorithms: data.algorithms.map((algorithm, place) =>
      place === 0 ? { ...algorithm, name: image, summary: hostile } : algorithm,
    ),
    parameters: data.parameters.map((parameter) => ({ ...parameter, help: image })),
    settings: data.settings.map((setting, place) => (place === 0 ? { ...setting, title: image } : setting)),
    claims: [
      {
        id: '1',
        statement: hostile,
        verdict: 'mixed',
        parts: ['1a', '1b'].map((id) => ({
          id,
          statement: image,
          rule: image,
          verdict: 'held',
          evidence: [
            {
              place: image,
              label: hostile,
              words: '$& $1 </script>',
              unit: 'ratio',
              estimate: 1,
              interval: [0.5, 2],
              target: [0, 1],
              verdict: 'undecided',
            },
          ],
          thresholds: [{ check: image, key: hostile, value: 1, pieces: [{ from: 0, to: 1, verdict: 'held' }] }],
        })),
      },
    ],
    advice: [{ situation: image, paper: hostile, verdict: 'held', numbers: [image] }],
  });
  for (const [title, path] of [
    ['made-up results', reports[0][1]],
    ...(process.env.REPORT_HTML ? [['the report of the program', process.env.REPORT_HTML]] : []),
  ])
    it(`is shown as text in ${title}`, async () => {
      const { page, context, complaints, requests } = await open(browser(), writeReport('hostile', disguised(dataOf(path))));
      assert.equal(await page.locator('h1').textContent(), hostile);
      assert.equal(await page.title(), hostile);
      assert.equal(await page.locator('.disclosure').first().textContent(), hostile);
      const box = await page.locator('#curves .chart').boundingBox();
      await page.mouse.move(box.x + 200, box.y + 150);
      assert.equal(await page.evaluate(() => window.broken), undefined);
      assert.equal(await page.locator('img').count(), 0);
      assert.equal(requests.filter((url) => !/^(file|data|blob):/.test(url)).length, 0);
      assert.deepEqual(complaints, []);
      await context.close();
    });
  if (process.env.REPORT_HTML_ESCAPE)
    it('is shown as text in the report that the program made of such a study', async () => {
      const { page, context, complaints } = await open(browser(), process.env.REPORT_HTML_ESCAPE);
      const { name } = dataOf(process.env.REPORT_HTML_ESCAPE).study;
      assert.match(name, /</);
      assert.equal(await page.locator('h1').textContent(), name);
      assert.equal(await page.title(), name);
      assert.deepEqual(complaints, []);
      await context.close();
    });
});
