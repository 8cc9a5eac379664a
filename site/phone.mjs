// Every page of the site on a phone, 390 pixels wide: nothing scrolls sideways, and no page asks the network for anything.
//     PAGE_DIR=build/release/page node site/phone.mjs build/site/html
// Where there is no browser it says so and that is all.

import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, missing } from '../tests/page/browser.mjs';

const reason = missing();
if (reason) {
  console.log(`site: not looked at as on a phone: ${reason}`);
  process.exit(0);
}
const site = resolve(process.argv[2]);
const pages = readdirSync(site, { recursive: true }).filter((name) => name.endsWith('.html') && !name.startsWith('source/'));
const browser = await launch();
const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
const page = await context.newPage();
const asked = [];
page.on('request', (request) => {
  if (!/^(file|data|blob):/.test(request.url())) asked.push(request.url());
});
const wrong = [];
for (const name of pages) {
  asked.length = 0;
  await page.goto(pathToFileURL(join(site, name)).href);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  if (width > 390) wrong.push(`${name} is ${width} pixels wide on a phone of 390`);
  if (asked.length > 0) wrong.push(`${name} asks for ${asked.join(', ')}`);
}
await browser.close();
for (const line of wrong) console.error(`site: ${line}`);
console.log(`site: ${pages.length} pages looked at as on a phone`);
process.exit(wrong.length > 0 ? 1 : 0);
