// The end-to-end tests. scripts/test.mjs starts the servers that they talk to and names them here; both hold the same
// tests of the API, because both mounts of the table of routes must answer alike.
import { defineConfig } from '@playwright/test';

const production = process.env.FLORIN_URL;
const next = process.env.FLORIN_NEXT_URL ?? production;
const executablePath = process.env.CHROMIUM_PATH || undefined;

// The tests that say something about the mount a request came in by: how it is decoded, guarded, answered and streamed, at
// an address of every room. What happens behind that is the same code, and is tested once.
const aboutMounts =
  /\/(access|apm-precedence|client-sdk|payer-return|dashboard|fields-files|outbox|page|precedence|s2s-precedence|s2s-return|session|status|voucher)\.spec\.ts$/;

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: true,
  // What fails once has failed: there is a cause, and a second try would hide it.
  retries: 0,
  // More than there are processors: many tests of the API wait for a provider that takes its time. Browsers wait less, for
  // a page to come to rest.
  workers: 5,
  timeout: 180_000,
  // A machine that is busy with other things makes a browser late. What is waited for comes at once or not at all, so that a
  // longer wait costs nothing where all is well.
  expect: { timeout: 20_000 },
  reporter: [
    ['list'],
    ...(process.env.FLORIN_REPORT ? [['json', { outputFile: process.env.FLORIN_REPORT }] as const] : []),
  ],
  use: {
    // The payer's machine is nowhere near the server's.
    locale: 'en-US',
    timezoneId: 'America/St_Johns',
    // Keeping a trace of everything costs a third of the time; what has failed is run again by itself, which keeps one.
    trace: process.env.FLORIN_REPORT ? 'off' : 'retain-on-failure',
    launchOptions: {
      executablePath,
      // The shops that frame our page have public names while the server is on this machine, which browsers ask about.
      args: [
        ...['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
        '--disable-features=LocalNetworkAccessChecks',
      ],
    },
  },
  projects: [
    { name: 'api', testDir: 'e2e/api', use: { baseURL: production } },
    { name: 'api-next', testDir: 'e2e/api', testMatch: aboutMounts, use: { baseURL: next } },
    { name: 'pages', testDir: 'e2e/pages', workers: 3, use: { baseURL: production } },
    // These move the clock of the whole server: they run alone and last.
    { name: 'clock', testDir: 'e2e/clock', workers: 1, fullyParallel: false, use: { baseURL: production } },
    // These change the keys of the whole server, one after another.
    { name: 'vault', testDir: 'e2e/vault', workers: 1, fullyParallel: false, use: { baseURL: production } },
  ],
});
