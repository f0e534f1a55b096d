// The payer's consent to later charges (protocol.md 3) in a real browser: an error beside the box if it is not ticked,
// by keyboard and by script, and no way to pay without it.

import { expectAccessible, PayPage, watch } from '../support/page-objects.ts';
import { cards } from '../support/payer.ts';
import { idOf, statusOf } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

const consent = { recurring_init: true, recurring_consent_required: true };

for (const [code, dir] of [
  ['en', 'ltr'],
  ['de', 'ltr'],
  ['ar', 'rtl'],
] as const) {
  for (const width of [390, 1280]) {
    test(`consent: ${code} at ${width} pixels`, async ({ page, shop, florin, shopServer }) => {
      await page.setViewportSize({ width, height: 900 });
      const { faults } = await watch(page, florin, [shopServer.url]);
      const { url, order } = await shop.open({ ...consent, billing_address: { language: code } });
      await page.goto(url);
      expect(await page.locator('html').getAttribute('dir')).toBe(dir);
      const pay = new PayPage(page);
      const box = page.locator('input[name=consent]');
      await pay.type(cards.settled);
      await page.locator('form[data-pay] button[type=submit]').click();
      await expect(box).toBeFocused();
      await expect(box).toHaveAttribute('aria-invalid', 'true');
      await expectAccessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
      expect((await statusOf(shop, await idOf(shop, order.number))).status).toBe('prepare');
      await page.keyboard.press('Space');
      await expect(box).toBeChecked();
      await expect(box).not.toHaveAttribute('aria-invalid');
      await page.locator('form[data-pay] button[type=submit]').click();
      await expect(page.locator('a[href*="payment_id="]').first()).toBeVisible();
      expect((await statusOf(shop, await idOf(shop, order.number))).status).toBe('settled');
      expect(faults).toEqual([]);
    });
  }
}
