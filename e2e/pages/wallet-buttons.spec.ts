// The buttons of Apple Pay and Google Pay on the hosted page: when they are offered, and by keyboard and language.
import type { Changes } from '../support/merchant.ts';
import { expectAccessible, PayPage, watch } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';
import { giveDevice } from '../support/wallet-device.ts';
import { appleButton, googleButton, methods, openPage, paid } from '../support/wallet-page.ts';
import { googleToken } from '../support/wallets.ts';

test('no wallet is offered if none can pay', async ({ page, as }) => {
  await giveDevice(page, { able: false });
  await openPage(page, as('walletButtons'));
  await expect(page.locator('html.scripted')).toBeAttached();
  await page.waitForTimeout(200);
  await expect(page.locator('.wallets')).toBeHidden();
  await expect(page.locator('input[name=card_number]')).toBeVisible();
  await openPage(page, as('walletsNotTaken'));
  await expect(page.locator('[data-wallet]')).toHaveCount(0);
  await expect(page.getByText('Apple Pay')).toHaveCount(0);
});

test('a session with wallets alone reports an unsupported browser', async ({ page, as }) => {
  await giveDevice(page, { able: false });
  await openPage(page, as('walletButtons'), { methods: ['applepay', 'googlepay'] });
  await expect(page.getByText('This browser doesn’t support Apple Pay / Google Pay')).toBeVisible();
  await expectAccessible(page);
});

test('a session with wallets alone shows nothing else on a device with them', async ({ page, as }) => {
  await giveDevice(page, { google: [googleToken('CRYPTOGRAM_3DS')] });
  await openPage(page, as('walletButtons'), { methods: ['applepay', 'googlepay'] });
  await expect(page.getByText('This browser doesn’t support')).toBeHidden();
  await expectAccessible(page);
  await googleButton(page).click();
  await expect(paid(page)).toBeVisible();
});

test('the page without script is the same with and without wallets', async ({ browser, as }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await openPage(page, as('walletButtons'));
  await expect(page.locator('.wallets')).toBeHidden();
  const pay = new PayPage(page);
  await pay.payWith(cards.settled);
  await expect(paid(page)).toBeVisible();
  await context.close();
});

test('the policy allows Google Pay only on pages that offer it', async ({ page, as, florin }) => {
  const { faults } = await watch(page, florin);
  const policyOf = async (changes: Changes) => {
    const { url } = await as('walletButtons').open(changes);
    const policy = (await page.goto(url))?.headers()['content-security-policy'] ?? '';
    return policy.split('; ').find((part) => part.startsWith('connect-src'));
  };
  expect(await policyOf({ methods: ['card', 'applepay'] })).toBe("connect-src 'self'");
  const google = 'https://google.com/pay https://www.google.com/pay https://pay.google.com';
  expect(await policyOf({ methods })).toBe(`connect-src 'self' ${google}`);
  expect(faults).toEqual([]);
});

test('by the keyboard: wallets come before the card, and pay', async ({ page, as }) => {
  await giveDevice(page, { google: [googleToken('CRYPTOGRAM_3DS')] });
  await openPage(page, as('walletButtons'));
  await expect(googleButton(page)).toBeVisible();
  await appleButton(page).focus();
  await page.keyboard.press('Tab');
  await expect(googleButton(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.locator('input[name=card_number]')).toBeFocused();
  await googleButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(paid(page)).toBeVisible();
});

for (const [language, dir, name] of [
  ['en', 'ltr', 'Pay with Apple Pay'],
  ['de', 'ltr', 'Mit Apple Pay bezahlen'],
  ['ar', 'rtl', 'الدفع عبر Apple Pay'],
] as const) {
  test(`the buttons in ${language}`, async ({ page, as }, info) => {
    await giveDevice(page, {});
    for (const more of [[], ['ppro-ideal']]) {
      const shop = as(more.length > 0 ? 'walletButtonsAndMore' : 'walletButtons');
      await openPage(page, shop, { methods: [...methods, ...more], billing_address: { language } });
      await expect(page.locator('html')).toHaveAttribute('dir', dir);
      await expect(page.getByRole('button', { name })).toBeVisible();
      for (const [width, height] of [
        [1280, 900],
        [320, 640],
      ] as const) {
        await page.setViewportSize({ width, height });
        await expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        const path = info.outputPath(`${language}-${width}-${more.length}.png`);
        await info.attach(`${language}, ${width} wide`, {
          body: await page.screenshot({ path }),
          contentType: 'image/png',
        });
      }
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectAccessible(page);
      await page.screenshot({ path: info.outputPath(`${language}-dark-${more.length}.png`) });
      await page.emulateMedia({ colorScheme: 'light' });
    }
  });
}
