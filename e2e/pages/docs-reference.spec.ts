// The reference of the protocols and the pages of methods: accessible on every screen, an address for every section,
// and working examples.
import type { Page } from '@playwright/test';
import { catalog } from '../support/catalog.ts';
import { runProgram } from '../support/example-programs.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { demo } from '../support/merchants.ts';
import { expectAccessible, PayPage, watch } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';

async function expectReadable(page: Page, { alsoDark }: { alsoDark: boolean }): Promise<void> {
  await expectAccessible(page);
  if (alsoDark) {
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
}

const documents = [
  {
    name: 'checkout',
    title: 'Checkout reference',
    operation: 'payment/refund',
    part: 'payment-refund',
    field: 'amount',
  },
  { name: 's2s-card', title: 'S2S CARD reference', operation: 'SALE', part: 'sale', field: 'mpi_data.eci' },
  {
    name: 's2s-apm',
    title: 'S2S APM reference',
    operation: 'DEBIT2VIRTUAL_CALC',
    part: 'debit2virtual-calc',
    field: 'brand',
  },
];

for (const { name, title, operation, part, field } of documents) {
  test(`the reference of ${name} is accessible, and each field has an address`, async ({ page, florin }) => {
    test.slow();
    const { faults } = await watch(page, florin);
    await page.goto('/docs/reference/api');
    await page.getByRole('article').getByRole('link', { name: title }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page.getByRole('link', { name: `/openapi/${name}.json` })).toHaveAttribute(
      'href',
      `/openapi/${name}.json`,
    );
    await expectReadable(page, { alsoDark: false });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('article').getByRole('link', { name: operation, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(operation);
    // Within the page, and from elsewhere by a link.
    for (const isElsewhere of [false, true]) {
      for (const place of [`${part}#${field}`, 'callbacks#hash']) {
        if (isElsewhere) await page.goto('about:blank');
        await page.goto(`/docs/reference/${name}/${place}`);
        await expect(page.locator(`[id="${place.split('#')[1]}"]`)).toBeInViewport();
      }
    }
    await expect(page.getByRole('region', { name: 'Fields of a callback' })).toContainText('order_id');
    // Old anchors: all operations were on one page.
    await page.goto(`/docs/reference/${name}#${operation.replaceAll('/', '.')}.${field}`);
    await page.waitForURL(`**/docs/reference/${name}/${part}#${field}`);
    // One style sheet: one page covers its colours.
    await expectReadable(page, { alsoDark: name === 's2s-apm' });
    expect(faults).toEqual([]);
  });
}

test('on a phone every wide table of the reference or of a method has a scroll hint', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['reference/s2s-apm/sale', 'methods/kora']) {
    await page.goto(`/docs/${path}`);
    const tables = await page
      .locator('article section.scroll')
      .evaluateAll((all) =>
        all.map((section) => ({
          name: section.getAttribute('aria-label'),
          columns: section.querySelectorAll('tr:first-child > *').length,
          isCut: section.scrollWidth > section.clientWidth,
          hasHint: getComputedStyle(section).backgroundImage.includes('gradient'),
          isReachable: (section as HTMLElement).tabIndex === 0,
        })),
      );
    expect(tables.length).toBeGreaterThan(1);
    expect(tables.filter(({ columns, isCut }) => columns < 4 && isCut)).toEqual([]);
    expect(tables.filter(({ hasHint, isReachable }) => !hasHint || !isReachable)).toEqual([]);
  }
});

test('no other reference exists', async ({ page }) => {
  expect((await page.goto('/docs/reference/checkout/other'))?.status()).toBe(404);
  expect((await page.goto('/docs/reference/other'))?.status()).toBe(404);
  expect((await page.goto('/docs/methods/other'))?.status()).toBe(404);
});

test('a method is found in the list, and leads to its page', async ({ page, florin }) => {
  const { faults } = await watch(page, florin);
  await page.goto('/docs/reference/methods');
  const rows = page.getByRole('region', { name: 'All methods', exact: true }).locator('tbody tr:visible');
  await expect(rows).toHaveCount(catalog.length);
  await page.getByRole('searchbox', { name: /Find a method/ }).fill('pix brl');
  await expect(page.getByText(/^\d+ found$/)).toBeVisible();
  const count = await rows.count();
  expect(count).toBeGreaterThan(1);
  expect(count).toBeLessThan(12);
  await expectAccessible(page);
  await page.getByRole('article').getByRole('link', { name: 'pix', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pix');
  expect(faults).toEqual([]);
});

test('every method has a page', async ({ request }) => {
  for (const { id, name } of catalog) {
    const answer = await request.get(`/docs/methods/${id}`);
    expect(answer.status(), id).toBe(200);
    expect(await answer.text(), id).toContain(`<h1`);
    expect(name).not.toBe('');
  }
});

// One of each experience, payouts among them.
const examples = ['card', 'papara', 'ips', 'axxi-cash', 'crypto-btg', 'ptn-email', 'kora', 'yapily', 'allpay-payout'];

for (const id of examples) {
  test(`${id} is accessible, its request runs, and its button opens it`, async ({ page, florin }) => {
    const { faults } = await watch(page, florin);
    await page.goto(`/docs/methods/${id}`);
    const program = await page.locator('[data-language=sh] pre').first().textContent();
    const environment = { FLORIN_PASSWORD: demo.password };
    const { code, said } = await runProgram('sh', program ?? '', { environment });
    expect(code, `${program}\n${said}`).toBe(0);
    expect(said, program ?? '').toContain('redirect_url');
    await expectReadable(page, { alsoDark: true });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Open in the sandbox' }).click();
    await page.waitForURL('**/pay/**');
    await expect(page.locator('form').first()).toBeAttached();
    expect(faults).toEqual([]);
  });
}

test('a payment that was opened from a method’s page returns to the shop with all requests and responses', async ({
  page,
}) => {
  await page.goto('/docs/methods/card');
  await page.getByRole('button', { name: 'Open in the sandbox' }).click();
  await page.waitForURL('**/pay/**');
  await new PayPage(page).payWith(cards.settled);
  await page.getByRole('link', { name: /^Return to/ }).click();
  await page.waitForURL('**/shop/**');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('a method’s button leads to a payment page on another host', async ({ page }) => {
  test.slow();
  // One machine with two origins, such as pay.example.com and example.com.
  const server = await startKillableServer({ CHECKOUT_HOST: '127.0.0.1:{port}' });
  const checkout = server.url.replace('localhost', '127.0.0.1');
  try {
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    const answer = await page.goto(`${server.url}/docs/methods/card`);
    expect(answer?.headers()['content-security-policy']).toContain(`form-action 'self' ${checkout};`);
    await page.getByRole('button', { name: 'Open in the sandbox' }).click();
    await page.waitForURL(`${checkout}/pay/**`);
    await expect(page.locator('form').first()).toBeAttached();
    expect(errors).toEqual([]);
  } finally {
    await server.kill();
  }
});
