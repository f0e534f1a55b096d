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

/**
 * The additions of a merchant's page with hosted fields for wallets: a container for the buttons, the payment call, and
 * the handling of its outcome.
 */
export const walletScript = (florin: string, token: string) => `
  const place = document.createElement('div');
  place.id = 'wallets';
  document.querySelector('h1').after(place);
  const made = [];
  hf.on('wallet', ({ wallet, answer }) => { outcome.textContent = wallet + ': ' + (answer.result || answer.error_message); });
  hf.on('error', ({ type, message }) => { outcome.textContent = type + ': ' + message; });
  hf.wallets({
    id: 'wallets',
    language: 'de',
    pay: async (means) => (await fetch('${florin}/api/v1/processing/purchase/card', {
      method: 'POST',
      headers: { 'content-type': 'application/json', token: '${token}' },
      body: JSON.stringify(means),
    })).json(),
  }).then((names) => { place.dataset.names = names.join(' '); });`;
