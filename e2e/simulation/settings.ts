// The settings of every history: one merchant with two accounts at two providers.
import type { Base } from './database.ts';

export const serviceOrigin = 'https://pay.example.com';
/** The two providers. */
export const origins = ['http://one.provider.test', 'http://two.provider.test'];
export const shopOrigin = 'http://shop.test';
/** Where callbacks of an order go. */
export const addresses = { addressFor: (order: string) => `${shopOrigin}/callbacks/${encodeURIComponent(order)}` };
/** The payer of every order that has one. */
export const payerEmail = 'ana@example.com';

/** The settings of a simulated process. */
export const environment = {
  NODE_ENV: 'production',
  APP_ENV: 'production',
  DATABASE_URL: 'postgresql://florin:florin@127.0.0.1:1/florin',
  VAULT_KEY: Buffer.alloc(32, 7).toString('base64'),
  ALLOW_PRIVATE_TARGETS: 'on',
  BASE_URL: serviceOrigin,
  RATE_LIMITS: 'all=100000000',
  LOG_LEVEL: 'info',
  CARD_TESTING: 'session=1000000 card=1000000 address=1000000 bin=1000000 merchant=1000000',
};

export const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

export const merchant = { key: id(99), password: 'a password of the merchant', digest: 'md5' as const };
/** What the service uses at the providers. */
export const providerKeys = {
  apiKey: 'the key of the merchant at a provider',
  signingSecret: `whsec_${Buffer.alloc(24).toString('base64')}`,
};
/** The security code of every card. */
export const cvv = '739';
/** A method of S2S APM that redirects the payer and asks for nothing else. */
export const redirectMethod = 'katarun';
const operations = '{purchase,debit,credit,transfer,recurring}';

/** The id of an account by its place. */
export const accountId = (place: number) => id(3 + place);

type Seal = (text: string, use: 'merchant-password') => Promise<Uint8Array>;

/** How often a declined charge of a schedule is repeated. */
export const scheduleRetries = 2;
/** The hours between these attempts. */
export const scheduleRetryHours = 24;

/** Writes the merchant with its accounts and mappings. */
export async function seedMerchant({ run }: Base, seal: Seal) {
  const password = Buffer.from(await seal(merchant.password, 'merchant-password'));
  await run('insert into merchants (id, name) values ($1, $2)', [id(1), 'Simulated']);
  await run(
    `insert into merchant_keys (id, merchant_id, environment, key, password) values ($1, $2, 'production', $3, $4)`,
    [id(2), id(1), merchant.key, password],
  );
  for (const place of origins.keys()) {
    // Every history gives the accounts their settings (accounts.ts).
    await run(
      `insert into mids (id, merchant_id, name, connector, settings, methods, operations, priority)
       values ($1, $2, $3, 'http', $4, $7, $5, $6)`,
      [
        accountId(place),
        id(1),
        `Account ${place + 1}`,
        Buffer.alloc(0),
        operations,
        100 + place,
        `{card,${redirectMethod}}`,
      ],
    );
  }
  for (const [place, protocol] of ['checkout', 's2s_card', 's2s_apm'].entries()) {
    await run(
      `insert into protocol_mappings (id, merchant_id, protocol, default_notification_url, open_payouts, schedule_retries,
         schedule_retry_hours)
       values ($1, $2, $3, $4, true, $5, $6)`,
      [id(10 + place), id(1), protocol, `${shopOrigin}/callbacks/default`, scheduleRetries, scheduleRetryHours],
    );
  }
}

const kept = ['merchants', 'merchant_keys', 'mids', 'protocol_mappings', 'data_keys', 'audit_entries'];

/** Removes all rows that histories leave behind. */
export function cleaner({ database, rows, run }: Base) {
  let tables: string[] | undefined;
  return async function clean(isFirst: boolean) {
    tables ??= (
      await rows<{ name: string }>(
        `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = 'public' and c.relkind = 'r'`,
      )
    )
      .map(({ name }) => name)
      .filter((name) => !kept.includes(name));
    // The order of rows without an order depends on earlier ones: each series begins with empty files.
    if (isFirst) await database.exec(`truncate ${tables.map((name) => `"${name}"`).join(', ')}`);
    // One statement: references are checked at its end. Anything else would have all statements planned again.
    else await run(`with ${tables.map((name, at) => `t${at} as (delete from "${name}")`).join(', ')} select 1`);
  };
}
