// npm run dev: Next with reload on change, on the same database as npm start. Next serves every route here, and its
// process runs the jobs.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDatabase, prepareSettings, prepareTables } from './prepare.mjs';
import { noteServing, root } from './project.mjs';

process.chdir(root);
const { env } = await prepareSettings();
const stopDatabase = await prepareDatabase();
const { generateClient } = await import('./generate.mjs');
const { run } = await import('./install.mjs');
generateClient();
const browser = join(root, 'scripts', 'build-browser.mjs');
if (existsSync(browser)) await run(process.execPath, [browser]);
await prepareTables();
const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
const forget = noteServing(env.port);
const child = spawn(process.execPath, [next, 'dev', '-p', String(env.port)], {
  stdio: 'inherit',
  env: { ...process.env, NODE_ENV: 'development' },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', async (code) => {
  forget();
  await stopDatabase();
  process.exit(code ?? 0);
});
