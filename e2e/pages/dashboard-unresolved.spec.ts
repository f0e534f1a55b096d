// Tests unresolved items in the browser: the overview and the payment link to an item, and it is closed with a note.
import { signInBrowser, visitorAs } from '../support/dashboard.ts';
import { expectAccessible, watch } from '../support/page-objects.ts';
import { expect, test } from '../support/test.ts';

const phone = { width: 390, height: 844 };

test('an item is found on the payment, opened in the list and closed with a note', async ({
  page,
  context,
  florin,
  cardAs,
  provider,
}) => {
  const { faults } = await watch(page, florin);
  const sold = await cardAs('demo').sell();
  await provider.portal(sold.orderId, 'decline');
  const owner = await visitorAs(florin, 'merchant');
  const itemsOf = async () => (await owner.get(`/unresolved?q=${sold.orderId}`)).body.rows;
  await expect.poll(async () => (await itemsOf()).length).toBe(1);
  const [{ paymentId }] = await itemsOf();
  await signInBrowser(context, florin, 'merchant');
  await page.goto(`/dashboard/payments/${paymentId}`);
  await expect(page.getByText(/84\.50 EUR\. It needs a decision\.$/)).toBeVisible();
  await expect(page.getByText('needs a decision', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'View under Unresolved' }).click();
  await expect(page).toHaveURL(/unresolved\?q=/);
  await page.waitForLoadState('networkidle');
  const rows = page.getByRole('table', { name: 'Unresolved' }).locator('tbody tr');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Needs a decision');
  await rows.first().click();
  const panel = page.getByRole('region', { name: 'Unresolved item' });
  await expect(panel.getByText('84.50 EUR')).toBeVisible();
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Close item' }).click();
  const dialog = page.getByRole('dialog');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close item' }).click();
  await expect(dialog.getByText('Enter what was done.')).toBeVisible();
  await dialog.getByLabel('What was done').fill('Charged again at the provider');
  await page.setViewportSize(phone);
  await expectAccessible(page);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Item closed.', { exact: true })).toBeVisible();
  await expect(panel.getByText('Charged again at the provider')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Close item' })).toHaveCount(0);
  await page.goto(`/dashboard/payments/${paymentId}`);
  await expect(page.getByText('Unresolved item closed', { exact: true })).toBeVisible();
  await expect(page.getByText('“Charged again at the provider”')).toBeVisible();
  await expect(page.getByText(/It needs a decision/)).toHaveCount(0);
  expect(faults).toEqual([]);
});
