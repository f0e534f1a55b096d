// Unit tests stand beside the code they test. Whatever needs a database or a browser is tested over
// HTTP in e2e/ and does not run here.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['{lib,components,scripts,app}/**/*.test.{ts,tsx}', 'e2e/{chaos,bench,audit,scan}/**/*.test.ts'],
    // Times are written and signed in UTC; a test that only passes in its author's zone must fail.
    // The settings are read once by a process, and so are the same for all; nothing is ever connected to.
    env: {
      TZ: 'America/St_Johns',
      APP_ENV: 'sandbox',
      BASE_URL: 'http://florin.test',
      DATABASE_URL: 'postgresql://localhost/never-asked',
      VAULT_KEY: Buffer.alloc(32).toString('base64'),
      LOG_LEVEL: 'silent',
      RATE_LIMITS: 'checkout.address=20',
    },
    // What draws hundreds of texts takes seconds, and on a machine that is busy with other things many.
    testTimeout: 120_000,
    // Whoever replaces a part of the world puts it back. Loading every module anew per file would take half of the time.
    isolate: false,
    // By itself it leaves one processor to a person at an editor, which of two is half.
    maxWorkers: '100%',
  },
});
