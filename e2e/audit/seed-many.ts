// Fills a database with payments of every kind and state over the last year, for five merchants with several currencies
// and methods, and with two weeks of requests, to show the dashboard under production volume. Written in sets by SQL
// (e2e/audit/seed.ts). Card numbers are not stored, so that modifications that need one are rejected; nothing becomes due.
import { join } from 'node:path';
import { bundle } from '../../scripts/bundle.ts';
import { run } from '../../scripts/install.ts';
import { dataFolder } from '../../scripts/project.ts';
import { seedPayments } from './seed.ts';

type Wanted = { databaseUrl: string; payments: number; env?: Record<string, string | undefined> };

const yearSeconds = 365 * 86_400;
const later = 20 * yearSeconds;

// A pseudo-random number from 0 to 999,999, deterministic by the payment's number.
const drawn = (salt: string) => `mod(abs(hashtext(i || '${salt}')::bigint), 1000000)`;

/** A realistic distribution: few merchants have most payments; open, disputed and unusual ones are rare. */
const variety = (payments: number) => ({
  merchants: ['Nordkiosk', 'Lumen Cycles', 'Halden Books', 'Ostrava Tea', 'Isla Post'],
  merchant:
    'case when block % 100 < 60 then 0 when block % 100 < 85 then 1 when block % 100 < 95 then 2 when block % 100 < 99 then 3 else 4 end',
  // One block of two hundred has open payments, disputes and reversals; elsewhere those are sales.
  shape:
    'case when (i % 100 between 82 and 89 or i % 100 between 94 and 95) and block % 200 <> 7 then 1 else i % 100 end',
  start: `now() - interval '${yearSeconds} seconds'`,
  secondsBetween: yearSeconds / payments,
  currency: `case when block % 100 < 80 then 'EUR' when block % 100 < 92 then 'PLN' when block % 100 < 98 then 'RSD'
                  when block % 1000 < 999 then 'USD' else 'JPY' end`,
  factor: `1 + ${drawn('amount')} % 97`,
  method: `case when ${drawn('method')} < 100000 then 'blik' when ${drawn('method')} < 150000 then 'ideal'
                when ${drawn('method')} < 150300 then 'paysafecard' end`,
  payer: `jsonb_build_object('first_name', 'Ann', 'last_name', 'Payer', 'country', 'DE',
            'email', 'payer' || ${drawn('payer')} / 3 || '@example.com')`,
  decline: `case when ${drawn('decline')} < 500000 then '{"class": "bank", "reason": "Do not honor"}'
                 when ${drawn('decline')} < 850000 then '{"class": "funds", "reason": "Insufficient funds"}'
                 when ${drawn('decline')} < 950000 then '{"class": "data", "reason": "Expired card"}'
                 when ${drawn('decline')} < 999000 then '{"class": "unconfirmed", "reason": "Not authenticated"}'
                 else '{"class": "technical", "reason": "Issuer unavailable"}' end::jsonb`,
  person: 'false',
  first6: "'424242'",
  last4: `lpad((${drawn('card')} % 10000)::text, 4, '0')`,
  sealed: 'null::bytea',
  dueSeconds: { provider: later, callback: later, charge: later },
});

/**
 * The request log: one row for each of the last million payments over its retention of two weeks; 5 % are rejected, 0.2
 * % have a wrong hash and 0.005 % are internal errors.
 */
const requests = `
  insert into api_requests (id, at, merchant_id, protocol, action, path, http_status, error_code, order_number,
       payment_id, duration_ms, address, media_type, user_agent, request, response, refused_at)
  select md5('request' || id)::uuid, now() - (1 - place) * interval '13 days', merchant_id, protocol, action,
         case when protocol = 'checkout' then '/api/v1/session' else '/s2s/card' end,
         case when fate < 50 then 500 when fate < 50000 then 400 else 200 end,
         case when fate < 50 then null when fate < 2000 then 100000 when fate < 50000 then 101000 end, order_number,
         case when fate >= 50000 then id end, 4, '203.0.113.7', 'application/json', 'seed/1.0',
         '{"order":{"number":"' || order_number || '","amount":"' || order_amount || '","currency":"' || currency || '"}}',
         '{"redirect_url":"https://pay.example/pay/' || id || '"}',
         case when fate < 50 then 'run' when fate < 2000 then 'signature' when fate < 50000 then 'fields' end
    from (select p.*, mod(abs(hashtext('fate' || id)::bigint), 1000000) as fate,
                 percent_rank() over (order by created_at) as place,
                 case when protocol = 'checkout' then '/api/v1/session' when operation = 'recurring' then 'RECURRING_SALE'
                      else 'SALE' end as action
            from (select * from payments where key_id in (select id from merchant_keys where key like 'seed-%')
                   order by created_at desc limit 1000000) p) p`;

/**
 * Fills a migrated database, once per database. `env` are the settings of the server that will read it, including its
 * vault key; `payments` is a multiple of 100.
 */
export async function seedMany({ databaseUrl, payments, env = {} }: Wanted): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query("select 1 from merchant_keys where key = 'seed-0'");
    if (rows.length > 0) throw new Error('The database has been seeded before.');
    const made = variety(payments);
    const ids = made.merchants.map((_, who) => `md5('merchant${who}')::uuid`).join(', ');
    const { rows: found } = await client.query<{ id: string }>(`select unnest(array[${ids}]) as id`);
    // The vault creates its keys first, so that it does not take the seed's for one.
    const seal = () => sealAll({ databaseUrl, env, merchants: found.map(({ id }) => id) });
    await seal();
    await seedPayments(client, payments, made);
    await seal();
    await client.query(requests);
    await client.query('vacuum analyze api_requests');
  } finally {
    await client.end();
  }
}

async function sealAll({ databaseUrl, env, merchants }: Omit<Required<Wanted>, 'payments'> & { merchants: string[] }) {
  const output = join(dataFolder, 'seed-many.mjs');
  await bundle('e2e/audit/seal-seeded.ts', output);
  await run(process.execPath, [output], {
    ...env,
    DATABASE_URL: databaseUrl,
    SEEDED_MERCHANTS: JSON.stringify(merchants),
  });
}
