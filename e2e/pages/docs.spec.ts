// The documentation: every page opens, can be read by everybody on every screen, and what it tells to copy works.
import type { Page } from '@playwright/test';
import { signApm } from '../support/apm-signer';
import { catalog } from '../support/catalog';
import { signInBrowser } from '../support/dashboard';
import { demo, merchants } from '../support/merchants';
import { expectAccessible, watch } from '../support/pages';
import { fragmentOf, signCard, signOrder } from '../support/signer';
import { expect, test } from '../support/test';

const pages: { [slug: string]: string } = {
  florin: 'What Florin is',
  'first-payment': 'First payment',
  checkout: 'Checkout',
  'hosted-fields': 'Hosted fields',
  wallets: 'Wallets',
  'client-sdk': 'Client SDK',
  's2s-card': 'S2S CARD',
  's2s-apm': 'S2S APM',
  recurring: 'Recurring payments',
  payouts: 'Payouts and transfers',
  routing: 'Routing',
  reference: 'API reference',
  signatures: 'Signatures',
  callbacks: 'Callbacks',
  idempotency: 'Idempotency and retries',
  states: 'States',
  errors: 'Errors',
  methods: 'Payment methods',
  mapping: 'Protocol mapping',
  languages: 'Languages',
  sandbox: 'The sandbox',
  'sandbox-cards': 'Sandbox cards',
  'going-live': 'Going live',
  pci: 'Security and PCI scope',
  version: 'Version 6.7.0',
  unspecified: 'What the contract leaves open',
  configuration: 'Configuration',
  operations: 'Operations',
  scaling: 'Scaling out',
  security: 'Security',
  auditor: 'The auditor',
  proofs: 'Proofs',
  benchmarks: 'Benchmarks',
  'provider-contract': 'The open provider contract',
  adapter: 'Writing an adapter',
};

test('the index leads to every page', async ({ page, florin }) => {
  const { faults } = await watch(page, florin);
  await page.goto('/docs');
  const links = page.getByRole('main').getByRole('listitem').getByRole('link');
  const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(addresses).toEqual(Object.keys(pages).map((slug) => `/docs/${slug}`));
  await expectAccessible(page);
  expect(faults).toEqual([]);
});

// Several pages in one window: a new one would load every script anew.
const slugs = Object.keys(pages);
for (let first = 0; first < slugs.length; first += 6) {
  const some = slugs.slice(first, first + 6);
  test(`${some.join(', ')} can be read by everybody`, async ({ page, florin }) => {
    test.slow();
    const { faults } = await watch(page, florin);
    for (const slug of some) await expectReadable(page, slug);
    expect(faults).toEqual([]);
  });
}

async function expectReadable(page: Page, slug: string): Promise<void> {
  await page.goto(`/docs/${slug}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(pages[slug] ?? '');
  await expectAccessible(page);
  // All pages have one style sheet: two of them hold whatever it colours.
  if (slug === 'first-payment' || slug === 'states') {
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'light' });
  }
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  if (wide) await page.setViewportSize(wide);
}

test('no link of the documentation leads nowhere', async ({ request, florin }) => {
  test.setTimeout(180_000);
  const seen = new Set<string>();
  // Of the pages of methods, which are all made alike, one that pays and one that pays out.
  const drawn = ['reference/checkout', 'reference/s2s-card', 'reference/s2s-apm', 'methods/card', 'methods/kora'];
  for (const slug of [...Object.keys(pages), ...drawn]) {
    const address = `${florin}/docs/${slug}`;
    const [, main = ''] = /<main([\s\S]*)<\/main>/.exec(await (await request.get(address)).text()) ?? [];
    for (const [, written = ''] of main.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const { href, origin } = new URL(written.replaceAll('&amp;', '&'), address);
      if (origin === florin) seen.add(href);
    }
  }
  expect(seen.size).toBeGreaterThan(10);
  // Every page once, and several at a time.
  const addresses = [...new Set([...seen].map((href) => href.split('#')[0] ?? ''))];
  const texts = new Map<string, string>();
  const fetchNext = async (): Promise<void> => {
    const address = addresses.pop();
    if (address === undefined) return;
    const answer = await request.get(address);
    expect(answer.status(), address).toBe(200);
    texts.set(address, await answer.text());
    return fetchNext();
  };
  await Promise.all(Array.from({ length: 6 }, fetchNext));
  for (const href of seen) {
    const [address = '', anchor] = href.split('#');
    if (anchor) expect(texts.get(address), href).toContain(`id="${decodeURIComponent(anchor)}"`);
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

test('the search is reached by a key, finds a code, and leads there', async ({ page }) => {
  await page.goto('/docs/florin');
  const box = page.getByRole('combobox', { name: 'Search the documentation' });
  // Until the page's script has come, the key does nothing.
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(box).toBeFocused({ timeout: 500 });
  }).toPass();
  await box.fill('208003');
  await expect(page.getByRole('option').first()).toContainText('208003');
  await expectAccessible(page);
  await box.fill('webhook-signature');
  await expect(page.getByRole('option').first()).toContainText('Callbacks');
  await box.press('ArrowDown');
  await expect(page.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true');
  await box.fill('no such thing anywhere');
  await expect(page.getByText('Nothing found.')).toBeVisible();
  await box.fill('CREATE_SCHEDULE');
  await expect(page.getByRole('option').first()).toBeVisible();
  await box.press('Enter');
  await page.waitForURL(/\/docs\/\S+#/);
});

test('the language of an example is chosen once for all pages', async ({ page }) => {
  await page.goto('/docs/checkout');
  const first = page.getByRole('group', { name: /Language of the example/ }).first();
  await expect(first.locator('pre:visible')).toContainText('curl');
  await first.getByRole('radio', { name: 'PHP' }).check();
  await expect(first.locator('pre:visible')).toContainText('<?php');
  await page.goto('/docs/s2s-apm');
  const other = page.getByRole('group', { name: /Language of the example/ }).last();
  await expect(other.getByRole('radio', { name: 'PHP' })).toBeChecked();
  await expect(other.locator('pre:visible')).toContainText('<?php');
});

test('every page leads to its neighbours and to its Markdown, and no address on it stands for two things', async ({
  page,
  request,
}) => {
  const slugs = Object.keys(pages);
  for (const [at, slug] of slugs.entries()) {
    const html = await (await request.get(`/docs/${slug}`)).text();
    const ids = [...html.matchAll(/<(?:h\d|tr)[^>]* id="([^"]+)"/g)].map(([, id]) => id);
    expect(
      ids.filter((id, place) => ids.indexOf(id) !== place),
      slug,
    ).toEqual([]);
    if (slug === 'reference') continue;
    expect(html, slug).toContain(`href="/docs/${slug}.md"`);
    for (const near of [slugs[at - 1], slugs[at + 1]]) if (near) expect(html).toContain(`href="/docs/${near}"`);
  }
  const whole = await (await request.get('/llms-full.txt')).text();
  for (const title of Object.values(pages)) expect(whole).toContain(`# ${title}\n`);
  await page.goto('/docs/methods.md');
  await expect(page.locator('body')).toContainText('papara');
});

test('the index for machines leads to the Markdown of every page, method and reference', async ({
  request,
  florin,
}) => {
  test.setTimeout(120_000);
  const index = await (await request.get('/llms.txt')).text();
  const paths = [...index.matchAll(/\((\S+)\/docs\/(\S+)\.md\)/g)].map(([, base, path = '']) => {
    expect(base).toBe(florin);
    return path;
  });
  const drawn = ['checkout', 's2s-card', 's2s-apm'].map((name) => `reference/${name}`);
  const kinds = catalog.map(({ id }) => `methods/${id}`);
  expect([...paths].sort()).toEqual([...Object.keys(pages), ...drawn, ...kinds].sort());
  const left = [...paths];
  const readNext = async (): Promise<void> => {
    const path = left.pop();
    if (path === undefined) return;
    const answer = await request.get(`/docs/${path}.md`);
    expect(answer.status(), path).toBe(200);
    expect(answer.headers()['content-type'], path).toBe('text/markdown; charset=utf-8');
    expect(answer.headers()['x-content-type-options'], path).toBe('nosniff');
    const text = await answer.text();
    expect(text, path).toMatch(/^# .+\n/);
    if (path.startsWith('methods/')) expect(text).toContain(`\`${path.slice('methods/'.length)}\` in \`methods\``);
    return readNext();
  };
  await Promise.all(Array.from({ length: 6 }, readNext));
  for (const path of ['methods/nothing', 'reference/nothing', 'other/checkout', 'nothing']) {
    expect((await request.get(`/docs/${path}.md`)).status(), path).toBe(404);
  }
});

test('the index of the search is fetched when somebody looks, small, and once for several pages', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (each) => {
    if (each.url().endsWith('/docs/search.json')) asked.push(each.url());
  });
  await page.goto('/docs/reference/checkout', { waitUntil: 'networkidle' });
  expect(asked).toEqual([]);
  const fetched = page.waitForResponse('**/docs/search.json');
  await page.getByRole('combobox', { name: 'Search the documentation' }).fill('papara');
  const answer = await fetched;
  expect(answer.headers()['cache-control']).toBe('public, max-age=300');
  expect((await answer.request().sizes()).responseBodySize).toBeLessThan(75_000);
  await expect(page.getByRole('option').first()).toContainText('Papara');
  await page.getByRole('combobox', { name: 'Search the documentation' }).press('Enter');
  await page.waitForURL('**/docs/methods/papara');
  const again = await page.request.get('/docs/search.json', {
    headers: { 'if-none-match': answer.headers().etag ?? '' },
  });
  expect([again.status(), (await again.body()).length]).toEqual([304, 0]);
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

test('whoever has signed in reads their own sandbox key, and nobody is given a password', async ({
  browser,
  florin,
  page,
}) => {
  const context = await browser.newContext();
  await signInBrowser(context, florin, 'operator');
  const own = await context.newPage();
  const answer = await own.goto(`${florin}/dashboard/docs/first-payment`);
  expect(answer?.headers()['cache-control']).toContain('no-store');
  const text = (await own.getByRole('article').textContent()) ?? '';
  expect(text).toContain(merchants.plain.key);
  expect(text).not.toContain(demo.key);
  expect(text).not.toContain(merchants.plain.password);
  expect(text).toContain('YOUR-PASSWORD');
  await expectAccessible(own);
  // Whoever goes on reading keeps the key.
  await own.getByRole('link', { name: 'Next' }).click();
  await own.waitForURL('**/dashboard/docs/checkout');
  await expect(own.getByRole('article')).toContainText(merchants.plain.key);
  await own.getByRole('combobox', { name: 'Search the documentation' }).fill('webhook-signature');
  await expect(own.getByRole('option').first()).toContainText('Callbacks');
  await own.getByRole('combobox', { name: 'Search the documentation' }).press('Enter');
  await own.waitForURL('**/dashboard/docs/callbacks#webhook-signature');
  // An owner may have requests signed; the demo merchant's password is public.
  await context.clearCookies();
  await signInBrowser(context, florin, 'merchant');
  await own.goto(`${florin}/dashboard/docs/first-payment`);
  await expect(own.getByText('Florin Demo Shop')).toBeVisible();
  await expect(own.getByRole('article')).toContainText(demo.password);
  await context.close();
  // A stranger is led to what everybody may read.
  await page.goto('/dashboard/docs/first-payment');
  await page.waitForURL('**/docs/first-payment');
  await expect(page.getByRole('article')).toContainText(demo.key);
  await expect(page.getByText('The examples have the sandbox key')).toHaveCount(0);
});
