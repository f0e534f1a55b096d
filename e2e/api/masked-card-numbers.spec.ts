// Card numbers in texts for people: masked before they are stored, sent to a provider or reported, whatever protocol or
// page they come by. The signature is that of the text that was sent.
import { randomUUID } from 'node:crypto';
import { visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { cards, startPayer } from '../support/payer.ts';
import { pay } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

const written = '5555 5555-5555 4444';
const masked = '555555******4444';
const clear = /5555[\s-]?5555[\s-]?5555[\s-]?4444/;

/** Every stored text about an order. */
async function storedOf(order: string): Promise<string> {
  const rows = await sql(
    `select to_jsonb(p) as payment, (select jsonb_agg(t) from transactions t where t.payment_id = p.id) as transactions,
            (select jsonb_agg(c) from callbacks c where c.payment_id = p.id) as callbacks,
            (select jsonb_agg(k) from cards k where k.id = p.card_id) as cards,
            (select jsonb_agg(s) from sessions s where s.payment_id = p.id) as sessions,
            (select jsonb_agg(r) from api_requests r where r.order_number = p.order_number) as requests
       from payments p where p.order_number = $1`,
    [order],
  );
  expect(rows).toHaveLength(1);
  return JSON.stringify(rows);
}

test('of Checkout are masked, and the answer names the fields', async ({ florin, shop }) => {
  const number = newOrderNumber();
  const session = shop.sessionBody({
    order: { number, amount: '10.00', currency: 'EUR', description: `Paid with ${written}` },
    customer: { name: `Ana ${written}`, email: 'ana@example.com' },
    custom_data: { note: written, [`n ${written}`]: 5555555555554444, count: 7 },
  });
  const response = await fetch(`${florin}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(shop.signed(session)),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('florin-masked-fields')).toBe('customer.name,custom_data,order.description');
  const { redirect_url } = (await response.json()) as { redirect_url: string };
  const payer = startPayer(florin);
  const form = await payer.visit(redirect_url);
  expect(form.html).not.toMatch(clear);
  await payer.payOn(form, cards.settled);
  const [callback] = await shop.shopServer.waitFor(number, (all) => all.length > 0);
  expect(JSON.stringify(callback?.fields)).not.toMatch(clear);
  const stored = await storedOf(number);
  expect(stored).not.toMatch(clear);
  expect(stored).toContain(`Paid with ${masked}`);
});

test('of S2S CARD are masked in what the provider gets', async ({ cardShop, provider }) => {
  const order_id = newOrderNumber();
  const sold = await cardShop.sell({
    order_id,
    order_description: `for ${written}`,
    payer_last_name: written,
    payer_address: `Street ${written}`,
  });
  expect(sold.answer.body.status).toBe('SETTLED');
  expect(await storedOf(order_id)).not.toMatch(clear);
  expect(await provider.moved(order_id)).toHaveLength(1);
});

test('in parameters and custom data are masked, and codes and tracks are not stored', async ({ shop, cardShop }) => {
  const track = ';5555555555554444=25121010000012300000?';
  const card = { pan: '5555555555554444', card_cvv2: '739', track2: track, note: 'cvv 739', channel: 'web' };
  const cleaned = { pan: masked, note: 'cvv [scrubbed]', channel: 'web' };
  const findStored = async (order: string) =>
    (await sql('select parameters, custom_data, payer, description from payments where order_number = $1', [order]))[0];

  const { order } = await shop.open({ parameters: { card }, custom_data: { ...card, pin_block: '0123456789ABCDEF' } });
  expect(await findStored(order.number)).toMatchObject({ parameters: { card: cleaned }, custom_data: cleaned });

  const order_id = newOrderNumber();
  const first = await cardShop.sell({
    order_id,
    order_description: track,
    payer_zip: written,
    recurring_init: 'Y',
    parameters: card,
    custom_data: card,
  });
  const again = newOrderNumber();
  expect((await cardShop.again(first, { order_id: again, custom_data: card })).body).toMatchObject({
    status: 'SETTLED',
  });
  for (const number of [order_id, again]) {
    const stored = await findStored(number);
    expect(stored).toMatchObject({ parameters: { card: cleaned }, custom_data: cleaned });
    expect(stored?.payer).toMatchObject({ zip: masked });
    expect(JSON.stringify(stored)).not.toMatch(/card_cvv2|track2|739|2512101/);
    const [callback] = await cardShop.shopServer.waitFor(number, (all) => all.length > 0);
    expect(JSON.stringify(callback?.fields)).not.toMatch(/card_cvv2|track2|739\b|2512101/);
  }
  const [{ parameters: old }] = await sql(
    `update payments set parameters = jsonb_set(parameters, '{card,card_cvv2}', '"739"') where order_number = $1
     returning parameters`,
    [order_id],
  );
  expect(JSON.stringify(old)).toContain('739');
  const later = newOrderNumber();
  expect((await cardShop.again(first, { order_id: later })).body).toMatchObject({ status: 'SETTLED' });
  expect((await findStored(later))?.parameters).toEqual({ card: cleaned });
});

test('in parameters of S2S APM are masked, and a voucher keeps its code', async ({ apmShop }) => {
  const parameters = { sandbox: 'approve', pin: '40714071', pan: written, cvv: '739' };
  const { headers, body } = await apmShop.charge('SALE', { brand: 'axxi-pin', identifier: 'ana', parameters });
  expect(headers.get('florin-masked-fields')).toBe('parameters.pan,parameters.cvv');
  const [stored] = await sql('select parameters from payments where order_number = $1', [body.order_id]);
  expect(stored?.parameters).toMatchObject({ 'axxi-pin': { sandbox: 'approve', pan: masked } });
  expect(stored?.parameters['axxi-pin:sealed']).toEqual(expect.any(String));
  expect(JSON.stringify(stored)).not.toMatch(/40714071|cvv/);
});

test('that payers type as their name are neither stored nor shown again', async ({ florin, shop }) => {
  const { url, order } = await shop.open();
  const payer = startPayer(florin);
  const screen = await payer.payOn(await payer.visit(url), { ...cards.settled, holder: written });
  expect(screen.html).not.toMatch(clear);
  expect(await storedOf(order.number)).not.toMatch(clear);
});

test('are left alone in order numbers', async ({ cardShop }) => {
  const order_id = `5555555555554444 ${newOrderNumber()}`;
  expect((await cardShop.sell({ order_id })).answer.body).toMatchObject({ status: 'SETTLED', order_id });
});

test('in texts of users of the dashboard are masked', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const view = { name: `View ${written}`, query: 'state=settled' };
  expect((await manager.post('/payments/views', view)).status).toBe(200);
  expect(await sql('select name from saved_views where name like $1', [`View ${masked}%`])).not.toEqual([]);
});

test('that users search for are in no audit log and no saved view', async ({ florin, shop }) => {
  const { order } = await pay(shop);
  await shop.shopServer.waitFor(order.number, (all) => all.length > 0);
  const operator = await visitorAs(florin, 'operator');
  const stored = 'q=411111******1111';
  const host = new URLSearchParams({ host: shop.shopServer.url }).toString();
  for (const q of ['4111111111111111', '4111 1111 1111 1111']) {
    const query = new URLSearchParams({ q }).toString();
    expect((await operator.get(`/payments/export?${query}`)).status).toBe(200);
    expect((await operator.post('/callbacks/resend', { query: `${query}&${host}` })).body.found).toBeGreaterThan(0);
    const { body } = await operator.post('/payments/views', { name: randomUUID(), query });
    expect(body.query).toBe(stored);
    expect((await operator.post(`/payments/views/${body.id}/delete`, {})).status).toBe(200);
  }
  const logged = await sql(
    "select after ->> 'filter' as filter from audit_entries where after ->> 'filter' like '%1111%'",
  );
  const filters = logged.map((row) => row.filter);
  expect(filters).toEqual(expect.arrayContaining([stored, `${stored}&${host}`]));
  expect(filters.filter((filter) => /4111\W?1111/.test(filter))).toEqual([]);
});
