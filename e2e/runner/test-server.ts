// florin test-server: builds, starts the server that the end-to-end tests talk to and keeps it until Ctrl-C, so that
// one file of tests can be run again and again (CONTRIBUTING.md). playwright.config.ts finds it by the file written
// here. With --keep-pages only the server and the browser scripts are built; the pages of Next stay as they were built
// before.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommand } from '../../scripts/commands/command.ts';
import { prepareTests } from '../../scripts/install.ts';
import { root } from '../../scripts/project.ts';

const folder = join('.data', 'test');
const noteFile = join(root, folder, 'server.json');

/** Builds everything that has changed, or without the pages, which take most of the time. */
async function buildServer(keepPages: boolean): Promise<void> {
  const { build, buildBrowser } = await import('../../scripts/build.ts');
  if (!keepPages) return build({ pages: join(folder, 'next'), server: join(folder, 'dist') });
  const { generateClient } = await import('../../scripts/build.ts');
  const { bundle } = await import('../../scripts/bundle.ts');
  generateClient();
  await buildBrowser();
  const server = join(root, folder, 'dist', 'server.js');
  // The stamp no longer describes what is built.
  rmSync(join(root, folder, 'dist', 'stamp'), { force: true });
  return bundle('lib/server/server.ts', server, 'linked');
}

export const testServer = defineCommand({
  usage: `florin test-server: builds and starts the server that the end-to-end tests talk to, until Ctrl-C.
    --keep-pages   only the server and the browser scripts are built; the pages of Next stay as they are`,
  options: { 'keep-pages': { type: 'boolean', default: false } },
  run: async (options) => {
    await prepareTests(folder);
    await buildServer(options['keep-pages'] && existsSync(join(root, folder, 'next', 'BUILD_ID')));

    const { findBrowser, findLanguages, findOtherEngines } = await import('./tools.ts');
    const { startServers } = await import('./servers.ts');
    const engines = await findOtherEngines();
    const tools = { CHROMIUM_PATH: await findBrowser(), ...engines.paths, ...(await findLanguages()) };
    const servers = await startServers(folder);
    const { FLORIN_URL } = servers.variables;
    writeFileSync(noteFile, JSON.stringify({ ...servers.variables, ...tools }), { mode: 0o600 });
    console.log(`\nThe test server runs at ${FLORIN_URL}; its log is ${servers.logs[0]}.
Its database: ${servers.databaseUrl}

  npx playwright test --project=api e2e/api/session.spec.ts
  npx playwright test --project=pages e2e/pages/live-updates.spec.ts -g 'part of a title'
${engines.missing.map((line) => `\n${line}\n`).join('')}
Ctrl-C stops it.`);

    const stopped = new Promise<number>((done) => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => done(0));
      servers.production.process.once('exit', () => done(1));
    });
    const code = await stopped;
    rmSync(noteFile, { force: true });
    if (code !== 0) console.error(`The server has exited unexpectedly; see ${servers.logs[0]}.`);
    await servers.stopAll();
    process.exit(code);
  },
});
