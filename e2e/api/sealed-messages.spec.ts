// The texts of messages have links to accounts and payments: a reader of the database finds none of them in clear, and a
// writer cannot have one sent to another address.
import { randomUUID } from 'node:crypto';
import { visitor } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { textOf } from '../support/html.ts';
import { cards, formTo, startPayer } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';
import { createUser, inviteUser, merchantIds, tokenFor } from '../support/users.ts';

/** Every column of the messages to an address, as text. */
async function rowsOf(recipient: string): Promise<string> {
  const rows = await sql('select to_jsonb(m)::text as row from messages m where recipient = $1', [recipient]);
  expect(rows).not.toEqual([]);
  return rows.map(({ row }) => row).join('\n');
}

test('the database has no link to an account in clear', async ({ florin }) => {
  const invited = await inviteUser(florin, 'viewer', merchantIds.plain);
  const own = await createUser(florin, 'viewer', merchantIds.plain);
  await sql('delete from messages where recipient = $1', [own.email]);
  await visitor(florin).post('/password/forgotten', { email: own.email });
  const reset = await tokenFor(florin, own.name);
  for (const [email, token] of [
    [invited.email, invited.token],
    [own.email, reset],
  ] as const) {
    const stored = await rowsOf(email);
    expect(stored).not.toContain(token);
    expect(stored).not.toMatch(/https?:/);
  }
});

test('nor one to a payment', async ({ shop, apmShop }) => {
  const email = `ana-${randomUUID()}@example.com`;
  await apmShop.sell({ identifier: 'ana', payer_email: email, brand: 'ptn-email' });
  const payer = startPayer(shop.baseUrl);
  const opened = await shop.open({ customer: { name: 'Ana', email } });
  const receipt = await payer.payOn(await payer.visit(opened.url), cards.settled);
  await payer.submit(formTo(receipt, '/remind'));
  await expect.poll(async () => (await rowsOf(email)).split('\n').length).toBe(2);
  const stored = await rowsOf(email);
  expect(stored).not.toMatch(/https?:/);
  expect(stored).not.toContain(new URL(opened.url).pathname);
});

const stateOf = async (id: string) =>
  (await sql('select state, error, due_at, send_at, sealed from messages where id = $1', [id]))[0];

test('a message of an earlier release is sent', async ({ florin }) => {
  const id = randomUUID();
  const text = `Open https://earlier.example/${id}`;
  await sql(
    `insert into messages (id, channel, recipient, subject, text, url, due_at, created_at)
     values ($1, 'email', 'ana@example.com', 'Earlier', $2, $3, now(), now())`,
    [id, text, `https://earlier.example/${id}`],
  );
  await expect.poll(async () => (await stateOf(id)).state).toBe('sent');
  expect(await stateOf(id)).toMatchObject({ due_at: null, send_at: null });
  const page = await (await fetch(`${florin}/sandbox/outbox`)).text();
  expect(textOf(page)).toContain(text);
});

test('a text that was moved to another address is not sent', async ({ florin }) => {
  const invited = await inviteUser(florin, 'viewer', merchantIds.plain);
  const id = randomUUID();
  await sql(
    `insert into messages (id, channel, recipient, subject, sealed, send_at, created_at)
     select $1, channel, 'eve@example.com', subject, sealed, now(), now() from messages where recipient = $2`,
    [id, invited.email],
  );
  await expect.poll(async () => (await stateOf(id)).state).toBe('failed');
  expect(await stateOf(id)).toEqual({
    state: 'failed',
    error: 'the text was altered or moved',
    due_at: null,
    send_at: null,
    sealed: null,
  });
  // Nor is one whose address was changed.
  await sql(
    `update messages set recipient = 'eve@example.com', state = 'waiting', send_at = now(), attempts = 0 where recipient = $1`,
    [invited.email],
  );
  const page = await (await fetch(`${florin}/sandbox/outbox`)).text();
  expect(page).not.toContain(invited.token);
});
