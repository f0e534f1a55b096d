// Firefox by WebDriver BiDi and Chromium by its own protocol, both through Puppeteer.
import puppeteer, { type Page } from 'puppeteer-core';
import { type Browser, patience, screen, selectAll, type Tab } from './tab.ts';

/** Starts the browser at `executablePath`. */
export async function startPuppeteer(browser: 'chrome' | 'firefox', executablePath: string): Promise<Browser> {
  const launched = await puppeteer.launch({
    browser,
    executablePath,
    defaultViewport: screen,
    args: browser === 'chrome' ? ['--no-sandbox', '--disable-gpu', '--lang=en-US'] : [],
    extraPrefsFirefox: { 'intl.accept_languages': 'en-US' },
  });
  return {
    open: async () => tabOf(await (await launched.createBrowserContext()).newPage()),
    close: () => launched.close(),
  };
}

async function tabOf(page: Page): Promise<Tab> {
  const faults: string[] = [];
  page.setDefaultTimeout(patience);
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  // Firefox does not report violations of the policy as messages of the console.
  await page.evaluateOnNewDocument(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      console.error(`content security policy: ${effectiveDirective} ${blockedURI}`);
    });
  });
  const inside = async (frame?: string) => {
    if (!frame) return page.mainFrame();
    const content = await (await page.waitForSelector(frame))?.contentFrame();
    if (!content) throw new Error(`${frame} has no document.`);
    return content;
  };
  const find = async (selector: string, frame?: string) => {
    const found = await (await inside(frame)).waitForSelector(selector, { visible: true });
    if (!found) throw new Error(`There is no ${selector}.`);
    return found;
  };
  return {
    faults,
    goto: (url) => page.goto(url),
    type: async (text, selector, frame) => {
      const field = await find(selector, frame);
      await field.click();
      await (await inside(frame)).evaluate(selectAll(selector));
      await field.type(text);
    },
    press: async (selector, frame) => (await find(selector, frame)).click(),
    tab: async (direction) => {
      if (direction) await page.keyboard.down('Shift');
      await page.keyboard.press('Tab');
      if (direction) await page.keyboard.up('Shift');
    },
    evaluate: async (expression, frame) => (await inside(frame)).evaluate(expression).catch(() => undefined),
    picture: () => page.screenshot(),
    close: () => page.browserContext().close(),
  };
}
