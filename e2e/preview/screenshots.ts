// florin screenshots: the README's screenshot of the payment page. Uses a new sandbox; only docs/images is kept.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { build } from '../../scripts/build.ts';
import { defineCommand } from '../../scripts/commands/command.ts';
import { freePort } from '../../scripts/ports.ts';
import { root, step } from '../../scripts/project.ts';
import { startStack } from '../bench/stack.ts';
import { findBrowser } from '../runner/tools.ts';

const folder = join(root, 'docs', 'images');
const wide = { width: 1440, height: 900 };

const hash = (name: string, text: string) => createHash(name).update(text).digest('hex');

/** Creates a session of the demo merchant and returns the address of its payment page. */
async function openSession(url: string, { key, password }: { key: string; password: string }): Promise<string> {
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
  const { redirect_url: address, ...rest } = (await answer.json()) as { redirect_url?: string };
  if (!address) throw new Error(`No session was created: ${JSON.stringify(rest)}`);
  return address;
}

async function take(page: Page, address: string, name: string) {
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', caret: 'hide' });
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
    const { demoMerchant } = await import('../../lib/core/demo-merchant.ts');
    const url = `http://127.0.0.1:${port}`;
    const page = await browser.newPage({ viewport: wide, locale: 'en-GB' });
    await step('Taking the screenshot', async () => take(page, await openSession(url, demoMerchant), 'payment-page'));
  } finally {
    await browser.close();
    await stack.stop();
  }
}

export const screenshots = defineCommand({
  usage: 'florin screenshots: takes the screenshot of the README into docs/images, in a new sandbox.',
  run: async () => {
    await main();
    process.exit(0);
  },
});
