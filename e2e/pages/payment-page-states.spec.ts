// Every state of the hosted page in a real browser: no axe violation, no violation of the page's own policy, and the
// texts of each state.

import { newOrderNumber } from '../support/merchant.ts';
import { expectAccessible, PayPage, watch } from '../support/page-objects.ts';
import { type Card, cards } from '../support/payer.ts';
import { pay as payOverHttp } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('form, errors, decline, challenge, receipt, the link again', async ({ page, shop, florin, shopServer }) => {
      const { faults } = await watch(page, florin, [shopServer.url]);
      const { url } = await shop.open();
      const pay = new PayPage(page);
      await page.goto(url);
      await expectAccessible(page);
      await pay.payButton.click();
      await expect(pay.messageOf('card_number')).toContainText('Enter your card number.');
      await expect(pay.number).toBeFocused();
      await expectAccessible(page);
      await pay.payWith(cards.declined);
      await expect(pay.alert).toContainText('Your bank declined this payment');
      await expectAccessible(page);
      await pay.type(cards.challenge);
      await pay.payButton.click();
      await expect(pay.bank.getByRole('button', { name: 'Confirm' })).toBeVisible();
      await expectAccessible(page);
      await pay.bank.getByRole('button', { name: 'Confirm' }).click();
      await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
      await expectAccessible(page);
      await page.goto(url);
      await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
      await expect(page.getByText('•••• ')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeVisible();
      await expect(page.locator('.countdown')).toHaveCount(0);
      await expectAccessible(page);
      expect(faults).toEqual([]);
    });

    test('waiting, redirecting, cancelled, unknown link', async ({ page, shop, as, provider, florin, shopServer }) => {
      const { faults } = await watch(page, florin, [shopServer.url]);
      const number = newOrderNumber();
      await provider.fault({ fault: 'error', call: 'payment', carriedOut: true }, number);
      await provider.fault({ fault: 'error', call: 'status', calls: 50 }, number);
      const unknown = await payOverHttp(shop, cards.settled, { order: { number } });
      await page.goto(unknown.link);
      await expect(page.getByText('We’re waiting for your bank')).toBeVisible();
      await expectAccessible(page);
      const cancelled = await shop.open({ cancel_url: undefined });
      await page.goto(cancelled.url);
      const twice = as('twoDeclines');
      const exhausted = await twice.open({ cancel_url: undefined });
      await page.goto(exhausted.url);
      const pay = new PayPage(page);
      await pay.payWith(cards.declined);
      await expect(pay.alert).toBeVisible();
      await pay.payWith(cards.declined);
      await expect(page.getByRole('heading', { level: 1 })).not.toContainText('84.50');
      await expectAccessible(page);
      await page.goto(`${florin}/pay/unknown`);
      await expectAccessible(page);
      expect(faults).toEqual([]);
    });

    test('required fields and a stored card', async ({ page, as, florin }) => {
      const { faults } = await watch(page, florin);
      const shop = as('payerFields');
      const { url } = await shop.open({ customer: undefined });
      await page.goto(url);
      await page.locator('select[name=country]').selectOption('US');
      await expect(page.locator('select[name=state]')).toBeVisible();
      await expectAccessible(page);
      await page.locator('select[name=country]').selectOption('RS');
      await expect(page.locator('select[name=state]')).toBeHidden();
      const plain = as('plain');
      const first = await payOverHttp(plain, cards.settled, { req_token: true });
      const { card_token } = (await plain.status(first.id)).body;
      await page.goto((await plain.open({ card_token })).url);
      await expect(page.getByText('•••• 1111')).toBeVisible();
      await expectAccessible(page);
      expect(faults).toEqual([]);
    });
  });
}

// The class of a decline determines the texts and the fields that remain in the form.
const declines = rowsOf(`
  no-funds      | 4000 0000 0000 9995 | Insufficient funds              | emptied
  over-limit    | 4000 0000 0000 1000 | card limit reached              | emptied
  do-not-honour | 4000 0000 0000 0002 | Your bank declined this payment | emptied
  stolen        | 4000 0000 0000 9979 | Your bank declined this payment | emptied
  technical     | 4000 0000 0000 0119 | The bank couldn’t be reached    | kept
  3ds-failed    | 4000 0084 0000 1280 | Your bank couldn’t verify your identity | kept
  wrong-cvv     | 4000 0000 0000 0127 |                                 | kept
  wrong-number  | 4000 0000 0000 1018 |                                 | kept
  wrong-expiry  | 4000 0000 0000 0069 |                                 | kept
`);
/** The field that the bank names. */
const namedFields: Record<string, string> = {
  'wrong-cvv': 'card_cvv',
  'wrong-number': 'card_number',
  'wrong-expiry': 'card_expiry',
};

for (const [name = '', number = '', heading = '', field] of declines) {
  test(`declined: ${name}`, async ({ page, shop, florin }) => {
    const { faults } = await watch(page, florin);
    const card: Card = { number, expiry: '12/30' };
    const { url } = await shop.open();
    await page.goto(url);
    const pay = new PayPage(page);
    await pay.payWith(card);
    await expect(pay.alert).toBeVisible();
    if (heading) await expect(pay.alert).toContainText(heading);
    await expect(pay.alert).toContainText(/You have not been charged|not been charged/);
    await expect(page).toHaveTitle(/^Declined/);
    await expect(pay.number).toHaveValue(field === 'kept' ? number : '');
    await expect(pay.code).toHaveValue('');
    expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true);
    const named = await page
      .locator('form[data-pay] input[aria-invalid=true]')
      .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('name')));
    expect(named).toEqual(namedFields[name] ? [namedFields[name]] : []);
    expect(faults).toEqual([]);
    await pay.number.fill('');
    await pay.expiry.fill('');
    await pay.holder.fill('');
    await pay.payWith(cards.settled);
    await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible();
  });
}

test('an authorisation is never called complete', async ({ page, shop }) => {
  await page.goto((await shop.open({ auth: true })).url);
  await new PayPage(page).payWith(cards.settled);
  await expect(page.getByRole('heading', { name: 'Payment authorized' })).toBeVisible();
  await expect(page.getByText('complete', { exact: false })).toHaveCount(0);
});

test('the field validates while the payer types', async ({ page, shop }) => {
  await page.goto((await shop.open()).url);
  const pay = new PayPage(page);
  await pay.number.pressSequentially('378282246310005');
  await expect(pay.number).toHaveValue('3782 822463 10005');
  await expect(pay.code).toHaveAttribute('placeholder', /4/);
  await pay.number.fill('4111 1111 1111 1112');
  await pay.number.blur();
  await expect(pay.messageOf('card_number')).toBeVisible();
  await expect(pay.number).toHaveAttribute('aria-invalid', 'true');
  await pay.number.fill('4111 1111 1111 1111');
  await expect(pay.number).not.toHaveAttribute('aria-invalid', 'true');
  await pay.expiry.pressSequentially('0120');
  await pay.expiry.blur();
  await expect(pay.messageOf('card_expiry')).toContainText('expired');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });

  test('no error appears during a press of the button, which would move away', async ({ page, shop }) => {
    await page.goto((await shop.open()).url);
    const pay = new PayPage(page);
    await pay.expiry.fill('01 / 20');
    await pay.payButton.evaluate((button) => {
      const count = () =>
        button.setAttribute('data-shown', `${document.querySelectorAll('[aria-invalid=true]').length}`);
      button.addEventListener('click', count, { capture: true });
    });
    await pay.payButton.tap();
    await expect(pay.payButton).toHaveAttribute('data-shown', '0');
    await expect(pay.number).toBeFocused();
    await expect(pay.messageOf('card_expiry')).toContainText('expired');
    // The press is over: leaving a field shows its error.
    await pay.number.fill('4111 1111 1111 1112');
    await pay.number.blur();
    await expect(pay.number).toHaveAttribute('aria-invalid', 'true');
  });
});

test('a double press pays once', async ({ page, shop, provider }) => {
  const { url, order } = await shop.open();
  await page.goto(url);
  const pay = new PayPage(page);
  await pay.type({ number: '4000 0000 0000 1067', expiry: '12/30' });
  await pay.payButton.dblclick();
  await pay.payButton.click({ force: true });
  await page.keyboard.press('Enter');
  await expect(pay.payButton).toHaveAttribute('aria-busy', 'true');
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible({ timeout: 20_000 });
  expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
});

test('a lost connection never claims that nothing was charged', async ({ page, context, shop }) => {
  await page.goto((await shop.open()).url);
  const pay = new PayPage(page);
  await pay.type(cards.settled);
  await context.setOffline(true);
  await pay.payButton.click();
  await expect(pay.alert).toContainText('Do not pay again yet');
  await expect(pay.alert).not.toContainText('not been charged');
  await context.setOffline(false);
});

test('the last minutes of a session are counted down', async ({ page, shop }) => {
  await page.goto((await shop.open({ session_expiry: 1 })).url);
  await expect(page.getByText(/This page closes in 0?0:[0-5]\d/)).toBeVisible();
  await page.goto((await shop.open()).url);
  await expect(page.getByText(/This page closes in/)).toBeHidden();
});

test('a long description precedes the number on a phone, and is aligned at its start beside the form', async ({
  page,
  shop,
}) => {
  const description = 'Twelve stoneware bowls, three platters and a serving dish, glazed in celadon, by hand';
  const { url, order } = await shop.open({ order: { description } });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(url);
  const folded = await page.locator('details.fold > summary').textContent();
  expect(folded?.indexOf('Twelve')).toBeGreaterThanOrEqual(0);
  expect(folded?.indexOf('Twelve')).toBeLessThan(folded?.indexOf(order.number) ?? 0);
  await page.setViewportSize({ width: 1280, height: 800 });
  const value = page.locator('.facts.open dd').filter({ hasText: description });
  await expect(value).toHaveCSS('text-align', 'start');
  expect((await value.boundingBox())?.height).toBeGreaterThan(30);
});
