// The test function of the engines: a tab of the project's engine, in which no script and no policy may report an error.
import { writeFileSync } from 'node:fs';
import { test as base, expect } from '../support/test.ts';
import { startPuppeteer } from './puppeteer-driver.ts';
import type { Browser, Engine, Tab } from './tab.ts';
import { startWebkit } from './webkit-driver.ts';

const start: { [engine in Engine]: () => Promise<Browser> } = {
  chromium: () => startPuppeteer('chrome', pathIn('CHROMIUM_PATH')),
  firefox: () => startPuppeteer('firefox', pathIn('FIREFOX_PATH')),
  webkit: () => startWebkit(pathIn('WEBKIT_DRIVER_PATH')),
};

function pathIn(variable: string): string {
  const path = process.env[variable];
  if (!path) throw new Error(`${variable} is missing: the path of the engine under test`);
  return path;
}

type Shared = { engine: Engine; started: Browser };
type Own = {
  tab: Tab;
  /** Saves a picture of the tab among the test's results. */
  picture: (name: string) => Promise<void>;
};

export const test = base.extend<Own, Shared>({
  engine: ['chromium', { option: true, scope: 'worker' }],
  started: [
    async ({ engine }, use) => {
      const browser = await start[engine]();
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  tab: async ({ started }, use) => {
    const tab = await started.open();
    try {
      await use(tab);
      // Reads what the last document has reported.
      await tab.evaluate('null');
      expect(tab.faults).toEqual([]);
    } finally {
      await tab.close();
    }
  },
  picture: async ({ tab }, use, info) => {
    const save = async (name: string) => writeFileSync(info.outputPath(`${name}.png`), await tab.picture());
    await use(save);
    if (info.status !== info.expectedStatus) await save('failed');
  },
});

export { expect };
