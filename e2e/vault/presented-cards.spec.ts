// Card numbers that payers are shown are found by their number and re-encrypted, as other card numbers are.
import { sql } from '../support/database-rows.ts';
import { methodFormOf } from '../support/method-flows.ts';
import { startPayer } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';
import { runVault } from '../support/vault.ts';

const number = '2200000000000004';

test('a presented card number outlives the key that sealed it, and is found until the payment is final', async ({
  as,
}) => {
  const shop = as('methods');
  const { url, order } = await shop.open({ methods: ['ptw-p2c'] });
  const payer = startPayer(shop.baseUrl);
  await payer.submit(methodFormOf(await payer.visit(url), 'ptw-p2c'));
  const { code, output } = await runVault('rotate --lead 3 --settle 4');
  expect(code, output).toBe(0);
  expect(output).toMatch(/transactions\.sealed_present: \d+ read, [1-9]\d* re-encrypted/);
  expect((await payer.visit(url)).html).toMatch(/2200\s?0000\s?0000\s?0004/);

  const [{ id }] = await sql(
    'select t.id from transactions t join payments p on p.id = t.payment_id where p.order_number = $1',
    [order.number],
  );
  const found = await runVault('find', {}, number);
  expect(found.code, found.output).toBe(0);
  expect(found.output).toContain(`220000******0004  presented to the payer of transaction ${id}`);
  expect(found.output.replaceAll(/\D/g, '')).not.toContain(number);
});
