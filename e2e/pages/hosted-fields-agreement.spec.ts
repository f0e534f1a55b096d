// The frame with what the payer agrees to besides the payment, on a merchant's page of another origin.
import type { Page } from '@playwright/test';
import { violationsOf } from '../support/accessible.ts';
import { visitorAs } from '../support/dashboard.ts';
import { openFields, pageOrigin, payFromPage, submitFields, typeCard } from '../support/hosted-fields-page.ts';
import { createSessionToken } from '../support/hosted-fields-requests.ts';
import type { Changes, Merchant } from '../support/merchant.ts';
import { cards } from '../support/payer.ts';
import { idOf } from '../support/payment-flows.ts';
import { schedule } from '../support/schedules.ts';
import { messagesOf } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';
import { giveDevice, sheetsOf } from '../support/wallet-device.ts';
import { methods, walletScript } from '../support/wallet-page.ts';
import { googleToken } from '../support/wallets.ts';

const card = ['card', 'expiry', 'cvv'];

async function openAgreement(page: Page, florin: string, shop: Merchant, changes: Changes = {}, language = 'en') {
  const { token, order } = await createSessionToken(shop, { return_url: `${pageOrigin}/back`, ...changes });
  const extra = "hf.on('agreement', (detail) => heard.push(['on', 'agreement', detail]));";
  const fields = await openFields(page, florin, token, { fields: [...card, 'agreement'], language, extra });
  return { token, order, ...fields, agreement: page.frameLocator('#agreement iframe') };
}

const heightOf = async (page: Page) => (await page.locator('#agreement iframe').boundingBox())?.height ?? 0;

test('the payer has the card saved, and the merchant gets its token', async ({ page, florin, as }) => {
  const shop = as('savedCards');
  const opened = await openAgreement(page, florin, shop);
  const box = opened.agreement.getByRole('checkbox', { name: 'Save this card for my next order' });
  await expect(box).not.toBeChecked();
  await typeCard(opened, cards.settled);
  await box.check();
  await expect.poll(opened.heard).toContain('"agreement",{"shown":true,"saves":true}');
  await submitFields(page, 'success');
  expect((await payFromPage(page, florin, opened.token)).body.result).toBe('success');
  await shop.shopServer.waitFor(opened.order.number, (all) => messagesOf(all).length >= 1);
  const tokens = messagesOf(shop.shopServer.arrived(opened.order.number)).map(({ fields }) => fields.card_token);
  expect(tokens).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

test('where nothing is to be agreed the frame takes no place', async ({ page, florin, shop }) => {
  const { heard, token, ...fields } = await openAgreement(page, florin, shop);
  await expect.poll(heard).toContain('"agreement",{"shown":false,"saves":false}');
  expect(await heightOf(page)).toBe(0);
  await typeCard({ heard, ...fields }, cards.settled);
  await submitFields(page, 'success');
  expect((await payFromPage(page, florin, token)).body.result).toBe('success');
});

for (const language of ['en', 'de', 'ar']) {
  test(`at 320 pixels all words are readable (${language})`, async ({ page, florin, as }) => {
    await page.setViewportSize({ width: 320, height: 700 });
    const changes = { recurring_init: true, recurring_consent_required: true };
    const { agreement } = await openAgreement(page, florin, as('savedCards'), changes, language);
    await expect(agreement.getByRole('checkbox')).toHaveCount(1);
    await expect(agreement.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr');
    await expect.poll(() => heightOf(page)).toBeGreaterThan(60);
    const overflow = await agreement
      .locator('html')
      .evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
        scrollWidth - clientWidth,
        scrollHeight - clientHeight,
      ]);
    expect(overflow).toEqual([0, 0]);
    expect(await violationsOf(page)).toEqual([]);
  });
}

test('a required consent stops the submit in its own words', async ({ page, florin, shop }) => {
  const changes = { recurring_init: true, recurring_consent_required: true };
  const opened = await openAgreement(page, florin, shop, changes);
  const box = opened.agreement.getByRole('checkbox', { name: /may charge this payment method again/ });
  await expect(box).toBeVisible();
  await typeCard(opened, cards.settled);
  expect(await submitFields(page, 'error')).toBe('error: Check this box to continue.');
  await expect(opened.agreement.getByRole('alert')).toHaveText('Check this box to continue.');
  await expect(box).toHaveAttribute('aria-invalid', 'true');
  await box.check();
  await submitFields(page, 'success');
  expect((await payFromPage(page, florin, opened.token)).body.result).toBe('success');
});

test('words that did not arrive are shown before the payer can agree', async ({ page, florin, as }) => {
  const shop = as('savedCards');
  let isOffline = true;
  await page.route('**/fields/words', (route) => (isOffline ? route.abort() : route.continue()));
  const opened = await openAgreement(page, florin, shop);
  await typeCard(opened, cards.settled);
  await submitFields(page, 'error');
  isOffline = false;
  await submitFields(page, 'error');
  await expect(opened.agreement.getByRole('checkbox')).toBeVisible();
  await submitFields(page, 'success');
  expect((await payFromPage(page, florin, opened.token)).body.result).toBe('success');
});

test('a token that is over is named, also where its words did not arrive', async ({ page, florin }) => {
  const fields = [...card, 'agreement'];
  const opened = await openFields(page, florin, 'a'.repeat(64), { fields, language: 'en' });
  await typeCard(opened, cards.settled);
  expect(await submitFields(page, 'error')).toBe('error: This payment page has expired');
  expect(await opened.heard()).toContain('"code":"expired"');
});

test('an agreement that has changed is shown again', async ({ page, florin, shop, cardShop }) => {
  const schedule_id = await schedule(cardShop, { interval_unit: 'month' });
  const opened = await openAgreement(page, florin, shop, { recurring_init: true, schedule_id });
  await expect(opened.agreement.locator('dd')).toHaveCount(4);
  await typeCard(opened, cards.settled);
  await cardShop.schedule('UPDATE_SCHEDULE', { schedule_id, payments_count: 24 });
  expect(await submitFields(page, 'error')).toBe('error: This agreement has changed. Please read it again.');
  await expect(opened.agreement.locator('dd').last()).toHaveText('24');
  await submitFields(page, 'success');
  expect((await payFromPage(page, florin, opened.token)).body.result).toBe('success');
});

test('a wallet pays what was agreed to, and nothing without a required consent', async ({
  page,
  florin,
  as,
  provider,
}) => {
  await giveDevice(page, { google: [googleToken('CRYPTOGRAM_3DS'), googleToken('CRYPTOGRAM_3DS')] });
  const changes = { methods, recurring_init: true, recurring_consent_required: true };
  const { token, order } = await createSessionToken(as('walletButtons'), changes);
  const extra = walletScript(florin, token);
  const { heard } = await openFields(page, florin, token, { fields: [...card, 'agreement'], language: 'en', extra });
  const frame = page.frameLocator('#agreement iframe');
  const google = page.getByRole('button', { name: 'Mit Google Pay bezahlen' });
  await expect(frame.getByRole('checkbox')).toBeVisible();
  await google.click();
  await expect(frame.getByRole('alert')).toHaveText('Check this box to continue.');
  await expect(page.locator('#outcome')).toHaveText('validation: Check this box to continue.');
  await expect.poll(async () => (await sheetsOf(page)).at(-1)?.told).toBe('fail');
  expect(await provider.moved(order.number)).toEqual([]);
  await frame.getByRole('checkbox').check();
  await google.click();
  await expect(page.locator('#outcome')).toHaveText('googlepay: success');
  expect(await heard()).not.toContain('"submit",{"result":"success"');
  const { body } = await (await visitorAs(florin, 'manager')).get(
    `/payments/${await idOf(as('walletButtons'), order.number)}`,
  );
  const agreed = body.events.filter(({ title }: { title: string }) => title.startsWith('Payer agreed'));
  expect(agreed).toMatchObject([
    { title: 'Payer agreed by a ticked box', detail: expect.stringContaining('you allow') },
  ]);
});
