// What the tests need around the page: a browser, and reports as `bellwether report` would write them.
//
//   PAGE_DIR     directory with node_modules/playwright-core and dist/index.html (the bare page); web/ unless given
//   CHROMIUM     the browser; looked for in PATH unless given
//   REPORT_HTML  a report of the program to be tested beside the made-up ones

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
export const pageDir = resolve(process.env.PAGE_DIR || join(here, '../../web'));
export const templatePath = join(pageDir, 'dist/index.html');

function inPath(names) {
  for (const name of names)
    for (const folder of (process.env.PATH ?? '').split(delimiter))
      if (existsSync(join(folder, name))) return join(folder, name);
  return null;
}
export const chromiumPath = process.env.CHROMIUM || inPath(['chromium', 'chromium-browser', 'google-chrome']);

// Why the tests cannot run; null where they can.
export function missing() {
  if (!existsSync(templatePath)) return `there is no page at ${templatePath}`;
  if (!chromiumPath) return 'there is no Chromium';
  if (!existsSync(join(pageDir, 'node_modules/playwright-core'))) return `playwright-core is not in ${pageDir}/node_modules`;
  return null;
}

// Leaves where something is missing, as ctest knows it; else a browser for all tests of a file: `browser()` within them.
export function browserOfTests(reason = missing()) {
  if (reason) {
    console.log(`The page is not tested: ${reason}.`);
    process.exit(77); // ctest calls that skipped
  }
  let browser;
  before(async () => {
    browser = await launch();
  });
  after(() => browser?.close());
  return () => browser;
}

export async function launch() {
  const { chromium } = createRequire(join(pageDir, 'package.json'))('playwright-core');
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

const element = /(<script type="application\/json" id="report-data">)([\s\S]*?)(<\/script>)/;

export function dataOf(path) {
  return JSON.parse(readFileSync(path, 'utf8').match(element)[2]);
}

const folder = mkdtempSync(join(tmpdir(), 'bellwether-page-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

// The page with these data in it.
export function writeReport(name, data) {
  const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
  const json = JSON.stringify(data).replace(/</g, '\\u003c');
  // Functions, as a replacement text would give a meaning to the dollar signs of the data.
  const html = readFileSync(templatePath, 'utf8')
    .replace('__BELLWETHER_REPORT_TITLE__', () => escaped(data.study?.name ?? data.kind))
    .replace('"__BELLWETHER_REPORT_DATA__"', () => json);
  const path = join(folder, `${name}.html`);
  writeFileSync(path, html);
  return path;
}

// Opens a report and watches it: whatever it complains of or asks the network for is in `complaints` and `requests`.
export async function open(browser, path, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  context.setDefaultTimeout(300_000); // a machine may have other things to do
  const page = await context.newPage();
  const complaints = [];
  const requests = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  const address = pathToFileURL(path).href;
  await page.goto(address);
  await page.waitForFunction(() => {
    const sections = [...document.querySelectorAll('section')];
    return sections.length > 0 && sections.every((section) => 'built' in section.dataset);
  });
  // Charts are drawn when their width is known, a frame later.
  await page.waitForFunction(() => [...document.querySelectorAll('.chart')].every((chart) => chart.firstChild));
  return { page, context, complaints, requests, address };
}

// The same for all tests of a suite: `use` gets what is open before the first of them.
export function openForTests(browser, path, use) {
  let opened;
  before(async () => {
    opened = await open(browser(), path);
    use(opened);
  });
  after(() => opened?.context.close());
}

export function assertQuiet({ requests, complaints, address }) {
  assert.deepEqual(requests.filter((url) => url !== address && !/^(data|blob):/.test(url)), []);
  assert.deepEqual(complaints, []);
}

export async function downloaded(page, click) {
  await page.waitForTimeout(200); // without a word, Chromium keeps nothing of what a page saves beyond ten files a second
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
}
