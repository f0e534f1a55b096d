// The page in every language in a real browser: no missing text, nothing wider than the screen, the direction of the
// language, and card fields always left to right.
import { expectAccessible, expectFits, PayPage, watch } from '../support/page-objects.ts';
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

test('the address follows the country on a narrow phone', async ({ page, as, florin }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const { faults } = await watch(page, florin);
  const { url } = await as('payerFields').open({ customer: undefined });
  await page.goto(url);
  const country = page.locator('select[name=country]');
  // The browser's language is American English.
  await expect(country).toHaveValue('US');
  const labels = () => page.locator('.postal .field:visible label span').allTextContents();
  expect(await labels()).toEqual(['Street address', 'City', 'State', 'ZIP code']);
  const zip = page.locator('input[name=zip]');
  await zip.fill('1010');
  await page.locator('input[name=city]').fill('Lisbon');
  await country.focus();
  await country.selectOption('PT');
  await expect.poll(labels).toEqual(['Street address', 'Postal code', 'City']);
  await expect(country).toBeFocused();
  await expect(page.locator('input[name=city]')).toHaveValue('Lisbon');
  await expect(page.locator('.postal .pair input[name=zip]')).toHaveValue('1010');
  await expectFits(page);
  await expectAccessible(page);
  await country.selectOption('HK');
  await expect.poll(labels).toEqual(['Street address', 'City', 'Postal code']);
  await country.selectOption('GB');
  await expect.poll(labels).toEqual(['Street address', 'Town or city', 'Postcode']);
  await zip.fill('');
  await page.locator('form[data-pay] button[type=submit]').click();
  await expect(page.locator('[data-field=zip] .below')).toContainText('Enter your postcode.');
  await country.selectOption('JP');
  await expect.poll(labels).toEqual(['Street address', 'City', 'Prefecture', 'Postal code']);
  await expect(page.locator('select[name=state] option')).toHaveCount(48);
  await expectFits(page);
  await expectAccessible(page);
  expect(faults).toEqual([]);
});

test('an unusual postal code is pointed out once', async ({ page, as, florin }) => {
  const { faults } = await watch(page, florin);
  const { url } = await as('payerFields').open({
    customer: { name: 'Ana Petrović', email: 'ana@example.com', birth_date: '1990-02-28' },
    billing_address: { country: 'US', state: 'MA', city: 'Boston', address: 'Main Street 1', phone: '+12135550100' },
  });
  await page.goto(url);
  const pay = new PayPage(page);
  await pay.type(cards.settled);
  await page.locator('input[name=zip]').fill('2108');
  await pay.payButton.click();
  await expect(pay.messageOf('zip')).toContainText('Check the ZIP code.');
  await expect(page.locator('input[name=zip]')).toBeFocused();
  await pay.payButton.click();
  await expect(pay.receipt).toBeVisible();
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
