// Every payment method experience in a real browser, from the form to the receipt: no axe violation, no violation of
// the page's own policy, and nothing wider than a narrow phone. The tests rotate through English, German and Arabic.
import type { Locator, Page } from '@playwright/test';
import { catalog } from '../support/catalog.ts';
import type { Changes, Opened } from '../support/merchant.ts';
import { finish, referenceOf } from '../support/method-flows.ts';
import { expectAccessible, expectState, watch } from '../support/page-objects.ts';
import { expect, test } from '../support/test.ts';

type Language = 'en' | 'de' | 'ar';

/** Checks the page at the widths of a desktop and a narrow phone. */
async function inspect(page: Page, language: Language): Promise<void> {
  // The browser's region is part of the tag of its own language.
  await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${language}(-US)?$`));
  await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr');
  for (const [width, height] of [
    [1280, 800],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expectAccessible(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `${width} scrolls sideways`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

const mia = { name: 'Mia Lindqvist', email: 'mia@example.com' };

const sessionOf = (id: string, language: Language, changes: Changes): Changes => ({
  methods: [id],
  customer: mia,
  ...changes,
  billing_address: { language, ...(changes.billing_address as object | undefined) },
});

/** The button of the open form. */
const submitOf = (page: Page): Locator => page.locator('form[data-pay] button[type=submit]:visible');

const receipt = (page: Page): Locator => page.locator('a[data-return]');

test('redirect: the only method redirects at once, and returns to the receipt', async ({
  page,
  as,
  florin,
  shopServer,
}) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  const { url } = await as('methods').open(sessionOf('ppro-ideal', 'en', {}));
  await page.goto(url);
  await page.waitForURL(/\/sandbox\/redirect\//);
  await page.locator('button[value=approve]').click();
  await expect(receipt(page)).toBeVisible();
  await expect(page.getByText('iDEAL').first()).toBeVisible();
  await inspect(page, 'en');
  expect(faults).toEqual([]);
});

test('redirect: after a decline at the provider another method is chosen', async ({ page, as, florin, shopServer }) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  const { url } = await as('methods').open(sessionOf('paypal', 'de', { methods: ['paypal', 'card', 'ppro-ideal'] }));
  await page.goto(url);
  await inspect(page, 'de');
  await submitOf(page).click();
  await page.waitForURL(/\/sandbox\/redirect\//);
  await page.locator('button[value=decline]').click();
  await expectState(page, 'form');
  await expect(page.locator('#alert')).toContainText('Es wurde nichts abgebucht');
  await inspect(page, 'de');
  expect(faults).toEqual([]);
});

test('app: a desktop shows the code, a phone the link', async ({ page, as, florin, provider, shopServer }) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  const shop = as('methods');
  const { url, order } = await shop.open(sessionOf('upi-2', 'ar', { order: { currency: 'INR' } }));
  await page.goto(url);
  await expectState(page, 'present');
  const link = page.locator('.narrow a[href^="upi:"]');
  await expect(link).toBeHidden();
  await expect(page.locator('.scanned svg').first()).toBeVisible();
  await inspect(page, 'ar');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(link).toBeVisible();
  await finish(shop, await referenceOf(provider, order.number));
  await expect(receipt(page)).toBeVisible({ timeout: 20_000 });
  expect(faults).toEqual([]);
});

test('qr: a code, a renewed code, and the page follows the outcome', async ({
  page,
  as,
  florin,
  provider,
  shopServer,
}) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  const shop = as('methods');
  const changes = { order: { currency: 'RSD', amount: '1200.00' } };
  const { url, order } = await shop.open(sessionOf('ips', 'en', changes));
  await page.goto(url);
  await submitOf(page).click();
  await expectState(page, 'present');
  const path = page.locator('.scanned svg path').first();
  const first = await path.getAttribute('d');
  await expect(page.getByText(order.number).last()).toBeAttached();
  await inspect(page, 'en');
  await page.locator('form[action$="/renew"] button:visible').click();
  await expect.poll(() => path.getAttribute('d')).not.toBe(first);
  await expectState(page, 'present');
  await finish(shop, await referenceOf(provider, order.number));
  await expect(receipt(page)).toBeVisible({ timeout: 20_000 });
  await inspect(page, 'en');
  expect(faults).toEqual([]);
});

test('confirm: waits for the phone', async ({ page, as, florin, provider, shopServer }) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  const shop = as('methods');
  const { url, order } = await shop.open(sessionOf('moov-togo', 'de', { order: { currency: 'XOF', amount: '5000' } }));
  await page.goto(url);
  await submitOf(page).click();
  await expect(page.locator('[data-field=phone] .below').first()).not.toBeEmpty();
  await page.locator('input[name=phone]').fill('90 11 23 45');
  await submitOf(page).click();
  await expectState(page, 'present');
  await inspect(page, 'de');
  await finish(shop, await referenceOf(provider, order.number), 'decline');
  await expectState(page, 'form');
  // Others have the link too: only the answer to a form has what was typed into it.
  await expect(page.locator('input[name=phone]')).toHaveValue('');
  expect(faults).toEqual([]);
});

test('details: copied by a press, and a voucher to download', async ({
  page,
  context,
  as,
  florin,
  provider,
  shopServer,
}) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const shop = as('methods');
  const { url, order } = await shop.open(sessionOf('pr-cash', 'ar', {}));
  await page.goto(url);
  await submitOf(page).click();
  await expectState(page, 'present');
  const copy = page.locator('button.copy').first();
  await copy.click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await copy.getAttribute('data-copy'));
  await inspect(page, 'ar');
  const download = page.waitForEvent('download');
  await page.locator('a[href*="ticket.pdf"]').click();
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
  await finish(shop, await referenceOf(provider, order.number));
  await expect(receipt(page)).toBeVisible({ timeout: 20_000 });
  expect(faults).toEqual([]);
});

test('message: shows the destination of the link, and never the link', async ({
  page,
  as,
  florin,
  provider,
  shopServer,
}) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  const shop = as('methods');
  const { url, order } = await shop.open(sessionOf('ptn-email', 'en', {}));
  await page.goto(url);
  await submitOf(page).click();
  await expectState(page, 'present');
  await expect(page.locator('main')).toContainText('m•••@example.com');
  await inspect(page, 'en');
  await finish(shop, await referenceOf(provider, order.number));
  await expect(receipt(page)).toBeVisible({ timeout: 20_000 });
  expect(faults).toEqual([]);
});

test('crypto: an address, its network and no fixed amount', async ({ page, as, florin, provider, shopServer }) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  const shop = as('methods');
  const { url, order } = await shop.open(sessionOf('crypto-btg', 'de', {}));
  await page.goto(url);
  await submitOf(page).click();
  await expectState(page, 'present');
  await expect(page.locator('main')).toContainText('Bitcoin Gold');
  await expect(page.locator('main')).not.toContainText(/\d BTG/);
  await inspect(page, 'de');
  await finish(shop, await referenceOf(provider, order.number));
  await expect(receipt(page)).toBeVisible({ timeout: 20_000 });
  expect(faults).toEqual([]);
});

test('code: a wrong code, then the correct code', async ({ page, as, florin, shopServer }) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  const changes = { billing_address: { phone: '+77011234567', country: 'KZ' } };
  const { url } = await as('methods').open(sessionOf('beeline', 'ar', changes));
  await page.goto(url);
  await submitOf(page).click();
  await expectState(page, 'present');
  const code = page.locator('input[name=code]');
  await inspect(page, 'ar');
  await code.fill('000000');
  await page.locator('form[action$="/code"] button').click();
  await expect(code).toHaveAttribute('aria-invalid', 'true');
  await inspect(page, 'ar');
  await code.fill('١٢٣٤٥٦');
  await page.locator('form[action$="/code"] button').click();
  await expect(receipt(page)).toBeVisible({ timeout: 20_000 });
  expect(faults).toEqual([]);
});

test('fields: the chosen country determines the fields', async ({ page, as, florin, shopServer }) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  const { url } = await as('methods').open(sessionOf('fairpay', 'en', {}));
  await page.goto(url);
  await inspect(page, 'en');
  await page.locator('select[name=country]').selectOption('CO');
  await submitOf(page).click();
  const number = page.locator('input[name=parameter_personal_id]');
  await expect(number).toBeVisible();
  await expect(page.locator('select[name=country]')).toHaveValue('CO');
  await inspect(page, 'en');
  await page.locator('select[name=parameter_document_type]').selectOption({ index: 1 });
  await number.fill('1020304050');
  await submitOf(page).click();
  await page.waitForURL(/\/sandbox\/redirect\//);
  expect(faults).toEqual([]);
});

test('the list of all methods: one is found by name and opened', async ({ page, as, florin, shopServer }) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  const all = catalog.filter(({ parameters = [] }) => parameters.every(({ need }) => need !== 'R'));
  const { url }: Opened = await as('methods').open(sessionOf('', 'en', { methods: all.map(({ id }) => id) }));
  await page.goto(url);
  await page.locator('details.more summary').click();
  expect(await page.locator('details.more .row').count()).toBeGreaterThan(200);
  await inspect(page, 'en');
  await page.locator('#find').fill('przelewy');
  const links = page.locator('details.more .row:visible a');
  await expect(links).toHaveCount(2);
  await links.first().click();
  await expect(submitOf(page)).toBeVisible();
  await expect(submitOf(page)).toContainText('Przelewy24');
  await submitOf(page).click();
  await page.waitForURL(/\/sandbox\/redirect\//);
  expect(faults).toEqual([]);
});

const fourteen = [
  ...['card', 'ppro-ideal', 'paypal', 'blik', 'ips', 'papara', 'pix', 'ppro-trustly', 'ppro-skrill', 'pr-cash'],
  ...['transact365-promptpay', 'upi-2', 'crypto-btg', 'ptw-pp_przelewy24_pln'],
];

for (const [language, country] of [
  ['en', 'Thailand'],
  ['de', 'Thailand'],
  ['ar', 'تايلاند'],
] as const) {
  test(`the list (${language}): found by keyboard, by country, and opened by Enter`, async ({
    page,
    as,
    florin,
    shopServer,
  }) => {
    const { faults } = await watch(page, florin, [shopServer.url]);
    const { url } = await as('methods').open(sessionOf('', language, { methods: fourteen }));
    await page.goto(url);
    await inspect(page, language);
    await page.locator('details.more summary').press('Enter');
    await inspect(page, language);
    await page.keyboard.press('Tab');
    await expect(page.locator('#find')).toBeFocused();
    const rows = page.locator('details.more .row:visible a');
    await page.keyboard.type('xyz');
    await expect(rows).toHaveCount(0);
    await expect(page.locator('#found')).not.toBeEmpty();
    await page.locator('#find').fill(country);
    await expect(rows).toHaveCount(1);
    await expect(page.locator('#found')).toBeEmpty();
    await inspect(page, language);
    await page.keyboard.press('Enter');
    await expect(submitOf(page)).toBeVisible();
    await expect(page.locator('input[name=way]:checked')).toHaveValue('transact365-promptpay');
    await inspect(page, language);
    expect(faults).toEqual([]);
  });
}

test('the list: a method is remembered on the device if the payer agrees', async ({ page, as, florin, shopServer }) => {
  const { faults } = await watch(page, florin, [shopServer.url]);
  const shop = as('methods');
  const changes = sessionOf('', 'en', { methods: ['card', 'papara', 'ppro-ideal'] });
  await page.goto((await shop.open(changes)).url);
  const box = page.getByLabel('Remember this method on this device');
  await expect(page.locator('.remember:visible')).toHaveCount(0);
  await page.getByRole('radio', { name: /iDEAL/ }).check();
  await expect(page.locator('.remember:visible')).toHaveCount(1);
  await inspect(page, 'en');
  await box.and(page.locator(':visible')).check();
  await submitOf(page).click();
  await page.waitForURL(/\/sandbox\/redirect\//);
  await page.goto((await shop.open(changes)).url);
  await expect(page.locator('input[name=way]:checked')).toHaveValue('ppro-ideal');
  await expect(box.and(page.locator(':visible'))).toBeChecked();
  expect(faults).toEqual([]);
});

test('transfer: the payer who has sent the payment waits for it, and no longer chooses another way', async ({
  page,
  as,
}) => {
  const { url } = await as('methods').open(sessionOf('winnerpay', 'en', {}));
  await page.goto(url);
  await submitOf(page).click();
  await expectState(page, 'present');
  const waiting = page.locator('#sent');
  const change = page.locator('.asked');
  await expect(waiting).toBeHidden();
  await expect(change).toBeVisible();
  await page.getByRole('link', { name: 'I have sent the payment' }).click();
  await expect(waiting).toBeVisible();
  await expect(waiting.getByRole('link', { name: /Back to/ })).toBeVisible();
  await expect(change).toBeHidden();
  await inspect(page, 'en');
});
