// The merchants of a history, each with its own key, accounts, clients and receiver of callbacks. The second one takes part
// in some histories, with the order numbers of the first.
import { createHmac } from 'node:crypto';
import { apmMerchant } from '../support/apm-merchant.ts';
import { cardMerchant } from '../support/card-merchant.ts';
import { merchantClient } from '../support/merchant.ts';
import type { ShopServer } from '../support/shop-server.ts';
import type { Base } from './database.ts';
import { id, origins, serviceOrigin } from './settings.ts';

/** A merchant with one of its keys. */
export type Merchant = Omit<ReturnType<typeof newMerchant>, 'rotated'>;

type Own = { name: string; prefix: string; firstId: number; shopOrigin: string; password: string; byte: number };

function newMerchant(own: Own) {
  const shared = newShop(own);
  const first = { ...shared, ...newKey(own, shared.shopServer, 0) };
  return {
    ...first /** With its second key, which it gets when it rotates the first one (keys.ts). */,
    rotated: { ...shared, ...newKey(own, shared.shopServer, 1) },
  };
}

/** What signs a merchant's requests, and with which its callbacks are signed. */
function newKey({ firstId, password: first }: Own, shopServer: ShopServer, place: number) {
  const password = place === 0 ? first : `${first}, the second`;
  const credentials = { key: id(firstId + 99 - place), password, digest: 'md5' as const };
  return {
    keyId: id(firstId + 2 + 50 * place),
    credentials,
    /** The secret of the signature headers (docs/guide/callbacks.md). */
    webhookSecret: createHmac('sha256', password).update('florin callbacks').digest(),
    /** Its clients of the three protocols. */
    card: cardMerchant(serviceOrigin, credentials, shopServer),
    apm: apmMerchant(serviceOrigin, credentials, shopServer),
    checkout: merchantClient(serviceOrigin, credentials, shopServer),
  };
}

function newShop({ name, prefix, firstId, shopOrigin, byte }: Own) {
  const addressFor = (order: string) => `${shopOrigin}/callbacks/${encodeURIComponent(order)}`;
  const shopServer = { url: shopOrigin, addressFor } as unknown as ShopServer;
  return {
    name,
    id: id(firstId + 1),
    accounts: origins.map((_, place) => id(firstId + 3 + place)),
    mappingId: (place: number) => id(firstId + 10 + place),
    /** What the service uses at the providers. */
    providerKeys: {
      apiKey: `the key of ${name} at a provider`,
      signingSecret: `whsec_${Buffer.alloc(24, byte).toString('base64')}`,
    },
    shopOrigin,
    shopServer,
    /** Where callbacks of an order go. */
    addressFor,
    /** The name of an order in the records of a history: both merchants have the same numbers. */
    orderOf: (number: string) => prefix + number,
    numberOf: (order: string) => order.slice(prefix.length),
  };
}

export const firstMerchant = newMerchant({
  name: 'merchant',
  prefix: '',
  firstId: 0,
  shopOrigin: 'http://shop.test',
  password: 'a password of the merchant',
  byte: 0,
});
export const secondMerchant = newMerchant({
  name: 'merchant 2',
  prefix: '2:',
  firstId: 200,
  shopOrigin: 'http://second.test',
  password: 'a password of the second merchant',
  byte: 2,
});

/** All merchants of the database. */
export const merchants = [firstMerchant, secondMerchant];

/** The merchant whose server has the address. */
export const merchantAt = (url: string): Merchant =>
  merchants.find((each) => url.startsWith(each.shopOrigin)) ?? firstMerchant;

/** The name of a payment's order in the records of a history. */
export const orderSql = `case p.merchant_id when '${secondMerchant.id}' then '2:' else '' end || p.order_number`;

/** A method of S2S APM that redirects the payer and asks for nothing else. */
export const redirectMethod = 'katarun';
const operations = '{purchase,debit,credit,transfer,recurring}';

type Row = { id: string; owner: string };
type Seal = (text: string, use: 'merchant-password', row: Row) => Promise<Uint8Array>;

/** How often a declined charge of a schedule is repeated. */
export const scheduleRetries = 2;
/** The hours between these attempts. */
export const scheduleRetryHours = 24;

/** Writes the merchants with their accounts and mappings. */
export async function seedMerchants(base: Base, seal: Seal) {
  for (const merchant of merchants) await seedMerchant(base, merchant, seal);
}

async function seedMerchant({ run }: Base, merchant: (typeof merchants)[number], seal: Seal) {
  const { id: owner, shopOrigin } = merchant;
  await run('insert into merchants (id, name) values ($1, $2)', [owner, 'Simulated']);
  for (const { keyId, credentials } of [merchant, merchant.rotated]) {
    const password = Buffer.from(await seal(credentials.password, 'merchant-password', { id: keyId, owner }));
    await run(
      `insert into merchant_keys (id, merchant_id, environment, key, password) values ($1, $2, 'production', $3, $4)`,
      [keyId, owner, credentials.key, password],
    );
  }
  const methods = `{card,${redirectMethod}}`;
  for (const [place, account] of merchant.accounts.entries()) {
    // Every history gives the accounts their settings (accounts.ts).
    await run(
      `insert into mids (id, merchant_id, name, connector, settings, methods, operations, priority)
       values ($1, $2, $3, 'http', $4, $7, $5, $6)`,
      [account, owner, `Account ${place + 1}`, Buffer.alloc(0), operations, 100 + place, methods],
    );
  }
  const address = `${shopOrigin}/callbacks/default`;
  for (const [place, protocol] of ['checkout', 's2s_card', 's2s_apm'].entries()) {
    await run(
      `insert into protocol_mappings (id, merchant_id, protocol, default_notification_url, open_payouts, schedule_retries,
         schedule_retry_hours)
       values ($1, $2, $3, $4, true, $5, $6)`,
      [merchant.mappingId(place), owner, protocol, address, scheduleRetries, scheduleRetryHours],
    );
  }
}
