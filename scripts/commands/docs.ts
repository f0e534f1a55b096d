// florin docs: writes the generated documentation of the repository, or checks that it is current.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../project.ts';
import { defineCommand } from './command.ts';

// The files show a sandbox on this machine, whatever the settings are. Neither of the first two is opened.
const settings = {
  DATABASE_URL: 'postgresql://nobody@localhost/nothing',
  VAULT_KEY: Buffer.alloc(32).toString('base64'),
  APP_ENV: 'sandbox',
  BASE_URL: 'http://localhost:3000',
};

export const docs = defineCommand({
  usage: 'florin docs [--check]: writes the generated documentation; with --check it only names stale files.',
  options: { check: { type: 'boolean', default: false } },
  run: async ({ check }) => {
    for (const name of ['CHECKOUT_HOST', 'S2S_CARD_HOST', 'S2S_APM_HOST', 'DASHBOARD_HOST']) delete process.env[name];
    Object.assign(process.env, settings);
    const { renderedFiles } = await import('../../lib/docs/render.ts');
    const stale: string[] = [];
    for (const [path, text] of renderedFiles()) {
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
  },
});
