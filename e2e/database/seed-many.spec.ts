// Seeded payments leave the rows of the sandbox's own merchants as they are.
import { join } from 'node:path';
import { bundle } from '../../scripts/bundle.ts';
import { run } from '../../scripts/install.ts';
import { migrate } from '../../scripts/migrate.ts';
import { startTemporaryPostgres } from '../../scripts/postgres.ts';
import { root } from '../../scripts/project.ts';
import { seedMany } from '../audit/seed-many.ts';
import { sandboxSettings } from '../runner/servers.ts';
import { expect, test } from '../support/test.ts';

const counted = `
  select (select count(*) from callback_attempts a join callbacks c on c.id = a.callback_id where c.merchant_id in (select id from own)) as attempts,
         (select count(*) from api_requests where merchant_id in (select id from own)) as requests,
         (select count(*) from payments where merchant_id in (select id from own)) as payments`;

/** A delivered callback of a merchant, with its one attempt. */
const delivered = [
  `insert into payments (id, merchant_id, key_id, protocol, operation, state, request_digest, order_number, order_amount,
       currency, amount_minor, description, created_at, updated_at)
   select gen_random_uuid(), k.merchant_id, k.id, 'checkout', 'purchase', 'settled', '', 'own', '10.00', 'EUR', 1000, 'Own', now(), now()
     from merchant_keys k limit 1`,
  `insert into callbacks (id, payment_id, transaction_id, merchant_id, sequence, outcome, type, order_state, amount_minor, state,
       attempts, created_at, delivered_at)
   select gen_random_uuid(), p.id, gen_random_uuid(), p.merchant_id, 1, 'success', 'sale', 'settled', 1000, 'delivered', 1, now(), now()
     from payments p where p.order_number = 'own'`,
  `insert into callback_attempts (id, callback_id, at, duration_ms, http_status)
   select gen_random_uuid(), c.id, now(), 12, 200 from callbacks c join payments p on p.id = c.payment_id where p.order_number = 'own'`,
];

test('seeding many payments alters no row of another merchant', async () => {
  const postgres = await startTemporaryPostgres();
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: postgres.url });
  try {
    await migrate(postgres.url);
    const env = { ...sandboxSettings(postgres.url), PORT: '1', BASE_URL: 'http://localhost:1' };
    const seed = join(root, '.data', 'test', 'seed-many-first.mjs');
    await bundle('prisma/seed.ts', seed);
    await run(process.execPath, [seed], env);
    await client.connect();
    for (const statement of delivered) await client.query(statement);
    await client.query('create temporary table own as select id from merchants');
    const { rows: before } = await client.query(counted);
    expect(Number(before[0].attempts)).toBeGreaterThan(0);
    await seedMany({ databaseUrl: postgres.url, payments: 200, env });
    const { rows: after } = await client.query(counted);
    expect(after).toEqual(before);
  } finally {
    await client.end();
    await postgres.stop();
  }
});
