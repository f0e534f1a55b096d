// npm run screenshots: the README's screenshots of the running app. Uses a new sandbox with the demo merchant's month;
// only docs/images is kept.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startStack } from '../e2e/bench/stack.mjs';
import { findBrowser } from './browser.mjs';
import { build } from './build.mjs';
import { importTypeScript } from './bundle.mjs';
import { freePort } from './ports.mjs';
import { step } from './progress.mjs';
import { root } from './project.mjs';

const folder = join(root, 'docs', 'images');
const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 760 };

const hash = (name, text) => createHash(name).update(text).digest('hex');

/** Creates a session of the demo merchant and returns the address of its payment page. */
async function openSession(url, { key, password }) {
  const order = { number: 'order-1042', amount: '84.50', currency: 'EUR', description: 'Two stoneware bowls' };
  const signed = order.number + order.amount + order.currency + order.description + password;
  const answer = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      merchant_key: key,
      operation: 'purchase',
      order,
      success_url: `${url}/shop`,
      cancel_url: `${url}/shop`,
      hash: hash('sha1', hash('md5', signed.toUpperCase())),
    }),
  });
  const { redirect_url: address, ...rest } = await answer.json();
  if (!address) throw new Error(`No session was created: ${JSON.stringify(rest)}`);
  return address;
}

async function signIn(context, url, password) {
  const data = { email: 'manager@demo.test', password };
  const answer = await context.request.post(`${url}/dashboard/api/sign-in`, { data, headers: { origin: url } });
  if (!answer.ok()) throw new Error(`The sign-in failed: ${answer.status()}`);
}

async function take(page, address, name) {
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', caret: 'hide' });
}

async function takeAll(browser, url, demoMerchant, password) {
  const open = async (options) => (await browser.newContext({ ...options })).newPage();
  await take(await open({ viewport: wide, locale: 'en-GB' }), await openSession(url, demoMerchant), 'payment-page');
  const phone = { viewport: narrow, locale: 'ar', colorScheme: 'dark', hasTouch: true, isMobile: true };
  await take(await open(phone), await openSession(url, demoMerchant), 'payment-page-phone');
  const desk = await open({ viewport: wide });
  await signIn(desk.context(), url, password);
  await take(desk, `${url}/dashboard`, 'dashboard-overview');
  await take(desk, `${url}/dashboard/payments`, 'dashboard-payments');
  // A refunded payment has the most to show.
  await desk.goto(`${url}/dashboard/payments?state=refund`, { waitUntil: 'networkidle' });
  const [first] = await desk.$$eval('main a[href*="/dashboard/payments/"]', (links) => links.map(({ href }) => href));
  if (!first) throw new Error('The list of refunded payments is empty.');
  await take(desk, first, 'dashboard-payment');
}

async function main() {
  await build();
  mkdirSync(folder, { recursive: true });
  const stack = await step('Starting PostgreSQL', startStack);
  const { chromium } = await import('playwright');
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: ['--no-sandbox'] });
  try {
    const port = await freePort();
    const settings = { DEMO_PASSWORD: randomBytes(12).toString('base64url') };
    await step('Seeding the demo merchant', () => stack.seed('prisma/seed.ts', port, settings));
    await stack.serve(port, settings);
    const { demoMerchant } = await importTypeScript('lib/core/demo-merchant.ts');
    const url = `http://127.0.0.1:${port}`;
    await step('Taking the screenshots', () => takeAll(browser, url, demoMerchant, settings.DEMO_PASSWORD));
  } finally {
    await browser.close();
    await stack.stop();
  }
}

await main().then(
  () => process.exit(0),
  (error) => {
    console.error(`\n${error.stack}`);
    process.exit(1);
  },
);
