// The page in every language in a real browser: no missing text, nothing wider than the screen, the direction of the
// language, and card fields always left to right.
import { expectAccessible, PayPage, watch } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';

const languages = 'en sp ar az fr nb zh zh-TW kk de it hr cs hu pl pt ro ja nl bg ru'.split(' ');

test('all 21 languages on a narrow phone, with every field', async ({ page, as, florin }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const { faults } = await watch(page, florin);
  const { url } = await as('payerFields').open({ customer: undefined, billing_address: { country: 'US' } });
  const texts = new Set<string>();
  for (const code of languages) {
    await page.goto(`${url}?lang=${code}`);
    const text = (await page.locator('main').textContent()) ?? '';
    expect(text, code).not.toMatch(/\{[a-zA-Z]+\}|undefined|\b[a-z]+\.[a-z_]+\.[a-z]+\b/);
    texts.add((await page.locator('#ways-heading').textContent()) ?? '');
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `${code} scrolls sideways`).toBeLessThanOrEqual(0);
    const states = await page.locator('select[name=state] option').allInnerTexts();
    expect(states.length, code).toBeGreaterThan(50);
  }
  expect(texts.size).toBe(languages.length);
  expect(faults).toEqual([]);
});

test('Arabic from right to left, with a card from left to right', async ({ page, shop, florin }) => {
  const { faults } = await watch(page, florin);
  const { url } = await shop.open({ billing_address: { language: 'ar' } });
  await page.goto(url);
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  const pay = new PayPage(page);
  const directions = await Promise.all(
    [pay.number, pay.expiry, pay.code].map((field) => field.evaluate((input) => getComputedStyle(input).direction)),
  );
  expect(directions).toEqual(['ltr', 'ltr', 'ltr']);
  // Digits are Latin in Arabic too, because the payer compares them with a card.
  await expect(page.getByRole('heading', { level: 1 })).toContainText('84.50');
  await pay.number.pressSequentially('٤١١١١١١١١١١١١١١١');
  await expect(pay.number).toHaveValue('4111 1111 1111 1111');
  await pay.expiry.pressSequentially('٠٢٣٨');
  await pay.code.pressSequentially('١٢٣');
  await pay.holder.fill('Ahmad Bin Ali');
  await expectAccessible(page);
  await pay.payButton.click();
  await expect(pay.alert).toBeVisible();
  await expectAccessible(page);
  await pay.type(cards.settled);
  await pay.payButton.click();
  await expect(page.locator('a[data-return]')).toBeVisible();
  await expectAccessible(page);
  expect(faults).toEqual([]);
});

test('the language menu keeps the order', async ({ page, shop }) => {
  const { url, order } = await shop.open();
  await page.goto(url);
  await page.locator('footer summary').click();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByText(order.number).last()).toBeAttached();
  const pay = new PayPage(page);
  await pay.payWith(cards.declined);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(pay.alert).toBeVisible();
});
