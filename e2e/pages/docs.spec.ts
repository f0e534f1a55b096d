// The documentation: every page opens, can be read by everybody on every screen, and what it tells to copy works.
import type { Page } from '@playwright/test';
import { signApm } from '../support/apm-signer';
import { demo } from '../support/merchants';
import { expectAccessible, watch } from '../support/pages';
import { fragmentOf, signCard, signOrder } from '../support/signer';
import { expect, test } from '../support/test';

const pages = {
  'first-payment': 'First payment',
  'hosted-fields': 'Hosted fields',
  wallets: 'Wallets',
  'client-sdk': 'Client SDK',
  's2s-card': 'S2S CARD',
  's2s-apm': 'S2S APM',
  payouts: 'Payouts, transfers, chains',
  methods: 'Payment methods',
  'sandbox-cards': 'Sandbox cards',
  callbacks: 'Callbacks',
  states: 'States',
  errors: 'Errors',
  sandbox: 'The sandbox',
  'provider-contract': 'The open provider contract',
  operations: 'Operations',
  security: 'Security',
  auditor: 'The auditor',
  proofs: 'Proofs',
  benchmarks: 'Benchmarks',
};

test('the index leads to every page', async ({ page, florin }) => {
  const { faults } = await watch(page, florin);
  await page.goto('/docs');
  const links = page.getByRole('main').getByRole('link');
  const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(addresses).toEqual(Object.keys(pages).map((slug) => `/docs/${slug}`));
  await expectAccessible(page);
  expect(faults).toEqual([]);
});

for (const [slug, title] of Object.entries(pages)) {
  test(`${slug} can be read by everybody`, async ({ page, florin }) => {
    const { faults } = await watch(page, florin);
    await page.goto(`/docs/${slug}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expectAccessible(page);
    // All pages have one style sheet: two of them hold whatever it colours.
    if (slug === 'first-payment' || slug === 'states') {
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectAccessible(page);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
  });
}

test('no link of the documentation leads nowhere', async ({ page, request }) => {
  const seen = new Set<string>();
  for (const slug of Object.keys(pages)) {
    await page.goto(`/docs/${slug}`);
    const hrefs = await page
      .locator('main a')
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    for (const href of hrefs) if (new URL(href).origin === new URL(page.url()).origin) seen.add(href);
  }
  expect(seen.size).toBeGreaterThan(10);
  for (const href of seen) {
    const answer = await request.get(href);
    expect(answer.status(), href).toBe(200);
    const { hash } = new URL(href);
    if (hash) expect(await answer.text(), href).toContain(`id="${decodeURIComponent(hash.slice(1))}"`);
  }
});

test('the command of the first payment opens a session, and its hash is what the contract says', async ({
  page,
  request,
}) => {
  for (const address of ['/docs/first-payment', '/']) {
    await page.goto(address);
    const command = (await page.locator('pre', { hasText: 'curl' }).first().textContent()) ?? '';
    const [, url = ''] = /curl -s (\S+)/.exec(command) ?? [];
    const body = JSON.parse(command.slice(command.indexOf("'{") + 1, command.lastIndexOf("'")));
    expect(body.hash).toBe(signOrder(body.order, demo));
    const answer = await request.post(url, { data: body });
    expect(answer.status()).toBe(200);
    const { redirect_url } = await answer.json();
    expect((await request.get(redirect_url)).status()).toBe(200);
  }
});

/** The command of a page as the form that it posts. */
async function commandOf(page: Page, address: string): Promise<{ url: string; form: { [name: string]: string } }> {
  await page.goto(address);
  const command = (await page.locator('pre', { hasText: 'curl' }).first().textContent()) ?? '';
  const [, url = ''] = /curl -s (\S+)/.exec(command) ?? [];
  return {
    url,
    form: Object.fromEntries([...command.matchAll(/-d (\w+)=(\S+)/g)].map(([, name, value]) => [name, value])),
  };
}

test('the command of S2S CARD sells, and its hash is what the contract says', async ({ page, request }) => {
  const { url, form } = await commandOf(page, '/docs/s2s-card');
  expect(form.hash).toBe(signCard(1, { email: form.payer_email, card: fragmentOf(form.card_number ?? '') }, demo));
  const answer = await request.post(url, { form });
  expect(await answer.json()).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
});

test('the command of S2S APM sells, and its hash is what the contract says', async ({ page, request }) => {
  const { url, form } = await commandOf(page, '/docs/s2s-apm');
  const { identifier, order_id: orderId, order_amount: amount, order_currency: currency } = form;
  expect(form.hash).toBe(signApm('sale', { identifier, orderId, amount, currency }, demo));
  const answer = await request.post(url, { form });
  expect(await answer.json()).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
});

test('a page without script is whole', async ({ browser, florin }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${florin}/docs/errors`);
  await expect(page.getByRole('cell', { name: '208003' })).toBeVisible();
  await context.close();
});

test('an address without a page', async ({ page }) => {
  const answer = await page.goto('/docs/nothing');
  expect(answer?.status()).toBe(404);
});
