// The page of a horde: as the program writes it, and with thousands of questions.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertQuiet, browserOfTests, dataOf, open, openForTests, writeReport } from './browser.mjs';

const browser = browserOfTests();

// 2160 questions: by returns, by RUPEE, and some of which nothing is known.
function made() {
  const questions = Array.from({ length: 2160 }, (_, place) => {
    const measure = place % 20 === 19 ? 'none' : place % 3 === 0 ? 'rupee' : 'returns';
    const share = measure === 'none' ? null : place % 40 === 1 ? 2.5 : 0.9 / (1 + (place % 97));
    const below = measure === 'rupee' ? 0.1 : 1;
    return {
      name: `sensor ${place % 540} at ${['0', '0.8', '0.95', '0.9875'][Math.floor(place / 540)]}`,
      algorithm: place % 2,
      answer: share === null ? 'cannot tell' : share < below ? 'learned' : 'not learned',
      measure,
      share,
      steps: 5000,
      tdError: 0.1,
      returns: measure === 'returns' ? 40 : 2,
      returnError: measure === 'returns' ? 0.3 : null,
      ofVariance: measure === 'returns' ? share : null,
      rupee: measure === 'none' ? null : 0.02,
      explainable: measure === 'none' ? null : (measure === 'rupee' ? share : 0.04),
    };
  });
  const algorithm = (id, name) => ({ id, name, summary: name, light: '#0072b2', dark: '#56a8e0', dash: '' });
  return {
    format: 1,
    kind: 'horde',
    program: 'bellwether 0.1.0',
    study: { name: 'stream.csv' }, // for the title
    questionsFile: 'questions.toml',
    stream: 'logs/stream.csv',
    steps: 9000,
    enoughReturns: 10,
    learnedBelow: { returns: 1, rupee: 0.1 },
    algorithms: [algorithm('td', 'TD(λ)'), algorithm('gtd', 'GTD(λ)')],
    questions,
  };
}

const pages = [
  ['2160 made-up questions', writeReport('horde', made())],
  ...(process.env.HORDE_HTML ? [['the page of the program', process.env.HORDE_HTML]] : []),
];

for (const [title, path] of pages) {
  const data = dataOf(path);
  const rows = (page) => page.locator('table.questions tbody tr');
  const named = (answer) => data.questions.filter((question) => question.answer === answer);

  describe(title, () => {
    let page;
    let opened;
    openForTests(browser, path, (made) => {
      opened = made;
      page = made.page;
    });

    it('opens from a disk, complains of nothing and asks for nothing', async () => {
      assertQuiet(opened);
      assert.equal(await page.locator('h1').textContent(), 'stream.csv');
      assert.deepEqual(
        await page.locator('section').evaluateAll((sections) => sections.map(({ id }) => id)),
        ['answers', 'questions'],
      );
    });

    it('says how many questions are learned', async () => {
      const badge = await page.locator('#verdict .badge').textContent();
      const count = (value) => value.toLocaleString('en').replaceAll(',', '\u202f');
      assert.ok(badge.includes(`${count(named('learned').length)} of ${count(data.questions.length)} question`), badge);
    });

    it('shows the worst first, and all of them when asked', async () => {
      const worst = named('not learned').length ? 'not learned' : 'cannot tell';
      assert.equal(await rows(page).first().locator('.badge').textContent(), worst);
      assert.equal(await rows(page).count(), Math.min(100, data.questions.length));
      if (data.questions.length > 100) {
        await page.locator('#more-questions').click();
        assert.equal(await rows(page).count(), data.questions.length);
      }
      assert.equal(await page.locator('#more-questions').isVisible(), false);
    });

    it('filters and sorts', async () => {
      await page.locator('select[data-filter="answer"]').selectOption('learned');
      assert.equal(await rows(page).count(), named('learned').length);
      await page.locator('select[data-filter="answer"]').selectOption('');
      const part = data.questions[0].name;
      await page.locator('#question-search').fill(part.toUpperCase());
      const expected = data.questions.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()));
      assert.equal(await rows(page).count(), expected.length);
      await page.locator('#question-search').fill('');
      await page.locator('table.questions th button', { hasText: 'Question' }).click();
      const first = await rows(page).first().locator('td').first().textContent();
      assert.equal(first, [...data.questions.map(({ name }) => name)].sort((a, b) => (a < b ? -1 : 1))[0]);
    });

    it('fits a phone, in the dark too', async () => {
      const narrow = await open(browser(), path, { viewport: { width: 390, height: 800 }, colorScheme: 'dark' });
      const [scroll, width] = await narrow.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(scroll <= width, `${scroll} > ${width}`);
      assert.deepEqual(narrow.complaints, []);
      await narrow.context.close();
    });
  });
}
