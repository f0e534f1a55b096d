// Card data in addresses, e-mail addresses, phone numbers and form ids, which are needed as they were sent and cannot be
// masked: the request is refused, whatever protocol it comes by, and the data is stored nowhere.
import { sql } from '../support/database-rows.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { methodFormOf } from '../support/method-flows.ts';
import { startPayer } from '../support/payer.ts';
import { expect, test } from '../support/test.ts';

const pan = '4111111111111111';
const query = `card_number=${pan}&cvv=123`;
const notValid = (path: string) => `${path}: This value is not valid.`;
const linesOf = (body: { errors: { error_message: string }[] }) => body.errors.map((error) => error.error_message);

/** Whether a text is in any row of the tables that requests write to. */
async function isStored(text: string): Promise<boolean> {
  const tables = ['payments', 'sessions', 'callbacks', 'api_requests', 'messages', 'transactions'];
  const parts = tables.map((table) => `select 1 from ${table} t where to_jsonb(t)::text like '%' || $1 || '%'`);
  return (await sql(parts.join(' union all '), [text])).length > 0;
}

test('of Checkout are refused with the fields that have them', async ({ shop, florin, shopServer }) => {
  const number = newOrderNumber();
  const addresses = {
    success_url: `https://shop.example/ok?pan=${pan}`,
    cancel_url: `https://shop.example/no?card%5Bnumber%5D=4111-1111-1111-1111`,
    error_url: `https://shop.example/?next=https%3A%2F%2Fshop.example%2F%3Fcvv%3D123`,
    notification_url: `${shopServer.url}/callbacks?${query}`,
  };
  const body = shop.sessionBody({
    order: { number, amount: '10.00', currency: 'EUR', description: 'Bowls' },
    ...addresses,
    form_id: pan,
    customer: { name: 'Ana', email: `${pan}@example.com` },
    billing_address: { phone: '4111 1111 1111 1111' },
  });
  const { status, body: refused } = await shop.post('/api/v1/session', shop.signed(body));
  expect(status).toBe(400);
  const paths = [...Object.keys(addresses), 'form_id', 'customer.email', 'billing_address.phone'];
  expect(linesOf(refused).sort()).toEqual(paths.map(notValid).sort());
  await expect.poll(() => isStored(number)).toBe(true);
  const rows = await sql('select to_jsonb(r)::text as row from api_requests r where order_number = $1', [number]);
  expect(JSON.stringify(rows)).not.toMatch(/4111-?1111-?1111-?1111|cvv=123/);
  // Numbers of a shop's own are no card data.
  const opened = await shop.open({ success_url: `https://shop.example/ok/${pan}?order=${pan}&code=123&id=${number}` });
  const update = (changes: object) =>
    fetch(`${florin}/api/v1/session/update`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', token: opened.token },
      body: JSON.stringify(changes),
    });
  const updated = await update({ cancel_url: addresses.cancel_url, customer: { email: `${pan}@example.com` } });
  expect([updated.status, linesOf((await updated.json()) as never).sort()]).toEqual([
    400,
    [notValid('cancel_url'), notValid('customer.email')],
  ]);
});

test('of S2S CARD and S2S APM are refused with the fields that have them', async ({
  cardShop,
  apmShop,
  shopServer,
}) => {
  const contact = { payer_phone: pan, payer_email: `${pan}@example.com` };
  const callback_url = `${shopServer.url}/callbacks?${query}`;
  const card = await cardShop.charge('SALE', {
    ...contact,
    callback_url,
    term_url_3ds: `https://shop.example/?${query}`,
  });
  const apm = await apmShop.charge('SALE', { ...contact, callback_url, return_url: `https://shop.example/?${query}` });
  const paths = ['callback_url', 'payer_email', 'payer_phone'];
  expect([card.status, linesOf(card.body).sort()]).toEqual([400, [...paths, 'term_url_3ds'].map(notValid).sort()]);
  expect([apm.status, linesOf(apm.body).sort()]).toEqual([400, [...paths, 'return_url'].map(notValid).sort()]);
});

test('of a payer are refused on the page', async ({ as }) => {
  const shop = as('methods');
  const order = { amount: '120.00', currency: 'CAD', description: 'Two bowls' };
  const opened = await shop.open({ methods: ['ptn-email'], customer: undefined, order });
  const payer = startPayer(shop.baseUrl);
  const form = await payer.visit(opened.url);
  const refused = await payer.submit(methodFormOf(form, 'ptn-email'), { email: `${pan}@example.com` });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain('Enter an email like name@example.com.');
  expect(await isStored(`${pan}@`)).toBe(false);
});
