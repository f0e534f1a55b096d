// An open page at its expiry: it reports the expiry by itself, in words that match the known state of the money.
import type { Page } from '@playwright/test';
import { finish, referenceOf } from '../support/method-flows.ts';
import { expectAccessible, PayPage, watch } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';

test('an open form is replaced by the expired page, which redirects to expiry_url', async ({
  page,
  shop,
  clock,
  florin,
  shopServer,
}) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  const { url, order } = await shop.open({ expiry_url: `${shopServer.url}/expired` });
  await page.goto(url);
  const pay = new PayPage(page);
  await pay.type(cards.settled);
  await clock.advance(61 * 60);
  await expect(pay.number).toHaveCount(0);
  await expect(page).toHaveTitle(/^Expired/);
  await expect(page.getByText(/not been charged/)).toBeVisible();
  await expectAccessible(page);
  await page.locator('a[data-return]').click();
  await page.waitForURL(`${shopServer.url}/expired?**`);
  expect(new URL(page.url()).searchParams.get('order_id')).toBe(order.number);
  expect(faults).toEqual([]);
});

test('a challenge outlives the session', async ({ page, shop, clock }) => {
  const { url, order } = await shop.open({ session_expiry: 1 });
  await page.goto(url);
  const pay = new PayPage(page);
  await pay.payWith(cards.challenge);
  const confirm = pay.bank.getByRole('button', { name: 'Confirm' });
  await expect(confirm).toBeVisible();
  await clock.advance(2 * 60);
  await page.waitForTimeout(2_500);
  await confirm.click();
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  expect((await shop.statusByOrder(order.number)).body.status).toBe('settled');
});

// The payer may have paid at the counter or sent coins: neither the end of the data nor that of the session says that
// nothing was charged, and neither leads to "start again".
const customer = { name: 'Mia Lindqvist', email: 'mia@example.com' };
const parameters = { awcc: { crypto_type: 'USDT' } };

async function showData(page: Page, url: string, method: string) {
  await page.goto(url);
  await page.locator(`input[name=way][value="${method}"]`).check({ force: true });
  await page.locator('form[data-pay] button[type=submit]:visible').click();
  await expect.poll(() => page.locator('#page-data').textContent()).toContain('"present"');
}

/** Leaves a page that reads itself again, which may interrupt the navigation. */
async function leave(page: Page) {
  await expect(() => page.goto('about:blank')).toPass({ timeout: 20_000 });
}

/** Opens an address whose page may lead on before it has loaded. */
const enter = (page: Page, url: string) => page.goto(url, { waitUntil: 'commit' });

async function expectTruthful(page: Page, title: RegExp) {
  await expect(page).toHaveTitle(title);
  await expect(page.locator('main')).toContainText('If you have already sent the money, do not pay again');
  await expect(page.locator('main')).not.toContainText(/not been charged|declined|start again/i);
  await expectAccessible(page);
}

for (const [method, what] of [
  ['pr-cash', 'a voucher'],
  ['sofortuber', 'a transfer'],
  ['awcc', 'coins'],
  ['ptn-email', 'a link by e-mail'],
] as const) {
  test(`${what} that runs out makes no statement about the money`, async ({ page, as, clock, florin, shopServer }) => {
    const { faults } = await watch(page, florin, [shopServer.url]);
    const error_url = `${shopServer.url}/help`;
    const { url } = await as('methods').open({ methods: [method, 'card'], customer, error_url, parameters });
    await showData(page, url, method);
    await clock.advance(31 * 24 * 3600);
    await clock.tick();
    await leave(page);
    await enter(page, url);
    await expectTruthful(page, /^Expired/);
    await page.locator('a[data-return]').click();
    await page.waitForURL(`${error_url}?**`);
    expect(faults).toEqual([]);
  });
}

test('a session that outlives its payment data does not call the payment declined', async ({
  page,
  as,
  clock,
  provider,
}) => {
  const shop = as('methods');
  const coins = await shop.open({ methods: ['awcc', 'card'], customer, parameters, session_expiry: 720 });
  await showData(page, coins.url, 'awcc');
  await clock.advance(3_700);
  await clock.tick();
  await leave(page);
  await enter(page, coins.url);
  await expectTruthful(page, /^Pay/);
  await expect(page.locator('#alert')).toHaveAttribute('data-kind', 'unknown');
  const transfer = await shop.open({ methods: ['sofortuber', 'card'], customer, session_expiry: 720 });
  await showData(page, transfer.url, 'sofortuber');
  await finish(shop, await referenceOf(provider, transfer.order.number), 'decline');
  await leave(page);
  await enter(page, transfer.url);
  await expectTruthful(page, /^Pay/);
});
