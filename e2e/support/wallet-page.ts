// The hosted page with wallets.
import type { Locator, Page } from '@playwright/test';
import type { Changes, Merchant } from './merchant.ts';

export const methods = ['card', 'applepay', 'googlepay'];

export const appleButton = (page: Page): Locator => page.getByRole('button', { name: 'Pay with Apple Pay' });
export const googleButton = (page: Page): Locator => page.getByRole('button', { name: 'Pay with Google Pay' });
export const paid = (page: Page): Locator => page.getByRole('heading', { name: 'Payment complete' });

/** Opens a session with both wallets and its page. */
export async function openPage(page: Page, shop: Merchant, changes: Changes = {}) {
  const opened = await shop.open({ methods, ...changes });
  await page.goto(opened.url);
  return opened;
}
