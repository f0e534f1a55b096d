// The receipt in a browser: sent by e-mail, while it would lead on to the shop; and the answer to the last allowed attempt.
import { expectAccessible, expectFits, PayPage, watch } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';

test('goes to an address that the payer types, and stays meanwhile', async ({ page, shop, florin }) => {
  const { faults } = await watch(page, florin);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto((await shop.open({ customer: undefined })).url);
  await new PayPage(page).payWith(cards.settled);
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeFocused();
  await expect(page.locator('.countdown')).toBeVisible();
  await page.getByText('Send by email').click();
  await expect(page.locator('.countdown')).toBeHidden();
  const email = page.getByLabel('Email');
  await email.fill('mia@mail');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Enter an email like name@example.com.')).toBeVisible();
  await expect(email).toBeFocused();
  await expect(email).toHaveValue('mia@mail');
  await expectAccessible(page);
  await email.fill('mia@example.com');
  await email.press('Enter');
  const sent = page.getByText('We sent this receipt to');
  await expect(sent).toContainText('m•••@example.com');
  await expect(sent).toBeInViewport();
  await expect(sent).toBeFocused();
  await expect(page.locator('.countdown')).toHaveCount(0);
  await expectFits(page);
  await expectAccessible(page);
  expect(faults).toEqual([]);
});

test('goes to the known address by one press', async ({ page, shop }) => {
  await page.goto((await shop.open()).url);
  await new PayPage(page).payWith(cards.settled);
  await page.getByRole('button', { name: /^Send to .a•••@example\.com/ }).click();
  await expect(page.getByText('We sent this receipt to')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Send to/ })).toHaveCount(0);
  await expectAccessible(page);
});

test('after the last allowed attempt the answer leads back to the shop', async ({ page, as, shopServer }) => {
  await page.goto((await as('twoDeclines').open()).url);
  const pay = new PayPage(page);
  await pay.payWith(cards.declined);
  await expect(pay.alert).toBeVisible();
  await pay.payWith(cards.declined);
  await page.waitForURL(`${shopServer.url}/cancel?**`);
});

test('is printed by its button, without what a paper cannot do', async ({ page, shop }) => {
  await page.addInitScript(() => {
    window.print = () => document.documentElement.toggleAttribute('data-printed', true);
  });
  const { url, order } = await shop.open();
  await page.goto(url);
  await new PayPage(page).payWith(cards.settled);
  await page.getByRole('button', { name: 'Print' }).click();
  await expect(page.locator('html[data-printed]')).toHaveCount(1);
  await page.emulateMedia({ media: 'print' });
  for (const part of ['button', 'a[data-return]', 'nav', '.countdown', '.send'])
    for (const each of await page.locator(part).all()) await expect(each).toBeHidden();
  for (const text of ['€84.50', order.number, order.description])
    await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
});
