// No text of a study, a stream or a file becomes a part of the page that runs: names are texts to it, and its own policy
// keeps a browser from running anything but the page's own script, should one ever be taken for HTML.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { browserOfTests, dataOf, open, writeReport } from './browser.mjs';
import { fixture } from './fixture.mjs';

const browser = browserOfTests();

const injections = [
  '<script>window.broken = 1</script>',
  '</script><script>window.broken = 2</script>',
  '<img src=x onerror="window.broken = 3">',
  '"><svg onload=window.broken=4>',
  "'-(window.broken=5)-'",
  'javascript:window.broken=6',
  '<a href="javascript:window.broken=7">name</a>',
  '<iframe srcdoc="<script>parent.broken=8</script>"></iframe>',
  '<base href="https://example.invalid/"><link rel=stylesheet href=x>',
  '<style>@import url(https://example.invalid/x)</style>',
  '${window.broken=9}{{window.broken=10}}',
  '<!-- -->\u2028\u2029\u0000]]><![CDATA[',
  '&lt;img src=x onerror=window.broken=11&gt;',
];

// What people write, wherever it stands; never what the page goes by (ids, kinds, verdicts).
const written = new Set(['name', 'title', 'description', 'summary', 'statement', 'rule', 'text', 'label', 'advice', 'situation', 'paper', 'stream', 'questionsFile', 'program', 'help']);

function disguised(value, next, key = '') {
  if (typeof value === 'string') return written.has(key) ? next() : value;
  if (Array.isArray(value)) return value.map((part) => disguised(part, next, key));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, disguised(part, next, name)]));
}

const environment = process.env;
const logs = environment.LOG_PAGES && existsSync(environment.LOG_PAGES) ? readdirSync(environment.LOG_PAGES, { recursive: true }) : [];
const pages = [
  ['a made-up report', fixture.full()],
  ...['REPORT_HTML', 'HORDE_HTML', 'INDEX_HTML', 'ATLAS_HTML']
    .filter((name) => environment[name])
    .map((name) => [name, dataOf(environment[name])]),
  ...logs.filter((name) => name.endsWith('.html')).map((name) => [`log ${name}`, dataOf(join(environment.LOG_PAGES, name))]),
];

// What each of the attempts below breaks. The browser reports a refusal when it comes to it, so they are waited for.
const directives = ['script-src-elem', 'script-src-attr', 'script-src', 'frame-src', 'connect-src'];

async function tryEverything(page) {
  return page.evaluate(async (directives) => {
    const refused = new Set();
    const allRefused = new Promise((done) =>
      document.addEventListener('securitypolicyviolation', (event) => {
        refused.add(event.effectiveDirective);
        if (directives.every((directive) => refused.has(directive))) done();
      }),
    );
    const script = document.createElement('script');
    script.textContent = 'window.broken = 20';
    document.body.append(script);
    const box = document.createElement('div');
    box.innerHTML = '<img src="data:," onerror="window.broken = 21"><iframe src="https://example.invalid/"></iframe>';
    document.body.append(box);
    setTimeout('window.broken = 22', 0); // a text that is to be run
    const fetched = await fetch('https://example.invalid/').then(
      () => 'fetched',
      () => 'refused',
    );
    await Promise.race([allRefused, new Promise((late) => setTimeout(late, 60_000))]);
    await new Promise((done) => setTimeout(done, 200)); // for what should not run, had it been let through
    script.remove();
    box.remove();
    return { refused: [...refused], fetched, broken: window.broken ?? null };
  }, directives);
}

describe('the page runs nothing but its own script', () => {
  for (const [name, data] of pages) {
    it(name, async () => {
      let place = 0;
      const hostile = disguised(data, () => injections[place++ % injections.length]);
      const { page, context, requests, address } = await open(browser(), writeReport('policy', hostile));
      page.on('dialog', () => assert.fail('a dialog has opened'));
      assert.ok(place > 0, 'some text was replaced');
      assert.equal(await page.evaluate(() => window.broken ?? null), null);
      assert.deepEqual(requests.filter((url) => url !== address && !/^(data|blob):/.test(url)), []);
      assert.equal(await page.locator('#app script, #app iframe, #app base, #app link, #app object, #app embed').count(), 0);
      assert.equal(await page.locator('#app a[href^="javascript:" i]').count(), 0);

      const tried = await tryEverything(page);
      assert.equal(tried.broken, null);
      assert.equal(tried.fetched, 'refused');
      assert.deepEqual(directives.filter((directive) => !tried.refused.includes(directive)), [], 'refused');
      await context.close();
    });
  }
});
