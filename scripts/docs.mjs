// Writes the documentation of the repository: `npm run docs`. With --check it writes nothing and names stale files.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { importTypeScript } from './bundle.mjs';
import { root } from './project.mjs';

// The files show a sandbox on this machine, whatever the settings are. Neither of the first two is opened.
const settings = {
  DATABASE_URL: 'postgresql://nobody@localhost/nothing',
  VAULT_KEY: Buffer.alloc(32).toString('base64'),
  APP_ENV: 'sandbox',
  BASE_URL: 'http://localhost:3000',
};
for (const name of ['CHECKOUT_HOST', 'S2S_CARD_HOST', 'S2S_APM_HOST']) delete process.env[name];
Object.assign(process.env, settings);

const check = process.argv.includes('--check');
const { renderedFiles } = await importTypeScript('lib/docs/render.ts');
const stale = [];
for (const [path, text] of await renderedFiles()) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  stale.push(path);
  if (check) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const verb = check ? 'stale' : 'written';
console.log(stale.length === 0 ? 'Every file is up to date.' : `${stale.length} ${verb}:\n${stale.join('\n')}`);
process.exit(check && stale.length > 0 ? 1 : 0);
