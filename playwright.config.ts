// The end-to-end tests. scripts/test.mjs starts the servers that they talk to and names them here; both hold the same
// tests of the API, because both mounts of the table of routes must answer alike.
import { defineConfig } from '@playwright/test';

const production = process.env.FLORIN_URL;
const next = process.env.FLORIN_NEXT_URL ?? production;
const executablePath = process.env.CHROMIUM_PATH || undefined;

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  workers: 2,
  timeout: 60_000,
  reporter: [
    ['list'],
    ...(process.env.FLORIN_REPORT ? [['json', { outputFile: process.env.FLORIN_REPORT }] as const] : []),
  ],
  use: {
    // The payer's machine is nowhere near the server's.
    locale: 'en-US',
    timezoneId: 'America/St_Johns',
    trace: 'retain-on-failure',
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
    { name: 'api-next', testDir: 'e2e/api', use: { baseURL: next } },
    { name: 'pages', testDir: 'e2e/pages', use: { baseURL: production } },
    // These move the clock of the whole server: they run alone and last.
    { name: 'clock', testDir: 'e2e/clock', workers: 1, fullyParallel: false, use: { baseURL: production } },
  ],
});
