import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertQuiet, browserOfTests, dataOf, downloaded, open, openForTests, writeReport } from './browser.mjs';
import { fixture } from './fixture.mjs';

const browser = browserOfTests();

const reports = [
  ['made-up results', writeReport('full', fixture.full())],
  ['a small study', writeReport('small', fixture.small())],
  ...(process.env.REPORT_HTML ? [['the report of the program', process.env.REPORT_HTML]] : []),
];

const viewsOf = (data) => data.settings.flatMap((setting) => setting.metrics.map((metric) => ({ setting, metric })));

for (const [title, path] of reports) {
  const data = dataOf(path);
  const [first] = viewsOf(data);
  const names = first.metric.algorithms.map(({ algorithm }) => data.algorithms[algorithm]);
  const hasFresh = first.metric.algorithms.some(({ freshCurve }) => freshCurve);
  const shownCurve = ({ freshCurve, selectionCurve }) => (hasFresh ? freshCurve : selectionCurve);
  const curves = (page) => page.locator('#curves .chart svg path[aria-label]:not([aria-label$=" band"])');
  const curve = (page, name) => page.locator(`#curves .chart svg path[aria-label="${name}"]`);
  const toggleOf = (page, section, { id }) => page.locator(`#${section} .legend-item[data-algorithm="${id}"]`);

  describe(title, () => {
    let page;
    let opened;
    openForTests(browser, path, (made) => {
      opened = made;
      page = made.page;
    });

    it('opens from a disk, complains of nothing and asks for nothing', async () => {
      const time = await page.evaluate(() => performance.getEntriesByName('first-chart')[0]?.startTime);
      console.log(`# ${title}: first chart after ${Math.round(time)} ms`);
      assertQuiet(opened);
      assert.equal(await page.title(), data.study.name);
      assert.equal(await page.locator('h1').textContent(), data.study.name);
    });

    it('has the sections that its data call for, in order', async () => {
      const ids = await page.locator('section').evaluateAll((sections) => sections.map(({ id }) => id));
      assert.deepEqual(ids, [
        ...(data.claims.length ? ['claims'] : []),
        ...(data.published.length ? ['published'] : []),
        ...(data.readings ? ['readings'] : []),
        'advice',
        'curves',
        ...(viewsOf(data).some(({ metric }) => metric.thresholds.length > 0) ? ['robust'] : []),
        ...(data.figures.length ? ['figures'] : []),
        'sensitivity',
        'distribution',
        'tuning',
        'heatmap',
        ...(data.runtimes ? ['runtimes'] : []),
        ...(data.realTime.length ? ['realtime'] : []),
        'configurations',
        'study',
      ]);
      const facts = await page.locator('.facts dt').allTextContents();
      assert.deepEqual(
        facts,
        data.facts.map(([name]) => name),
      );
      assert.equal(await page.locator('#study pre').textContent(), data.study.text);
    });

    it('draws every chart, whole, in every setting and on both error axes', async () => {
      const views = viewsOf(data);
      for (const place of views.keys()) {
        await page.locator('#curves .view-select').selectOption(String(place));
        for (const axis of ['Log', 'Linear']) {
          await page.locator('#curves .segments button', { hasText: axis }).click();
          const broken = await page.evaluate(() =>
            [...document.querySelectorAll('.figure')].flatMap((figure) => {
              const heading = figure.querySelector('h3').textContent;
              const chart = figure.querySelector('.chart > svg');
              if (!chart) return [`${heading}: no chart`];
              const shapes = chart.querySelectorAll('path, rect, circle').length;
              const invalid = /NaN|Infinity|undefined/.exec(chart.innerHTML);
              return [
                ...(shapes < 4 ? [`${heading}: ${shapes} shapes`] : []),
                ...(invalid
                  ? [`${heading}: ${chart.innerHTML.slice(Math.max(0, invalid.index - 60), invalid.index + 20)}`]
                  : []),
              ];
            }),
          );
          assert.deepEqual(broken, [], `setting ${place}, ${axis}`);
        }
      }
      await page.locator('#curves .view-select').selectOption('0');
      assert.deepEqual(opened.complaints, []);
    });

    it('has a learning curve for every algorithm, inside its frame', async () => {
      const recorded = first.metric.algorithms.filter((result) => shownCurve(result)).length;
      assert.equal(await curves(page).count(), recorded);
      const lengths = await curves(page).evaluateAll((paths) => paths.map((path) => path.getTotalLength()));
      for (const length of lengths) assert.ok(length > 100 && length < 20000, `length ${length}`);
    });

    it('switches algorithms off and on, in all charts at once', async () => {
      const [algorithm] = names;
      const count = await curves(page).count();
      await toggleOf(page, 'curves', algorithm).click();
      assert.equal(await curves(page).count(), count - 1);
      assert.equal(await curve(page, algorithm.name).count(), 0);
      for (const section of ['curves', 'sensitivity', 'distribution'])
        assert.equal(await toggleOf(page, section, algorithm).getAttribute('aria-pressed'), 'false');
      assert.equal(await page.locator(`#sensitivity .chart path[aria-label="${algorithm.name}"]`).count(), 0);
      assert.equal(await page.locator(`#distribution .spread[aria-label="${algorithm.name}"]`).count(), 0);
      await toggleOf(page, 'sensitivity', algorithm).click();
      assert.equal(await curves(page).count(), count);
      await page.locator('#curves .legend-all', { hasText: 'None' }).click();
      assert.equal(await curves(page).count(), 0);
      await page.locator('#curves .legend-all', { hasText: 'All' }).click();
      assert.equal(await curves(page).count(), count);
    });

    it('tells the values under the pointer', async () => {
      const chart = page.locator('#curves .chart');
      await chart.scrollIntoViewIfNeeded();
      const box = await chart.boundingBox();
      await page.mouse.move(box.x + box.width / 3, box.y + box.height / 2);
      const tip = page.locator('#tooltip');
      await tip.waitFor({ state: 'visible' });
      const step = Number(/^Step (\d+)$/.exec(await tip.locator('.tip-title').textContent())[1]);
      assert.ok(step > 0 && step < first.setting.steps);
      const values = new Map(
        await tip
          .locator('tr')
          .evaluateAll((rows) => rows.map((row) => [...row.children].slice(1).map((cell) => cell.textContent))),
      );
      assert.equal(values.size, await curves(page).count());
      const result = first.metric.algorithms[0];
      const mean = shownCurve(result).mean[step];
      const shown = Number(values.get(names[0].name).split(' ')[0]);
      assert.ok(Math.abs(shown - mean) <= 0.005 * mean, `${shown} for ${mean}`);
      assert.equal(await tip.locator('tr.strong').count(), 1);
      await page.mouse.move(5, 5);
      await tip.waitFor({ state: 'hidden' });
    });

    it('shows other runs and other axes', async () => {
      const note = page.locator('#curves .figure-note');
      assert.match(await note.textContent(), hasFresh ? /\d+ fresh runs/ : /chosen on/);
      const shape = () => curve(page, names[0].name).getAttribute('d');
      const linear = await shape();
      await page.locator('#curves .segments button', { hasText: 'Log' }).click();
      assert.notEqual(await shape(), linear);
      await page.locator('#curves .segments button', { hasText: 'Linear' }).click();
      assert.equal(await shape(), linear);
      if (hasFresh && first.metric.algorithms.some(({ selectionCurve }) => selectionCurve)) {
        await page.locator('#curves .segments button', { hasText: 'Selection' }).click();
        assert.match(await note.textContent(), /chosen on/);
        await page.locator('#curves .segments button', { hasText: 'Fresh' }).click();
      }
    });

    it('has a chart of sensitivity for every parameter that varies', async () => {
      const varied = new Set(
        first.metric.algorithms.flatMap(({ grid }) =>
          grid.filter(({ values }) => values.length > 1).map(({ parameter }) => data.parameters[parameter].name),
        ),
      );
      const shown = await page
        .locator('#sensitivity .figure')
        .evaluateAll((all) => all.map(({ dataset }) => dataset.parameter));
      assert.deepEqual(new Set(shown), varied);
    });

    it('selects the other parameters again, or freezes them', async () => {
      const { metric } = first;
      const rows = page.locator('#sensitivity .numbers tbody tr');
      assert.equal(await rows.count(), metric.algorithms.length);
      const chart = page.locator('#sensitivity .figure[data-parameter="alpha"]');
      const note = chart.locator('.figure-note');
      assert.match(await note.textContent(), /selected again/);
      const lines = () =>
        chart.locator('.chart path[aria-label]').evaluateAll((all) => all.map((one) => one.getAttribute('d')));
      const reselected = await lines();
      await page.locator('#sensitivity .segments button', { hasText: 'Frozen' }).click();
      assert.match(await note.textContent(), /frozen at the best/);
      const frozen = await lines();
      assert.equal(frozen.length, reselected.length);
      // Where an algorithm has several parameters, some value is better served by others than the best of all.
      const differ = metric.algorithms.some((result) => {
        const [alpha, ...rest] = result.grid;
        if (!rest.some(({ values }) => values.length > 1)) return false;
        const stride = alpha.values.length;
        const origin = Math.floor(result.best / stride) * stride;
        return alpha.values.some((_, index) => {
          const same = result.scores.filter((__, place) => place % stride === index).map((score) => score ?? Infinity);
          return Math.min(...same) < (result.scores[origin + index] ?? Infinity);
        });
      });
      assert.equal(frozen.join() !== reselected.join(), differ);
      await page.locator('#sensitivity .segments button', { hasText: 'Selected again' }).click();
    });

    it('has a profile and a row of robust numbers for every algorithm', async () => {
      const { metric } = first;
      if (metric.thresholds.length === 0) return;
      assert.equal(await page.locator('#robust .numbers tbody tr').count(), metric.algorithms.length);
      const labels = await page
        .locator('#robust .chart path[aria-label]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
      for (const { algorithm } of metric.algorithms) assert.ok(labels.includes(data.algorithms[algorithm].name));
    });

    it('has the cost of tuning, and one configuration for all settings', async () => {
      const rows = page.locator('#tuning .numbers tbody tr');
      assert.equal(await rows.count(), data.commonConfigurations.length);
      assert.ok((await page.locator('#tuning .chart path[aria-label]').count()) >= first.metric.algorithms.length);
    });

    it('marks best configurations on the edge of their grid', async () => {
      const texts = await page.locator('#curves .best-list li').allTextContents();
      first.metric.algorithms.forEach(({ edges }, place) =>
        assert.equal(/[⇤⇥]/.test(texts[place]), edges.some((edge) => edge === 'least' || edge === 'greatest')),
      );
    });

    it('marks the best and the diverged cells of the heat map', async () => {
      for (const result of first.metric.algorithms) {
        await page.locator('#heatmap-algorithm').selectOption(String(result.algorithm));
        const sizes = result.grid.map(({ values }) => values.length).filter((length) => length > 1);
        const cells = sizes.length > 1 ? sizes[0] * sizes.at(-1) : sizes[0];
        assert.equal(await page.locator('#heatmap rect.heat').count(), cells);
        assert.equal(await page.locator('#heatmap rect.heat-best').count(), 1);
        // The other parameters are at their best values, so the best cell is the best configuration.
        const label = await page.locator('#heatmap .chart > svg').getAttribute('aria-label');
        const shown = Number(/best score shown is ([\d.]+)\.$/.exec(label)[1]);
        const best = result.scores[result.best];
        assert.ok(Math.abs(shown - best) <= 5e-4 * best, `${shown} for ${best}`);
      }
    });

    it('has an overview with a best algorithm in every column', async () => {
      const rows = page.locator('.matrix tbody tr');
      assert.equal(await rows.count(), data.algorithms.length);
      const views = viewsOf(data);
      for (const place of views.keys()) {
        const texts = await page
          .locator(`.matrix tbody td:nth-of-type(${place + 1})`)
          .evaluateAll((cells) => cells.map((cell) => cell.firstChild.textContent));
        assert.ok(texts.includes('1.00'), `column ${place}: ${texts}`);
      }
    });
  });
}

describe('what belongs to the paper', () => {
  const path = reports[0][1];
  const data = dataOf(path);
  let opened;
  let page;
  openForTests(browser, path, (made) => {
    opened = made;
    page = made.page;
  });

  it('filters the claims and opens their rules', async () => {
    const claims = page.locator('.claim');
    assert.equal(await claims.count(), data.claims.length);
    await page.locator('#claims .segments button', { hasText: 'Not held' }).click();
    assert.equal(await claims.count(), data.claims.filter(({ verdict }) => verdict === 'not held').length);
    await page.locator('#claims .segments button', { hasText: 'All' }).click();
    const rule = page.locator('.claim-detail').first();
    assert.equal(await rule.isVisible(), false);
    await page.locator('.disclosure').first().click();
    assert.match(await rule.textContent(), new RegExp(data.claims[0].parts[0].rule));
    assert.equal(await rule.isVisible(), true);
  });

  it('has the matrix of claims and readings, and the numbers behind every verdict', async () => {
    const { columns, rows } = data.readings;
    assert.deepEqual(await page.locator('#readings .reading-name').allTextContents(), columns.map(({ id }) => id));
    assert.equal(await page.locator('#readings tbody .verdict').count(), rows.length * columns.length);
    const cell = (row, column) => page.locator('#readings tbody tr').nth(row).locator('.verdict').nth(column);
    const panel = page.locator('#readings .reading-panel');
    assert.match(await panel.textContent(), /Reading study is a statement/);
    await cell(1, 3).click();
    assert.equal(await cell(1, 3).getAttribute('aria-pressed'), 'true');
    assert.match(await panel.textContent(), /Claim 2 is a statement.*Reading unnormalised.*In the study: not held/s);
    assert.match(await panel.textContent(), /number of claim 2 in column 3/);
    assert.ok((await cell(1, 3).getAttribute('class')).includes('differs'));
    // What a reading does not touch has the numbers of the study.
    await cell(0, 2).click();
    assert.match(await panel.textContent(), /does not touch it.*number of claim 1 in column 0/s);
    await page.locator('#readings .reading-name button').nth(1).click();
    assert.match(await panel.textContent(), /Reading l1.*walk.*The other settings are as in the study/s);
    await page.locator('#readings .segments button', { hasText: 'Not the same' }).click();
    assert.deepEqual(await page.locator('#readings .reading-id').allTextContents(), ['2']);
    await page.locator('#readings .segments button', { hasText: 'All' }).click();
    assert.match(await page.locator('#readings').textContent(), /not run: seed-2018/);
  });

  it('has nine panels in real time, for every table of costs, reading of time and policy', async () => {
    for (const costs of ['Measured here', 'Measured, dense', 'Of the paper'])
      for (const time of ['Proportional', 'Whole iterations'])
        for (const policy of ['Off-policy', 'On-policy']) {
          for (const choice of [costs, time, policy])
            await page.locator('#realtime .segments button', { hasText: choice }).click();
          assert.equal(await page.locator('#realtime .chart > svg > svg').count(), 9);
          const id = { 'Measured here': 'measured', 'Measured, dense': 'measured-dense', 'Of the paper': 'paper' }[costs];
          const shown = data.realTime.find(
            (entry) =>
              entry.costs === id &&
              entry.time === (time === 'Proportional' ? 'proportional' : 'quantised') &&
              `${entry.policy}-policy` === policy.toLowerCase(),
          );
          const samples = await page.locator('#realtime tbody tr').first().locator('td').nth(1).textContent();
          assert.equal(samples, shown.panels[0].samples[0].toFixed(1));
        }
  });

  it('has real time with every cost of the slowest update that is possible', async () => {
    await page.locator('#realtime .segments button', { hasText: 'Off-policy' }).click();
    const control = page.locator('#realtime .control', { hasText: 'Slowest update' }).locator('select');
    const offered = data.realTime.filter(
      ({ costs, policy, time }) => costs === 'paper' && policy === 'off' && time === 'quantised',
    );
    assert.equal(await control.locator('option').count(), offered.length);
    assert.equal(await control.inputValue(), String(offered[0].slowest));
    for (const { slowest, algorithms } of offered) {
      await control.selectOption(String(slowest));
      const cost = await page.locator('#realtime tbody tr').first().locator('td').first().textContent();
      assert.equal(Number(cost), Number(algorithms[0].cost.toPrecision(3)));
    }
    await page.locator('#realtime .segments button', { hasText: 'On-policy' }).click();
    assert.equal(await control.isVisible(), false);
  });

  it('has the runtimes as times and as ratios', async () => {
    const rows = await page.locator('#runtimes tbody tr').count();
    assert.equal(rows, data.runtimes.rows.length);
    assert.equal(await page.locator('#runtimes .times').count(), rows);
    await page.locator('#runtimes .segments button', { hasText: 'Ratios' }).click();
    assert.match(await page.locator('#runtimes .figure h3').textContent(), /ratios to TD\(0\)/);
    const time = page.locator('#runtimes tbody tr').first().locator('td').first();
    const [first] = data.runtimes.rows;
    for (const [features, text] of [['dense', 'Dense'], ['one-hot', 'One-hot']]) {
      await page.locator('#runtimes .segments button', { hasText: text }).click();
      const entry = first.policies.find((one) => one.features === features && one.policy === 'on');
      assert.equal(Number(await time.textContent()), Number(entry.microseconds.toPrecision(3)));
    }
  });

  it('marks what diverged and what is off the scale', async () => {
    assert.ok((await page.locator('#sensitivity [aria-label$="off the scale"] path').count()) > 0);
    const place = data.algorithms.findIndex(({ id }) => id === 'gtd');
    await page.locator('#heatmap-algorithm').selectOption(String(place));
    assert.ok((await page.locator('#heatmap rect.diverged').count()) > 0);
    // The last fresh curve of the last view breaks off.
    await page.locator('#curves .view-select').selectOption(String(viewsOf(data).length - 1));
    assert.equal(await page.locator('#curves [aria-label$="off the scale"] path').count(), 1);
  });
});

// A union of grids: not every value of a parameter stands with all values of the others.
describe('a union of grids', () => {
  const data = fixture.small();
  const results = data.settings[0].metrics[0].algorithms;
  const union = results.find(({ grid }) => grid.length > 1);
  const other = results.find((result) => result !== union);
  union.places = union.scores.flatMap((_, configuration) => {
    let rest = configuration;
    return union.grid.map(({ values }) => {
      const place = rest % values.length;
      rest = Math.floor(rest / values.length);
      return place;
    });
  });
  const dropped = union.best === union.scores.length - 1 ? 0 : union.scores.length - 1;
  union.places.splice(dropped * union.grid.length, union.grid.length);
  for (const list of [union.scores, union.standardErrors, union.diverged]) list.splice(dropped, 1);
  if (dropped < union.best) --union.best;
  const path = writeReport('union', data);

  it('has points and no line, unless the other parameters are frozen', async () => {
    const { page, context, complaints } = await open(browser(), path);
    const chart = page.locator('#sensitivity .figure[data-parameter="alpha"]');
    const lines = ({ algorithm }) => chart.locator(`.chart path[aria-label="${data.algorithms[algorithm].name}"]`);
    assert.equal(await lines(union).count(), 0);
    assert.equal(await lines(other).count(), 1);
    assert.match(await chart.textContent(), /Points without a line/);
    await page.locator('#sensitivity .segments button', { hasText: 'Frozen' }).click();
    assert.equal(await lines(union).count(), 1);
    assert.deepEqual(complaints, []);
    await context.close();
  });
});

describe('files', () => {
  for (const [title, path] of reports) {
    const data = dataOf(path);
    it(`saves charts of ${title} as SVG and PNG`, async () => {
      const { page, context, complaints } = await open(browser(), path);
      for (const section of await page.locator('section:has(.figure)').evaluateAll((all) => all.map(({ id }) => id))) {
        const vector = await downloaded(page, () => page.locator(`#${section} [data-save="svg"]`).first().click());
        assert.match(vector.name, /^[a-z0-9-]+\.svg$/);
        const text = vector.content.toString('utf8');
        assert.match(text, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
        assert.doesNotMatch(text, /var\(--|NaN/);
        const heading = await page.locator(`#${section} .figure h3`).first().textContent();
        const kept = await page.evaluate((source) => {
          const parsed = new DOMParser().parseFromString(source, 'image/svg+xml');
          return parsed.querySelector('parsererror') ? null : parsed.documentElement.textContent;
        }, text);
        assert.ok(kept?.includes(heading), `${section}: ${heading}`);
        const raster = await downloaded(page, () => page.locator(`#${section} [data-save="png"]`).first().click());
        assert.match(raster.name, /\.png$/);
        assert.equal(raster.content.subarray(0, 8).toString('hex'), '89504e470d0a1a0a');
        assert.ok(raster.content.readUInt32BE(16) >= 1600 && raster.content.readUInt32BE(20) >= 300);
        assert.ok(raster.content.length > 5000);
      }
      assert.deepEqual(complaints, []);
      await context.close();
    });

    it(`filters, sorts and saves the table of ${title}`, async () => {
      const { page, context } = await open(browser(), path);
      const view = viewsOf(data)[0];
      const result = view.metric.algorithms.at(-1);
      const { id } = data.algorithms[result.algorithm];
      const total = viewsOf(data)
        .flatMap(({ metric }) => metric.algorithms)
        .reduce((sum, { scores }) => sum + scores.length, 0);
      const status = async () => (await page.locator('.table-status').textContent()).replace(/\u202f/g, '');
      assert.ok((await status()).startsWith(`${total} of ${total} `));

      await page.locator('[data-filter="setting"]').selectOption(view.setting.id);
      await page.locator('[data-filter="metric"]').selectOption(view.metric.id);
      await page.locator('[data-filter="algorithm"]').selectOption(id);
      assert.ok((await status()).startsWith(`${result.scores.length} of `));
      const alpha = data.parameters[result.grid[0].parameter].name;
      const value = result.grid[0].values[1];
      await page.locator('#configuration-search').fill(`${alpha}=${value}`);
      const wanted = result.scores
        .map((score, configuration) => ({ score, configuration }))
        .filter(({ configuration }) => configuration % result.grid[0].values.length === 1);
      await page.waitForFunction(
        (count) => document.querySelector('.table-status').textContent.startsWith(`${count} of `),
        wanted.length,
      );

      const head = page.locator('.configurations th', { hasText: 'Score' });
      for (const direction of ['ascending', 'descending']) {
        await head.locator('button').click();
        assert.equal(await head.getAttribute('aria-sort'), direction);
        const finite = wanted
          .flatMap(({ score }) => score ?? [])
          .sort((a, b) => (direction === 'ascending' ? a - b : b - a));
        const { content, name } = await downloaded(page, () => page.locator('#download-csv').click());
        assert.match(name, /configurations\.csv$/);
        const [header, ...lines] = content
          .toString('utf8')
          .trim()
          .split('\r\n')
          .map((line) => line.split(','));
        assert.deepEqual(header.slice(0, 4), ['setting', 'metric', 'algorithm', alpha]);
        assert.equal(lines.length, wanted.length);
        const column = header.indexOf('score');
        const scores = lines.map((line) => line[column]);
        assert.deepEqual(scores.slice(0, finite.length).map(Number), finite);
        assert.ok(scores.slice(finite.length).every((score) => score === 'inf'));
        assert.ok(lines.every((line) => line[0] === view.setting.id && line[2] === id && Number(line[3]) === value));
      }
      await page.locator('#configuration-search').fill('nonsense=1');
      await page.waitForFunction(() => document.querySelector('.table-status').textContent.includes('Not understood'));
      await context.close();
    });
  }
});
