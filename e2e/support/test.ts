// The test function of every end-to-end test. The worker's shared objects (the server's address, its shop, the
// merchants and the provider's controls) are fixtures, so a test creates only its own orders.
import { test as base, expect } from '@playwright/test';
import { type ApmMerchant, apmMerchant } from './apm-merchant.ts';
import { type CardMerchant, cardMerchant } from './card-merchant.ts';
import { type Clock, clockAt } from './clock.ts';
import { type Merchant, merchantClient } from './merchant.ts';
import { merchants } from './merchants.ts';
import { type Provider, providerAt } from './provider.ts';
import type { S2sMerchant } from './s2s-flows.ts';
import type { S2sProtocol } from './s2s-protocols.ts';
import { type ShopServer, startShopServer } from './shop-server.ts';

export type Shared = {
  /** The server under test, without a trailing slash. */
  florin: string;
  /** The worker's shop. */
  shopServer: ShopServer;
  /** Acts as one of the sandbox merchants. */
  as: (name: keyof typeof merchants) => Merchant;
  /** The merchant that most tests use, with default settings. */
  shop: Merchant;
  /** The same two fixtures over S2S CARD. */
  cardAs: (name: keyof typeof merchants) => CardMerchant;
  cardShop: CardMerchant;
  /** Over S2S APM, with merchants that have other methods than cards. */
  apmAs: (name: keyof typeof merchants) => ApmMerchant;
  apmShop: ApmMerchant;
  /** Over one of the two form protocols, with the merchant that has this part in its tests. */
  s2sAs: (protocol: S2sProtocol, name?: keyof S2sProtocol['merchants']) => S2sMerchant;
  provider: Provider;
  clock: Clock;
};

export const test = base.extend<object, Shared>({
  florin: [
    async ({ browserName: _ }, use, worker) => {
      const url = worker.project.use.baseURL ?? process.env.FLORIN_URL;
      if (!url) throw new Error('FLORIN_URL is missing: the address of the server under test');
      await use(url.replace(/\/$/, ''));
    },
    { scope: 'worker' },
  ],
  shopServer: [
    async ({ browserName: _ }, use) => {
      const shopServer = await startShopServer();
      await use(shopServer);
      await shopServer.close();
    },
    { scope: 'worker' },
  ],
  as: [
    async ({ florin, shopServer }, use) => {
      await use((name) => merchantClient(florin, merchants[name], shopServer));
    },
    { scope: 'worker' },
  ],
  shop: [async ({ as }, use) => use(as('plain')), { scope: 'worker' }],
  cardAs: [
    async ({ florin, shopServer }, use) => {
      await use((name) => cardMerchant(florin, merchants[name], shopServer));
    },
    { scope: 'worker' },
  ],
  cardShop: [async ({ cardAs }, use) => use(cardAs('plain')), { scope: 'worker' }],
  apmAs: [
    async ({ florin, shopServer }, use) => {
      await use((name) => apmMerchant(florin, merchants[name], shopServer));
    },
    { scope: 'worker' },
  ],
  apmShop: [async ({ apmAs }, use) => use(apmAs('methods')), { scope: 'worker' }],
  s2sAs: [
    async ({ cardAs, apmAs }, use) => {
      await use((protocol, name = 'plain') =>
        protocol.id === 's2s-card' ? cardAs(protocol.merchants[name]) : apmAs(protocol.merchants[name]),
      );
    },
    { scope: 'worker' },
  ],
  provider: [async ({ florin }, use) => use(providerAt(florin)), { scope: 'worker' }],
  clock: [async ({ florin }, use) => use(clockAt(florin)), { scope: 'worker' }],
});

export { expect };
