// florin dev (npm run dev): Next with reload on change, on the same database as npm start. Next serves every route here,
// and its process runs the jobs.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDatabase, prepareSettings, prepareTables } from '../prepare.ts';
import { noteServing, root } from '../project.ts';
import { defineCommand } from './command.ts';

export const dev = defineCommand({
  usage: 'florin dev: serves with reload on change, on the database of npm start.',
  run: async () => {
    process.chdir(root);
    const { env } = await prepareSettings();
    const stopDatabase = await prepareDatabase();
    const { generateClient } = await import('../generate.ts');
    const { run } = await import('../install.ts');
    generateClient();
    const browser = join(root, 'scripts', 'build-browser.ts');
    if (existsSync(browser)) await run(process.execPath, [browser]);
    await prepareTables();
    const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
    const forget = noteServing(env.port);
    const child = spawn(process.execPath, [next, 'dev', '-p', String(env.port)], {
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'development' },
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
    child.on('exit', async (code) => {
      forget();
      await stopDatabase();
      process.exit(code ?? 0);
    });
  },
});
