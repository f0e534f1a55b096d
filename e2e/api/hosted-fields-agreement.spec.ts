// What the payer of hosted fields agrees to besides the payment: the words for the frame, the choice that comes with the
// card, its record, and the token of a saved card.
import { visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { collect, createSessionToken, payFields, processCard, typed } from '../support/hosted-fields-requests.ts';
import type { Merchant } from '../support/merchant.ts';
import { idOf, statusOf } from '../support/payment-flows.ts';
import { schedule } from '../support/schedules.ts';
import { messagesOf } from '../support/shop-server.ts';
import { signOrder } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';

const wordsOf = async (shop: Merchant, token: string, language = 'en') =>
  (await shop.post('/fields/words', { language }, { 'sec-fetch-site': 'same-origin', token })).body;

/** Submits the card with the choice of the frame, and pays. */
async function agree(shop: Merchant, token: string, choice: object) {
  const { mark } = await wordsOf(shop, token);
  const collected = await collect(shop, token, { ...typed.settled, agreed: { mark, language: 'en', ...choice } });
  return { collected, answer: await processCard(shop, token) };
}

async function agreedOf(florin: string, id: string) {
  const { body } = await (await visitorAs(florin, 'manager')).get(`/payments/${id}`);
  return body.events.filter(({ title }: { title: string }) => title.startsWith('Payer agreed'));
}

/** Saves a card, and returns its token. */
async function cardTokenOf(shop: Merchant): Promise<string> {
  const { order } = await payFields(shop, typed.settled, { session: { req_token: true } });
  await shop.shopServer.waitFor(order.number, (all) => messagesOf(all).length >= 1);
  return tokensOf(shop, order.number)[0] ?? '';
}

const tokensOf = (shop: Merchant, number: string) =>
  messagesOf(shop.shopServer.arrived(number)).flatMap(({ fields }) => fields.card_token ?? []);

test('a ticked box saves the card: token in the callback and the status, which pays again', async ({ as, florin }) => {
  const shop = as('savedCards');
  const { token, order } = await createSessionToken(shop);
  expect(await wordsOf(shop, token, 'de')).toEqual({
    mark: 'saves',
    rows: [],
    text: null,
    boxes: [{ name: 'saves', text: 'Diese Karte für meine nächste Bestellung speichern', error: null }],
  });
  const { answer } = await agree(shop, token, { saves: true });
  expect(answer.body.result).toBe('success');
  await shop.shopServer.waitFor(order.number, (all) => messagesOf(all).length >= 1);
  const [cardToken = ''] = tokensOf(shop, order.number);
  expect(cardToken).toMatch(/^[0-9a-f]{64}$/);
  const id = await idOf(shop, order.number);
  expect((await statusOf(shop, id)).card_token).toBe(cardToken);
  expect(await agreedOf(florin, id)).toMatchObject([
    { title: 'Payer agreed by a ticked box', detail: 'Save this card for my next order' },
  ]);
  const again = await createSessionToken(shop, { card_token: cardToken });
  expect((await collect(shop, again.token, { card_cvv: '123' })).status).toBe(200);
  expect((await processCard(shop, again.token)).body.result).toBe('success');
});

test('without the tick, or where the mapping does not offer it, no card is saved', async ({ as, shop, florin }) => {
  for (const [merchant, choice] of [
    [as('savedCards'), { saves: false }],
    [as('savedCards'), { saves: 'yes' }],
    [shop, { saves: true }],
  ] as const) {
    const { token, order } = await createSessionToken(merchant);
    expect((await agree(merchant, token, choice)).answer.body.result).toBe('success');
    await merchant.shopServer.waitFor(order.number, (all) => messagesOf(all).length >= 1);
    expect(tokensOf(merchant, order.number)).toEqual([]);
    expect(await agreedOf(florin, await idOf(merchant, order.number))).toEqual([]);
  }
});

test('the last choice counts: a tick with a declined card does not save the next one', async ({ as }) => {
  const shop = as('savedCards');
  const { token, order } = await createSessionToken(shop);
  const { mark } = await wordsOf(shop, token);
  const agreed = { mark, language: 'en', saves: true };
  await collect(shop, token, { ...typed.declined, agreed });
  expect((await processCard(shop, token)).body.result).toBe('decline');
  await collect(shop, token, { ...typed.settled, agreed: { ...agreed, saves: false } });
  expect((await processCard(shop, token)).body.result).toBe('success');
  await shop.shopServer.waitFor(order.number, (all) => messagesOf(all).length >= 2);
  expect(tokensOf(shop, order.number)).toEqual([]);
});

for (const [request, words] of [
  [{ req_token: true }, 'keep your card for later orders'],
  [{ recurring_init: true }, 'keep your card and charge it again later'],
] as const) {
  test(`the agreement of ${JSON.stringify(request)} is shown and recorded`, async ({ shop, florin }) => {
    const { token, order } = await createSessionToken(shop, request);
    const { text, boxes } = await wordsOf(shop, token);
    expect(text).toContain(words);
    expect(boxes).toEqual([]);
    expect((await agree(shop, token, {})).answer.body.result).toBe('success');
    expect(await agreedOf(florin, await idOf(shop, order.number))).toMatchObject([
      { title: 'Payer agreed by submitting the page', detail: text },
    ]);
  });
}

test('a plan that changes after it was read, or a missing consent, is not recorded and stores no card', async ({
  shop,
  cardShop,
}) => {
  const schedule_id = await schedule(cardShop, { interval_unit: 'month' });
  const { token } = await createSessionToken(shop, {
    recurring_init: true,
    schedule_id,
    recurring_consent_required: true,
  });
  const { mark, rows, boxes } = await wordsOf(shop, token);
  expect(rows).toHaveLength(4);
  expect(boxes.map(({ name }: { name: string }) => name)).toEqual(['consents']);
  const send = (choice: object) =>
    collect(shop, token, { ...typed.settled, agreed: { mark, language: 'en', ...choice } });
  expect((await send({ consents: false })).status).toBe(409);
  await cardShop.schedule('UPDATE_SCHEDULE', { schedule_id, payments_count: 24 });
  expect((await send({ consents: true })).status).toBe(409);
  expect((await processCard(shop, token)).body.errors[0].error_message).toContain('with_hosted_fields');
  expect((await agree(shop, token, { consents: true })).answer.body.result).toBe('success');
});

const noCard = { result: 'ERROR', errors: [{ error_message: 'with_hosted_fields: This value should not be blank.' }] };

for (const card of [typed.settled, { card_cvv: '123' }]) {
  const isSaved = !('card_number' in card);
  test(`a plan that changes after the submit is not paid, and is read again (saved card: ${isSaved})`, async ({
    shop,
    cardShop,
    provider,
  }) => {
    const schedule_id = await schedule(cardShop, { interval_unit: 'month' });
    const card_token = isSaved ? await cardTokenOf(shop) : undefined;
    const { token, order } = await createSessionToken(shop, { recurring_init: true, schedule_id, card_token });
    const submit = async () =>
      collect(shop, token, { ...card, agreed: { mark: (await wordsOf(shop, token)).mark, language: 'en' } });
    expect((await submit()).status).toBe(200);
    await cardShop.schedule('UPDATE_SCHEDULE', { schedule_id, payments_count: 99, interval_unit: 'day' });
    for (let call = 0; call < 2; call += 1) {
      const { status, body } = await processCard(shop, token);
      expect([status, body]).toMatchObject([400, noCard]);
    }
    expect(await provider.moved(order.number)).toEqual([]);
    expect((await submit()).status).toBe(200);
    expect((await processCard(shop, token)).body.result).toBe('success');
  });
}

test('a free agreement is not the one of a session that then costs something', async ({ as, provider }) => {
  const shop = as('zeroAmounts');
  const free = { amount: '0.00', description: 'Save a card' };
  const { token, order } = await createSessionToken(shop, { order: free, recurring_init: true });
  const { mark, text } = await wordsOf(shop, token);
  expect(text).toContain('You pay nothing now');
  const collected = await collect(shop, token, { ...typed.settled, agreed: { mark, language: 'en' } });
  expect(collected.status).toBe(200);
  const changed = { amount: '50.00' };
  const hash = signOrder({ ...order, ...changed }, shop.credentials);
  expect((await shop.update(token, { order: changed, hash })).status).toBe(200);
  expect((await processCard(shop, token)).body).toMatchObject(noCard);
  expect(await provider.moved(order.number)).toEqual([]);
});

test('after a decline too, a changed agreement is refused and not answered with the decline', async ({
  shop,
  cardShop,
}) => {
  const schedule_id = await schedule(cardShop, { interval_unit: 'month' });
  const { token } = await createSessionToken(shop, { recurring_init: true, schedule_id });
  const { mark } = await wordsOf(shop, token);
  const agreed = { mark, language: 'en' };
  await collect(shop, token, { ...typed.declined, agreed });
  expect((await processCard(shop, token)).body.result).toBe('decline');
  await collect(shop, token, { ...typed.settled, agreed });
  await cardShop.schedule('UPDATE_SCHEDULE', { schedule_id, payments_count: 99 });
  expect((await processCard(shop, token)).body).toMatchObject(noCard);
});

test('a page without the frame pays, whatever its session agrees to', async ({ shop, cardShop }) => {
  const schedule_id = await schedule(cardShop, { interval_unit: 'month' });
  const { token } = await createSessionToken(shop, { recurring_init: true, schedule_id });
  await collect(shop, token);
  await cardShop.schedule('UPDATE_SCHEDULE', { schedule_id, payments_count: 99 });
  expect((await processCard(shop, token)).body.result).toBe('success');
});

// The frame's tag, the box that saves the card, and the language of the record.
const tags = rowsOf(`
  pt         | Salvar este cartão para meu próximo pedido          | pt
  pt-PT      | Guardar este cartão para a minha próxima encomenda    | pt-PT
  pt_BR      | Salvar este cartão para meu próximo pedido          | pt-BR
  sp         | Guardar esta tarjeta para mi próximo pedido           | es
  es-MX      | Guardar esta tarjeta para mi próximo pedido           | es-MX
  tlh        | Save this card for my next order                      | en
`);

for (const [tag = '', words = '', recorded = ''] of tags) {
  test(`the agreement is shown and recorded in the words of ${tag}`, async ({ as, florin }) => {
    const shop = as('savedCards');
    const { token, order } = await createSessionToken(shop);
    const { mark, boxes } = await wordsOf(shop, token, tag);
    expect(boxes).toEqual([{ name: 'saves', text: words, error: null }]);
    await collect(shop, token, { ...typed.settled, agreed: { mark, language: tag, saves: true } });
    expect((await processCard(shop, token)).body.result).toBe('success');
    expect(await agreedOf(florin, await idOf(shop, order.number))).toMatchObject([
      { detail: words, facts: [{ name: 'Language', value: recorded }] },
    ]);
  });
}

test('a choice that the payer takes back before the first attempt is not recorded', async ({ as }) => {
  const shop = as('savedCards');
  const { token, order } = await createSessionToken(shop);
  const { mark } = await wordsOf(shop, token, 'en');
  for (const saves of [true, false])
    await collect(shop, token, { ...typed.settled, agreed: { mark, language: 'en', saves } });
  expect((await processCard(shop, token)).body.result).toBe('success');
  const recorded = 'select text, ticked from agreements where payment_id = $1';
  expect(await sql(recorded, [await idOf(shop, order.number)])).toEqual([{ text: '', ticked: false }]);
});

test('an agreement is recorded without a card, for a wallet: only the one that was read, with its consent', async ({
  shop,
  florin,
}) => {
  const { token, order } = await createSessionToken(shop, { recurring_init: true, recurring_consent_required: true });
  const { mark, text } = await wordsOf(shop, token);
  const send = async (agreed: unknown, headers: Record<string, string> = {}) =>
    (await shop.post('/fields/agreed', { agreed }, { 'sec-fetch-site': 'same-origin', token, ...headers })).status;
  const choice = { mark, language: 'en', consents: true };
  expect(await send(choice, { 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await send(choice, { token: 'x' })).toBe(401);
  expect(await send(undefined)).toBe(400);
  expect(await send({ ...choice, mark: 'token' })).toBe(409);
  expect(await send({ ...choice, consents: false })).toBe(409);
  const id = await idOf(shop, order.number);
  expect(await agreedOf(florin, id)).toEqual([]);
  expect([await send(choice), await send(choice)]).toEqual([200, 200]);
  expect(await agreedOf(florin, id)).toMatchObject([{ detail: expect.stringContaining(text) }]);
  expect((await processCard(shop, token)).body).toMatchObject(noCard);
});

test('before an attempt a choice replaces the one before; the record of an attempt stays as it is', async ({
  shop,
  florin,
}) => {
  const { token, order } = await createSessionToken(shop, { req_token: true });
  const { mark } = await wordsOf(shop, token);
  const choose = async (language: string) =>
    (await shop.post('/fields/agreed', { agreed: { mark, language } }, { 'sec-fetch-site': 'same-origin', token }))
      .status;
  const recorded = async () => agreedOf(florin, await idOf(shop, order.number));
  const languagesOf = (events: { facts: { value: string }[] }[]) => events.map(({ facts }) => facts[0]?.value);
  for (const language of ['en', 'de', 'en', 'fr']) expect(await choose(language)).toBe(200);
  expect(languagesOf(await recorded())).toEqual(['fr']);
  await collect(shop, token, { ...typed.declined, agreed: { mark, language: 'de' } });
  expect((await processCard(shop, token)).body.result).toBe('decline');
  const ofAttempt = await recorded();
  expect(languagesOf(ofAttempt)).toEqual(['de']);
  const many = Array.from({ length: 16 }, (_, index) => (index % 2 ? 'en' : 'it'));
  expect(new Set(await Promise.all(many.map(choose)))).toEqual(new Set([200]));
  expect(await choose('cs')).toBe(200);
  const all = await recorded();
  expect(languagesOf(all)).toEqual(['de', 'cs']);
  expect(all[0]).toEqual(ofAttempt[0]);
});

test('the page of a payment has the latest 200 records of a kind', async ({ shop, florin }) => {
  const { token, order } = await createSessionToken(shop, { req_token: true });
  await collect(shop, token, typed.declined);
  expect((await processCard(shop, token)).body.result).toBe('decline');
  const id = await idOf(shop, order.number);
  await sql(
    `insert into agreements (id, payment_id, text, language, ticked, created_at)
     select gen_random_uuid(), $1, 'Text ' || n, 'en', false, now() + n * interval '1 second' from generate_series(1, 250) n`,
    [id],
  );
  const copies = (table: string, more: string) =>
    sql(
      `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), ${more}))).*
         from ${table} t, generate_series(1, 250) n where payment_id = $1`,
      [id],
    );
  await copies('transactions', "'number', number + n, 'idempotency_key', null");
  // Without an address, so that no job delivers them.
  const unsent =
    "'state', 'undelivered', 'url', null, 'address', null, 'due_at', null, 'attempts', 0, 'delivered_at', null";
  await copies('callbacks', `'sequence', sequence + n, ${unsent}`);
  await sql(
    'update payments set version = version + 250, attempts = attempts + 250, declines = declines + 250 where id = $1',
    [id],
  );
  const { body } = await (await visitorAs(florin, 'manager')).get(`/payments/${id}`);
  const titles: string[] = body.events.map(({ title }: { title: string }) => title);
  for (const [title, count] of [
    ['Payer agreed', 200],
    ['Sale declined', 200],
    ['Callback', 200],
    ['Created → Declined', 0],
  ] as const)
    expect([title, titles.filter((each) => each.startsWith(title)).length]).toEqual([title, count]);
  const details = (await agreedOf(florin, id)).map(({ detail }: { detail: string }) => detail);
  expect([details[0], details.at(-1)]).toEqual(['Text 51', 'Text 250']);
});

test('only the frames of a session read its words', async ({ shop }) => {
  const { token } = await createSessionToken(shop);
  const send = async (headers: Record<string, string>, body: unknown = { language: 'en' }) =>
    (await shop.post('/fields/words', body, { 'sec-fetch-site': 'same-origin', token, ...headers })).status;
  expect(await send({})).toBe(200);
  expect(await send({}, { language: 7 })).toBe(200);
  expect(await send({}, 'null')).toBe(400);
  expect(await send({ token: 'x' })).toBe(401);
  expect(await send({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await send({ 'content-type': 'text/plain' })).toBe(403);
});
