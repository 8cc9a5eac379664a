import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

// The directory of the package that a module belongs to; null for modules of this page.
function packageOf(module) {
  if (!module.includes('/node_modules/')) return null;
  for (let folder = dirname(module); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'package.json')) && JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version)
      return folder;
  return null;
}

// The page holds code of others, whose licences ask to be kept with it.
function licences() {
  return {
    name: 'licences',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const folders = [...new Set(Object.keys(chunk.modules).map(packageOf).filter(Boolean))].sort();
        const owners = new Map();
        for (const folder of folders) {
          const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
          if (!file) throw new Error(`${folder} comes without its licence.`);
          const text = readFileSync(join(folder, file), 'utf8').trim().replaceAll('*/', '* /');
          const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
          owners.set(text, [...(owners.get(text) ?? []), `${name} ${version}`]);
        }
        const notices = [...owners].map(([text, names]) => `${names.join(', ')}\n\n${text}`);
        chunk.code = `/*!\nThis page contains:\n\n${notices.join('\n\n----\n\n')}\n*/\n${chunk.code}`;
      }
    },
  };
}

// The page itself says what a browser may do for it: run its own script, known by its hash, and nothing else; load
// nothing from anywhere but the icon and the pictures that it makes. Styles stand in attributes, which have no hashes.
function contentSecurityPolicy() {
  return {
    name: 'content-security-policy',
    writeBundle({ dir }) {
      // When all is in the one file.
      const file = join(dir, 'index.html');
      const page = readFileSync(file, 'utf8');
      const scripts = [...page.matchAll(/<script type="module"[^>]*>([^]*?)<\/script>/g)];
      const charset = '<meta charset="utf-8" />';
      if (scripts.length !== 1 || !scripts[0][1] || !page.includes(charset))
        throw new Error(`${file} is not a page with one script and a place for its policy.`);
      const policy = [
        "default-src 'none'",
        `script-src 'sha256-${createHash('sha256').update(scripts[0][1]).digest('base64')}'`,
        "style-src 'unsafe-inline'",
        'img-src data: blob:',
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; ');
      const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
      writeFileSync(file, page.replace(charset, () => `${charset}\n    ${meta}`));
    },
  };
}

// One file that opens from a disk, without a server and without a network.
export default defineConfig({
  plugins: [licences(), viteSingleFile({ removeViteModuleLoader: true }), contentSecurityPolicy()],
  build: { target: 'es2022', chunkSizeWarningLimit: 600, reportCompressedSize: false },
});
