// The pages of the demo shop.
import type { Page } from '@playwright/test';
import { expectAccessible, watch } from './page-objects.ts';
import { expect, test } from './test.ts';

/** Fails a test whose pages have faults. Orders of the shop are pages of Florin: nothing is loaded from other origins. */
export function watchShop(): void {
  test.beforeEach(async ({ page, florin }, info) => {
    const { faults } = await watch(page, florin);
    Object.assign(info, { faults });
  });
  test.afterEach(async ({ page: _ }, info) => {
    expect((info as unknown as { faults: string[] }).faults).toEqual([]);
  });
}

/** Returns from the receipt to the order's page. */
export async function returnToShop(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Return to/ }).click();
  await page.waitForURL('**/shop/**');
}

export const inBothSchemes = async (page: Page) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
};

/** Puts things into the basket, and chooses the payment method. */
export async function fillBasket(page: Page, products: readonly string[], method: string | RegExp): Promise<void> {
  await page.goto('/shop');
  for (const product of products) {
    const more = page.getByRole('button', { name: `More: ${product}` });
    const quantity = page.getByLabel(`Quantity: ${product}`);
    // A press has no effect before the script is loaded.
    await expect(async () => {
      if ((await quantity.inputValue()) === '0') await more.click();
      await expect(quantity).toHaveValue('1', { timeout: 500 });
    }).toPass();
  }
  await page.getByRole('radio', { name: method }).check();
}

export const checkOut = (page: Page) => page.getByRole('button', { name: /^Check out/ }).click();

/** The step of the log with this title. */
export function step(page: Page, title: string | RegExp) {
  return page.getByRole('listitem').filter({ has: page.locator('summary', { hasText: title }) });
}
