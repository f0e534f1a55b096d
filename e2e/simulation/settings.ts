// The settings of every history.
import type { Base } from './database.ts';

export const serviceOrigin = 'https://pay.example.com';
/** The two providers. */
export const origins = ['http://one.provider.test', 'http://two.provider.test'];
/** The payer of every order that has one. */
export const payerEmail = 'ana@example.com';

/** The settings of a simulated process. */
export const environment = {
  NODE_ENV: 'production',
  APP_ENV: 'production',
  DATABASE_URL: 'postgresql://florin:florin@127.0.0.1:1/florin',
  VAULT_KEY: Buffer.from(Array.from({ length: 32 }, (_, at) => at * 7)).toString('base64'),
  ALLOW_PRIVATE_TARGETS: 'on',
  BASE_URL: serviceOrigin,
  RATE_LIMITS: 'all=100000000',
  LOG_LEVEL: 'info',
  CARD_TESTING: 'session=1000000 card=1000000 address=1000000 bin=1000000 merchant=1000000',
};

export const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** The security code of every card. */
export const cvv = '739';
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
