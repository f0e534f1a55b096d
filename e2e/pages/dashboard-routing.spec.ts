// Tests routing in the browser: rules are added, moved by keyboard and mouse, run as a dry run, and published.
import type { Page } from '@playwright/test';
import { cardMerchant } from '../support/card-merchant.ts';
import { makeMerchant, makeMid } from '../support/created-merchants.ts';
import { signInBrowser, visitorAs } from '../support/dashboard.ts';
import { routingPages } from '../support/dashboard-pages/routing.ts';
import { mappingOf, publishRules, ruleBody } from '../support/mappings.ts';
import { expectAccessible } from '../support/page-objects.ts';
import { expect, test } from '../support/test.ts';

test.beforeEach(async ({ context, florin }) => signInBrowser(context, florin, 'manager'));

/** Creates a merchant with two MIDs and three published rules for S2S CARD. */
async function setUp(florin: string) {
  const manager = await visitorAs(florin, 'manager');
  const merchant = await makeMerchant(manager);
  const first = await makeMid(manager, merchant.id, { name: 'Acquira', priority: 1 });
  const second = await makeMid(manager, merchant.id, { name: 'Baltpay', priority: 2 });
  const { id } = await mappingOf(manager, merchant, 's2s_card');
  const rules = [
    ruleBody('Japan', [first.id], { currencies: ['JPY'] }),
    ruleBody('Poland', [second.id], { currencies: ['PLN'] }),
    ruleBody('Dollars', [first.id], { currencies: ['USD'] }),
  ];
  await publishRules(manager, id, rules);
  const published = async () =>
    (await manager.get(`/routing/${id}`)).body.rules.map(({ name }: { name: string }) => name);
  return { manager, merchant, id, published };
}

/** The live region that announces the move of a rule. */
const announced = (page: Page) => page.locator('[id^=DndLiveRegion]');

test('a rule is added, run as a dry run and published, and routes the next payment', async ({
  page,
  florin,
  shopServer,
}) => {
  const { manager, merchant, id } = await setUp(florin);
  const shop = cardMerchant(florin, merchant.credentials, shopServer);
  for (const amount of ['10.00', '2000.00']) await shop.sell({ order_amount: amount });
  const routing = routingPages(page);
  await routing.open(merchant.name, 's2s_card');
  await expectAccessible(page);
  await routing.add({ name: 'Large', currencies: ['EUR'], amountFrom: '1000.00', targets: [['Baltpay', '1']] });
  await expect(page.getByText('1 change compared with the published version 1')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Publish draft' })).toHaveCount(0);
  await routing.runDry();
  const moves = page.getByRole('table', { name: 'Payments that would use another MID' });
  await expect(moves.getByRole('row')).toHaveCount(2);
  await expect(moves).toContainText('2,000.00');
  await expectAccessible(page);
  await routing.publish();
  await expect(page.getByText('Version 2', { exact: true })).toBeVisible();
  const { orderId } = await shop.sell({ order_amount: '1000.00' });
  const { rows } = (await manager.get(`/payments?q=${orderId}`)).body;
  expect(JSON.stringify((await manager.get(`/payments/${rows[0].id}`)).body)).toContain('rule: Large');
  expect((await manager.get(`/routing/${id}`)).body.draft).toBeNull();
});

test('a rule is moved by keyboard, and every step is announced', async ({ page, florin }) => {
  const { merchant, published } = await setUp(florin);
  const routing = routingPages(page);
  await routing.open(merchant.name, 's2s_card');
  await routing.handle('Dollars').focus();
  await page.keyboard.press('Space');
  await expect(announced(page)).toHaveText('Picked up Dollars, place 3 of 3.');
  await page.waitForTimeout(250);
  await page.keyboard.press('ArrowUp');
  await expect(announced(page)).toHaveText('Dollars is at place 2 of 3.');
  await page.keyboard.press('Escape');
  await expect(announced(page)).toHaveText('Dollars was not moved.');
  expect(await routing.names()).toEqual(['Japan', 'Poland', 'Dollars']);
  await page.keyboard.press('Space');
  await expect(announced(page)).toHaveText('Picked up Dollars, place 3 of 3.');
  // The arrow keys work shortly after the rule is picked up.
  await page.waitForTimeout(250);
  await page.keyboard.press('ArrowUp');
  await expect(announced(page)).toHaveText('Dollars is at place 2 of 3.');
  await page.keyboard.press('ArrowUp');
  await expect(announced(page)).toHaveText('Dollars is at place 1 of 3.');
  await page.keyboard.press('Space');
  await expect(page.getByText('Moved from 3')).toBeVisible();
  expect(await routing.names()).toEqual(['Dollars', 'Japan', 'Poland']);
  await routing.runDry();
  await routing.publish();
  expect(await published()).toEqual(['Dollars', 'Japan', 'Poland']);
});

test('a rule is moved by mouse, and by its menu', async ({ page, florin }) => {
  const { manager, merchant, id } = await setUp(florin);
  const routing = routingPages(page);
  await routing.open(merchant.name, 's2s_card');
  const [from, to] = [await routing.handle('Japan').boundingBox(), await routing.handle('Dollars').boundingBox()];
  if (!from || !to) throw new Error('The handles are not visible.');
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, from.y + 60, { steps: 5 });
  await page.mouse.move(to.x + 8, to.y + 24, { steps: 10 });
  await page.mouse.up();
  await expect.poll(() => routing.names()).toEqual(['Poland', 'Dollars', 'Japan']);
  await expect(page.getByText('1 change compared with the published version 1')).toBeVisible();
  await routing.choose('Dollars', 'Move up');
  await expect.poll(() => routing.names()).toEqual(['Dollars', 'Poland', 'Japan']);
  // A change is shown at once and saved after a delay.
  const saved = async () => {
    const { draft } = (await manager.get(`/routing/${id}`)).body;
    return draft?.rules.map(({ name }: { name: string }) => name);
  };
  await expect.poll(saved).toEqual(['Dollars', 'Poland', 'Japan']);
  await page.reload();
  expect(await routing.names()).toEqual(['Dollars', 'Poland', 'Japan']);
});

test('a removed rule is restored, and a draft is compared and discarded', async ({ page, florin }) => {
  const { merchant, published } = await setUp(florin);
  const routing = routingPages(page);
  await routing.open(merchant.name, 's2s_card');
  await routing.choose('Poland', 'Remove');
  await expect.poll(() => routing.names()).toEqual(['Japan', 'Dollars']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => routing.names()).toEqual(['Japan', 'Poland', 'Dollars']);
  await routing.choose('Japan', 'Duplicate');
  await expect.poll(() => routing.names()).toEqual(['Japan', 'Japan (2)', 'Poland', 'Dollars']);
  await routing.choose('Poland', 'Disable');
  await page.getByRole('button', { name: 'Compare' }).click();
  const compared = page.getByRole('dialog');
  await expect(compared).toContainText('Japan (2)');
  await expect(compared).toContainText('Poland');
  await expectAccessible(page);
  await compared.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Discard draft/ })
    .click();
  await expect.poll(() => routing.names()).toEqual(['Japan', 'Poland', 'Dollars']);
  expect(await published()).toEqual(['Japan', 'Poland', 'Dollars']);
});

test('a page with a change that is not saved yet asks before it closes', async ({ page, florin }) => {
  const { manager, merchant, id } = await setUp(florin);
  const routing = routingPages(page);
  await routing.open(merchant.name, 's2s_card');
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route(`**/routing/${id}/draft`, async (route) => {
    await released;
    await route.continue();
  });
  await routing.choose('Poland', 'Remove');
  await expect.poll(() => routing.names()).toEqual(['Japan', 'Dollars']);
  const prompted = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await prompted;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  release();
  await expect(page.getByText('1 change compared with the published version 1')).toBeVisible();
  expect((await manager.get(`/routing/${id}`)).body.draft.rules).toHaveLength(2);
  // After the change is saved, the page closes without a prompt.
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closed;
});

test('an error of a rule is shown in its dialog', async ({ page, florin }) => {
  const { merchant } = await setUp(florin);
  const routing = routingPages(page);
  await routing.open(merchant.name, 's2s_card');
  await page.getByRole('button', { name: 'Add rule', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Japan');
  await dialog.getByRole('textbox', { name: 'Amount from' }).fill('10.005');
  await dialog.getByRole('button', { name: /^Add rule/ }).click();
  await expect(dialog.getByText('Enter the amount as 1000.00.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Amount from' }).fill('10,50');
  await dialog.getByRole('button', { name: /^Add rule/ }).click();
  await expect(dialog.getByText('Rule 1 has this name already. Hits are counted by name.')).toBeVisible();
  await expectAccessible(page);
});

test('an owner has read-only access, and the page fits a phone', async ({ browser, florin }) => {
  const context = await browser.newContext({ baseURL: florin, viewport: { width: 390, height: 800 } });
  await signInBrowser(context, florin, 'merchant');
  const page = await context.newPage();
  await page.goto('/dashboard/routing');
  await page.getByRole('link', { name: 'Florin Demo Shop, Checkout' }).click();
  await expect(page.getByText('You have read-only access')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add rule' })).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await expectAccessible(page);
  await context.close();
});
