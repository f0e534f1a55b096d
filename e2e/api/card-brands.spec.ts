// Accounts that take some brands of cards only: the page shows their marks, routing keeps to them, and a card of another
// brand is refused at its number before anything is tried.
import { cardFields } from '../support/card-merchant.ts';
import { makeMerchant, makeMid } from '../support/created-merchants.ts';
import { routingOf, visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { collect, createSessionToken, processCard, typed } from '../support/hosted-fields-requests.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { startPayer } from '../support/payer.ts';
import { idOf, pay, statusOf } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

// One test changes the brands of an account for a while.
test.describe.configure({ mode: 'default' });

const mastercard = { number: '5555 5555 5555 4444', expiry: '01/38' };
const amex = { number: '3782 822463 10005', expiry: '01/38' };
/** The first account declines it softly. */
const firstFails = { number: '4000 0000 0000 1026', expiry: '01/38' };
const refused = 'We don’t accept this card type.';

test('S2S: the account of the brand pays, and another brand is an error of the number without a payment', async ({
  cardAs,
  florin,
}) => {
  const shop = cardAs('cardBrands');
  const sold = await shop.sell({ ...cardFields.settled, card_number: '5555555555554444' });
  const [row] = await sql('select id from payments where order_number = $1', [sold.orderId]);
  const { body } = await (await visitorAs(florin, 'manager')).get(`/payments/${row?.id}`);
  expect(routingOf(body)).toEqual([
    'Card brands A: skipped: does not take Mastercard',
    'Card brands B: taken: priority',
  ]);
  for (const async of ['N', 'Y']) {
    const order_id = newOrderNumber();
    const card = { ...cardFields.settled, card_number: '378282246310005', card_cvv2: '1234' };
    const answer = await shop.charge('SALE', { order_id, async, ...card });
    const errors = [{ error_code: 100000, error_message: 'card_number: This value is not valid.' }];
    expect([answer.status, answer.body.errors]).toEqual([400, errors]);
    expect(await sql('select 1 from payments where order_number = $1', [order_id])).toEqual([]);
  }
});

test('S2S: a token of a card whose brand no account takes any more is an error of the token', async ({
  cardAs,
  florin,
}) => {
  const shop = cardAs('otherBrands');
  const saved = await shop.sell({ ...cardFields.settled, req_token: 'Y' });
  const manager = await visitorAs(florin, 'manager');
  const [mid] = await sql("select id from mids where name = 'Other brands MID'", []);
  const { body } = await manager.get(`/mids/${mid?.id}`);
  const change = { version: body.version, ...body.values, cardBrands: ['mastercard'] };
  expect((await manager.post(`/mids/${mid?.id}`, change)).status).toBe(200);
  const order_id = newOrderNumber();
  const blank = { card_number: undefined, card_exp_month: undefined, card_exp_year: undefined };
  const card_token = saved.answer.body.card_token;
  const answer = await shop.charge('SALE', { order_id, ...blank, card_token });
  const errors = [{ error_code: 100000, error_message: 'card_token: This value is not valid.' }];
  expect([answer.status, answer.body.errors]).toEqual([400, errors]);
  expect(await sql('select 1 from payments where order_number = $1', [order_id])).toEqual([]);
});

test('the page shows the marks of the accounts, and refuses another brand at its number', async ({ as, florin }) => {
  const shop = as('cardBrands');
  const { url, order } = await shop.open();
  const payer = startPayer(florin);
  const page = await payer.visit(url);
  for (const id of ['visa', 'mastercard', 'rupay']) expect(page.html).toContain(`id="mark-${id}"`);
  expect(page.html).not.toContain('id="mark-amex"');
  const answer = await payer.pay(url, amex);
  expect(answer.html).toContain(refused);
  const id = await idOf(shop, order.number);
  expect(await statusOf(shop, id)).toMatchObject({ status: 'prepare' });
  await payer.pay(url, mastercard);
  expect((await statusOf(shop, id)).status).toBe('settled');
});

test('a failover goes to another account of the brand', async ({ as, provider }) => {
  const shop = as('cardBrands');
  const visa = await pay(shop, firstFails);
  expect((await provider.journal(visa.order.number)).map(({ status }) => status)).toEqual(['declined', 'approved']);
});

test('hosted fields refuse another brand at the number', async ({ as, provider }) => {
  const shop = as('cardBrands');
  const { token, order } = await createSessionToken(shop);
  const answer = await collect(shop, token, { ...typed.settled, card_number: amex.number, card_cvv: '1234' });
  expect(answer.status).toBe(422);
  expect(answer.body.faults).toEqual([{ field: 'card', code: 'card_number.brand', message: refused }]);
  expect((await processCard(shop, token)).body.errors).toBeDefined();
  expect(await provider.moved(order.number)).toEqual([]);
  expect((await collect(shop, token, { ...typed.settled, card_number: mastercard.number })).status).toBe(200);
  expect((await processCard(shop, token)).body.result).toBe('success');
});

test('a saved card is offered while an account takes its brand', async ({ as, florin }) => {
  const shop = as('cardBrands');
  const first = await shop.open({ req_token: true });
  await startPayer(florin).pay(first.url, mastercard);
  const { card_token: token } = await statusOf(shop, await idOf(shop, first.order.number));
  const { url } = await shop.open({ card_token: [token] });
  expect((await startPayer(florin).visit(url)).html).toContain('name="saved_card"');
  await sql("update mids set card_brands = array['visa'] where name = 'Card brands B'", []);
  try {
    const later = await shop.open({ card_token: [token] });
    await expect.poll(async () => (await startPayer(florin).visit(later.url)).html).not.toContain('name="saved_card"');
  } finally {
    await sql("update mids set card_brands = array['mastercard', 'visa', 'rupay'] where name = 'Card brands B'", []);
  }
});

test('the brands of a MID are set in the dashboard', async ({ florin }) => {
  const manager = await visitorAs(florin, 'manager');
  const mid = await makeMid(manager, (await makeMerchant(manager)).id);
  expect(mid.values.cardBrands).toEqual([]);
  const save = (cardBrands: string[]) => manager.post(`/mids/${mid.id}`, { version: 0, ...mid.values, cardBrands });
  expect((await save(['bancnet'])).body.error.fields).toEqual({ 'cardBrands.0': 'bancnet is not a card brand.' });
  expect((await save(['visa', 'elo'])).status).toBe(200);
  expect((await manager.get(`/mids/${mid.id}`)).body).toMatchObject({ values: { cardBrands: ['visa', 'elo'] } });
});
