// The build of the page strips the types without a look at them; here they are checked.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { pageDir, templatePath } from './browser.mjs';

const compiler = join(pageDir, 'node_modules/typescript/bin/tsc');
if (!existsSync(compiler) || !existsSync(templatePath)) {
  console.log('The types are not checked: the page is not built.');
  process.exit(77); // ctest calls that skipped
}

it('has types that fit', () => {
  const { status, stdout } = spawnSync(process.execPath, [compiler, '--noEmit'], { cwd: pageDir, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});

it('has the two places that the program fills, once each', () => {
  const html = readFileSync(templatePath, 'utf8');
  for (const place of ['"__BELLWETHER_REPORT_DATA__"', '__BELLWETHER_REPORT_TITLE__'])
    assert.equal(html.split(place).length, 2);
  assert.ok(html.length < 600_000, `${html.length} characters`);
});

it('names no address to load from', () => {
  const html = readFileSync(templatePath, 'utf8');
  assert.doesNotMatch(html, /<(?:script|img|iframe|source)[^>]*\ssrc=|<link[^>]*href="(?!data:)|@import|url\(['"]?https?:/);
});
