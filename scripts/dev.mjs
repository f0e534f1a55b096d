// npm run dev: the server of production with Next in development mode behind it, on the same database as npm start. Next
// reloads pages by itself; a change of the server's own code starts the server again.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bundleOnChange } from './bundle.mjs';
import { generateClient } from './generate.mjs';
import { run } from './install.mjs';
import { prepareDatabase, prepareSettings, prepareTables } from './prepare.mjs';
import { noteServing, root } from './project.mjs';

process.chdir(root);
const { env } = await prepareSettings();
const stopDatabase = await prepareDatabase();
generateClient();
const browser = join(root, 'scripts', 'build-browser.mjs');
if (existsSync(browser)) await run(process.execPath, [browser]);
await prepareTables();

const server = join(root, '.data', 'dev', 'server.js');
/** How long a server may finish its requests before the next one starts. */
const patienceMilliseconds = 2_000;
const forget = noteServing(env.port);
let child = null;
let stopping = false;
let starting = Promise.resolve();

function start() {
  child = spawn(process.execPath, [server], { stdio: 'inherit', env: { ...process.env, NODE_ENV: 'development' } });
  child.once('exit', (code) => {
    if (code) console.error('The server has ended. It starts again after the next change.');
    child = null;
  });
}

async function end() {
  const ending = child;
  if (ending === null) return;
  const ended = new Promise((done) => ending.once('exit', done));
  ending.kill('SIGTERM');
  const timer = setTimeout(() => ending.kill('SIGKILL'), patienceMilliseconds);
  await ended;
  clearTimeout(timer);
}

await bundleOnChange('lib/server/server.ts', server, () => {
  starting = starting.then(async () => {
    if (stopping) return;
    if (child !== null) console.log('The server starts again.');
    await end();
    start();
  });
});

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    if (stopping) return;
    stopping = true;
    await starting;
    await end();
    forget();
    await stopDatabase();
    process.exit(0);
  });
}
