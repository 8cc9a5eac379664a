import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

// One file that opens from a disk, without a server and without a network.
export default defineConfig({
  plugins: [licences(), viteSingleFile({ removeViteModuleLoader: true })],
  build: { target: 'es2022', chunkSizeWarningLimit: 600, reportCompressedSize: false },
});
