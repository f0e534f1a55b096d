// Unit tests are next to the code they test. Tests that need a database or a browser run over HTTP in e2e/.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: [
      '{lib,components,scripts,app}/**/*.test.{ts,tsx}',
      'e2e/{chaos,bench,audit,scan,simulation}/**/*.test.ts',
    ],
    // Times are written and signed in UTC; a test that passes only in one time zone must fail.
    // A process reads its settings once, so all tests share them; no test connects to anything.
    env: {
      TZ: 'America/St_Johns',
      APP_ENV: 'sandbox',
      BASE_URL: 'http://florin.test',
      DATABASE_URL: 'postgresql://localhost/never-asked',
      VAULT_KEY: Buffer.alloc(32).toString('base64'),
      LOG_LEVEL: 'silent',
      RATE_LIMITS: 'checkout.address=20',
      CARD_TESTING: 'on',
    },
    // Property tests take seconds, on a busy machine many.
    testTimeout: 120_000,
    // Tests restore what they replace. Isolation would reload every module per file and double the time.
    isolate: false,
    // The default leaves one processor free, which of two is half.
    maxWorkers: '100%',
  },
});
