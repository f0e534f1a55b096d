// Payout and transfer pages in a real browser: their fields, their messages, and no axe violation in either colour
// scheme.

import { expectAccessible, PayPage, watch } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { callbacksOf, pay as payOverHttp } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

const payee = { number: '4601 5418 3377 6519', expiry: '08/31' };

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('a payout asks for number and expiry, and reports its outcome', async ({ page, shop, florin, shopServer }) => {
      const { faults } = await watch(page, florin, [shopServer.url]);
      const { url } = await shop.open({ operation: 'credit' });
      const pay = new PayPage(page);
      await page.goto(url);
      await expect(page).toHaveTitle('Payout from Test Plain');
      await expect(pay.code).toHaveCount(0);
      await expectAccessible(page);
      await pay.payButton.click();
      await expect(pay.messageOf('card_number')).toContainText('Enter your card number.');
      await pay.number.pressSequentially('4111111111111111');
      await pay.expiry.pressSequentially('0138');
      await pay.payButton.click();
      await expect(pay.alert).toContainText('This payout was declined');
      await expectAccessible(page);
      await pay.number.fill(payee.number);
      await pay.expiry.fill(payee.expiry);
      await pay.payButton.click();
      await expect(page.getByRole('heading', { name: 'Payout complete' })).toBeVisible();
      await expectAccessible(page);
      expect(faults).toEqual([]);
    });

    test('a payout to a stored card asks for its expiry alone', async ({ page, shop, florin, shopServer }) => {
      const { order } = await payOverHttp(shop, payee, { operation: 'credit', req_token: true });
      const [callback] = await callbacksOf(shop, order, 1);
      const { faults } = await watch(page, florin, [shopServer.url]);
      const { url } = await shop.open({ operation: 'credit', card_token: callback?.fields.card_token });
      await page.goto(url);
      await expect(page.locator('form[data-pay] .field input')).toHaveCount(1);
      await expect(page.getByText('•••• 6519')).toBeVisible();
      await expectAccessible(page);
      await page.locator('input[name=card_expiry]').pressSequentially('0932');
      await page.getByRole('button', { name: 'Receive €84.50' }).click();
      await expect(page.getByRole('heading', { name: 'Payout complete' })).toBeVisible();
      expect(faults).toEqual([]);
    });

    test('a transfer asks for both cards', async ({ page, shop, florin, shopServer }) => {
      const { faults } = await watch(page, florin, [shopServer.url]);
      const { url } = await shop.open({ operation: 'transfer' });
      const pay = new PayPage(page);
      await page.goto(url);
      await expectAccessible(page);
      await pay.type(cards.settled);
      const other = page.getByLabel('Recipient’s card number');
      await other.pressSequentially('4601541833776518');
      await expect(other).toHaveValue('4601 5418 3377 6518');
      await pay.payButton.click();
      await expect(pay.messageOf('payee_card_number')).toContainText('Check the digits of this card number.');
      await expectAccessible(page);
      await other.fill(payee.number);
      await pay.payButton.click();
      await expect(page.getByRole('heading', { name: 'Transfer complete' })).toBeVisible();
      await expect(page.getByText('•••• 6519')).toBeVisible();
      await expectAccessible(page);
      expect(faults).toEqual([]);
    });
  });
}
