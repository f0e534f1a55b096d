// florin start (npm start): from a fresh clone to a serving process in one command. A second start finds the build and
// takes seconds.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepareDatabase, prepareSettings, prepareTables } from '../prepare.ts';
import { errorCode, noteServing, root, step } from '../project.ts';
import { defineCommand } from './command.ts';

type Env = Awaited<ReturnType<typeof prepareSettings>>['env'];
type Server = typeof import('../../lib/server/server.ts');

let stopDatabase = async () => {};

async function serve() {
  process.chdir(root);
  Object.assign(process.env, { NODE_ENV: 'production' });
  console.log('Florin');
  const { env, freshDemoPassword } = await prepareSettings();
  stopDatabase = await prepareDatabase();
  const { build } = await import('../build.ts');
  await build();
  await prepareTables();
  const { serveUntilStopped }: Server = await import(pathToFileURL(join(root, 'dist', 'server.js')).href);
  const forget = noteServing(env.port);
  process.off('SIGINT', giveUp).off('SIGTERM', giveUp);
  await step('Starting to serve', () =>
    quietly(() =>
      serveUntilStopped(async () => {
        forget();
        await stopDatabase();
      }),
    ),
  );
  await greet(env, freshDemoPassword);
}

// Next logs its own start, which would break the progress lines.
async function quietly(work: () => Promise<void>) {
  const { log } = console;
  console.log = () => {};
  try {
    await work();
  } finally {
    console.log = log;
  }
}

async function greet(env: Env, freshDemoPassword: string | null) {
  const { dashboardBaseUrl, protocolBaseUrl } = await import('../../lib/config/index.ts');
  const lines: [string, string][] = [
    ['Checkout', `${protocolBaseUrl('checkout')}/api/v1`],
    ['S2S CARD', `${protocolBaseUrl('s2s_card')}/post`],
    ['S2S APM', `${protocolBaseUrl('s2s_apm')}/post`],
    ['Dashboard', `${dashboardBaseUrl()}/dashboard`],
    ['Docs', `${env.baseUrl}/docs`],
  ];
  const { demoMerchant } = await import('../../lib/core/demo-merchant.ts');
  const { sessionCurl } = await import('../../lib/core/demo-request.ts');
  const sandbox = env.appEnv === 'sandbox';
  if (sandbox) lines.push(['Demo key', demoMerchant.key], ['Password', demoMerchant.password]);
  // The demo accounts sign in to the dashboard; their password is shown at the first start only.
  if (sandbox && freshDemoPassword && existsSync(join(root, 'app', 'dashboard'))) {
    lines.push(['Sign in', `manager@demo.test or merchant@demo.test, password ${freshDemoPassword} (not shown again)`]);
  }
  console.log(`\nFlorin serves at ${env.baseUrl} (${env.appEnv})\n`);
  for (const [name, text] of lines) console.log(`  ${name.padEnd(10)} ${text}`);
  if (sandbox) {
    console.log(
      '\nA session of the demo merchant: open the redirect_url of the answer and pay with 4111 1111 1111 1111, 05/38.\n',
    );
    console.log(sessionCurl(protocolBaseUrl('checkout'), `demo-${Date.now()}`));
  }
  console.log('');
}

// Before serving starts there is nothing to drain, only the database to stop.
async function giveUp() {
  await stopDatabase().catch(() => {});
  process.exit(130);
}

export const start = defineCommand({
  usage: `florin start: installs packages, starts the embedded PostgreSQL unless DATABASE_URL is set, builds, migrates and serves.
The settings are in the environment and in .env.`,
  run: async () => {
    process.on('SIGINT', giveUp).on('SIGTERM', giveUp);
    try {
      await serve();
    } catch (error) {
      await stopDatabase().catch(() => {});
      const isExpected = error instanceof Error && ('problems' in error || errorCode(error) === undefined);
      console.error(`\n${isExpected ? error.message : error instanceof Error ? error.stack : error}`);
      process.exit(1);
    }
  },
});
