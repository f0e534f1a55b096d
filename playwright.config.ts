// The end-to-end tests. e2e/runner/test.ts starts their server and passes its address.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { type Engine, engines } from './e2e/engines/tab.ts';

// Where no server is named, the one that `npm run florin -- test-server` keeps is used.
const note = join('.data', 'test', 'server.json');
if (!process.env.FLORIN_URL && existsSync(note)) {
  Object.assign(process.env, JSON.parse(readFileSync(note, 'utf8')));
}

const production = process.env.FLORIN_URL;
// A busy machine delays what a test waits for. `florin test` names each test that passed only when repeated.
const repeats = 1;

const executablePath = process.env.CHROMIUM_PATH || undefined;

export default defineConfig<object, { engine: Engine }>({
  testDir: 'e2e',
  outputDir: 'test-results',
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  fullyParallel: true,
  forbidOnly: true,
  // Races in the records of money show by chance: their tests, also of the other projects, are never repeated.
  retries: 0,
  // More than there are processors: many API tests wait for a slow provider.
  workers: 6,
  // A busy machine delays everything; long limits cost nothing when tests pass.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [
    ['list'],
    ...(process.env.FLORIN_REPORT ? [['json', { outputFile: process.env.FLORIN_REPORT }] as const] : []),
  ],
  use: {
    // The payer's time zone differs from the server's.
    locale: 'en-US',
    timezoneId: 'America/St_Johns',
    // Animations delay every press of a moving button, and give axe intermediate colours.
    contextOptions: { reducedMotion: 'reduce' },
    // Traces cost a third of the time; rerun a failed test by itself to get one.
    trace: process.env.FLORIN_REPORT ? 'off' : 'retain-on-failure',
    launchOptions: {
      executablePath,
      // Framing shops have public names while the server is local, which browsers would block or ask about.
      args: [
        ...['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
        '--disable-features=LocalNetworkAccessChecks',
        // A page lives for seconds: optimizing its scripts, and parsing them again for each stack, costs a sixth of a test.
        '--js-flags=--no-opt --no-maglev --no-enable-lazy-source-positions',
      ],
    },
  },
  projects: [
    // First, so that the API tests that wait run beside the browsers, which work.
    { name: 'pages', testDir: 'e2e/pages', workers: 3, retries: repeats, use: { baseURL: production } },
    // The payment page in each engine; one browser of each.
    ...engines.map((engine) => ({
      name: engine,
      testDir: 'e2e/engines',
      workers: 1,
      retries: repeats,
      use: { baseURL: production, engine },
    })),
    { name: 'pictures', testDir: 'e2e/preview', workers: 1 },
    { name: 'api', testDir: 'e2e/api', retries: repeats, use: { baseURL: production } },
    // These call the service's statements on the database of the server under test.
    { name: 'database', testDir: 'e2e/database', use: { baseURL: production } },
    // These move the clock of the whole server: they run alone and last.
    {
      name: 'clock',
      testDir: 'e2e/clock',
      workers: 1,
      fullyParallel: false,
      retries: repeats,
      use: { baseURL: production },
    },
    // These change the keys of the whole server, one after another.
    { name: 'vault', testDir: 'e2e/vault', workers: 1, fullyParallel: false, use: { baseURL: production } },
  ],
});
