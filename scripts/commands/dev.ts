// florin dev (npm run dev): the server of production with Next in development mode behind it, on the same database as
// npm start. Next reloads pages by itself; a change of the server's own code starts the server again.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { prepareDatabase, prepareSettings, prepareTables } from '../prepare.ts';
import { noteServing, root } from '../project.ts';
import { defineCommand } from './command.ts';

const bundled = join(root, '.data', 'dev', 'server.js');
/** How long a server may finish its requests before the next one starts. */
const patienceMilliseconds = 2_000;

/** A server that is started again, each time after the one before has ended. */
function restartingServer() {
  let child: ChildProcess | null = null;
  let stopping = false;
  let turn = Promise.resolve();

  function start(): void {
    child = spawn(process.execPath, [bundled], { stdio: 'inherit', env: { ...process.env, NODE_ENV: 'development' } });
    child.once('exit', (code) => {
      if (code) console.error('The server has ended. It starts again after the next change.');
      child = null;
    });
  }

  async function end(): Promise<void> {
    const ending = child;
    if (ending === null) return;
    const ended = new Promise((done) => ending.once('exit', done));
    ending.kill('SIGTERM');
    const timer = setTimeout(() => ending.kill('SIGKILL'), patienceMilliseconds);
    await ended;
    clearTimeout(timer);
  }

  return {
    restart: () => {
      turn = turn.then(async () => {
        if (stopping) return;
        if (child !== null) console.log('The server starts again.');
        await end();
        start();
      });
    },
    stop: async () => {
      stopping = true;
      await turn;
      await end();
    },
  };
}

export const dev = defineCommand({
  usage: 'florin dev: serves with reload on change, on the database of npm start.',
  run: async () => {
    process.chdir(root);
    const { env } = await prepareSettings();
    const stopDatabase = await prepareDatabase();
    const { bundleOnChange } = await import('../bundle.ts');
    const { buildBrowser, generateClient } = await import('../build.ts');
    generateClient();
    await buildBrowser();
    await prepareTables();
    const forget = noteServing(env.port);
    const server = restartingServer();
    await bundleOnChange('lib/server/server.ts', bundled, server.restart);
    await new Promise((stopped) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopped);
    });
    await server.stop();
    forget();
    await stopDatabase();
    process.exit(0);
  },
});
