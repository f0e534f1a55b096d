// The order of checks of the form protocols, tested from outside: each table begins with every error at once and repairs
// one a line, so that the next check answers. The last cell is the answer before that repair.

import { randomUUID } from 'node:crypto';
import { apiError } from '../support/api-error.ts';
import { koraPayout } from '../support/apm-merchant.ts';
import { type CardMerchant, cardFields } from '../support/card-merchant.ts';
import { type Changes, newOrderNumber } from '../support/merchant.ts';
import { s2sProtocols } from '../support/s2s-protocols.ts';
import { signCard } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';
import { expectValidationOrder, keys } from '../support/validation-order.ts';

/** What differs between the protocols: the charges, a wrong subject of a charge and its repairs, and the modifications. */
const orders = {
  's2s-card': {
    charges: ['SALE', 'DEBIT', 'CARD2CARD'],
    wrong: { card_number: undefined, card_token: 'no-such-token', schedule_id: undefined } as Changes,
    repairs: `
      card_number    = <number>            | 400 205005 Card token is invalid or not found.
      hash           = <right>             | 400 100000 Hash is not valid
      callback_url   = <address>           | callback_url: This value is not a valid URL.
      order_id       = <free>              | 400 100000 order_id: Duplicate payment.`,
    /** Not-found answers follow the entity (interface.md, Errors, rule 1). */
    modifications: [
      ['CAPTURE', '101000 Transaction does not exist.', '400 208003'],
      ['VOID', '100000 Payment not found.', '200 SUCCESS'],
      ['CREDITVOID', '100000 Payment not found.', '200 ACCEPTED'],
      ['RETRY', '100000 Payment not found.', '400 204005'],
      ['GET_TRANS_STATUS', '101000 Transaction does not exist.', '200 SUCCESS'],
      ['GET_TRANS_DETAILS', '101000 Transaction does not exist.', '200 SUCCESS'],
    ],
    /** The hash is over the payment's card and payer, so that it is checked once the payment is found. */
    lookups: (missing: string) => `
      trans_id   = <stranger's>        | 400 ${missing}
      hash       = <right>             | 400 ${missing}
      hash       = wrong               | 400 ${missing}
      trans_id   = <own>               | 400 ${missing}`,
  },
  's2s-apm': {
    charges: ['SALE', 'DEBIT2VIRTUAL', 'DEBIT2VIRTUAL_CALC'],
    wrong: { brand: 'no-such-brand' } as Changes,
    repairs: `
      hash           = <right>             | 400 100000 Hash is not valid
      brand          = card                | 400 204010 Payment method not found.
      brand          = vcard               | 400 204004 Payment method not supported.
      callback_url   = <address>           | callback_url: This value is not a valid URL.
      order_id       = <free>              | 400 100000 order_id: Duplicate payment.
      hash           = <right>             | 400 100000 Hash is not valid`,
    modifications: [
      ['CAPTURE', '101000 Transaction does not exist.', '400 208003'],
      ['VOID', '100000 Payment not found.', '200 SUCCESS'],
      ['CREDITVOID', '100000 Payment not found.', '200 ACCEPTED'],
      ['GET_TRANS_STATUS', '101000 Transaction does not exist.', '200 SUCCESS'],
      ['DEBIT2VIRTUAL_COMPLETE', '101000 Transaction does not exist.', '200 SUCCESS'],
    ],
    lookups: (missing: string) => `
      hash       = <right>             | 400 100000 Hash is not valid
      trans_id   = <stranger's>        | 400 ${missing}
      hash       = <right>             | 400 100000 Hash is not valid
      trans_id   = <other protocol's>  | 400 ${missing}
      hash       = <right>             | 400 100000 Hash is not valid
      trans_id   = no-uuid             | 400 ${missing}
      hash       = <right>             | 400 100000 Hash is not valid
      trans_id   = <own>               | 400 ${missing}`,
  },
} as const;

for (const protocol of s2sProtocols) {
  const { charges, wrong, repairs, modifications, lookups } = orders[protocol.id];
  const key = protocol.merchants.plain;

  test.describe(protocol.name, () => {
    for (const action of charges) {
      test(`of ${action}`, async ({ s2sAs }) => {
        const shop = s2sAs(protocol);
        const existing = await shop.sell();
        const start = {
          ...shop.chargeBody(action),
          order_id: existing.orderId,
          action: action.toLowerCase(),
          client_key: keys['live key'],
          order_amount: '1e3',
          hash: 'wrong',
          callback_url: 'http://127.0.0.1:1/',
          order_currency: 'XXX',
          ...wrong,
        };
        await expectValidationOrder(
          shop,
          start,
          `
          action         = <action>            | 404 0 Route or parameters is not supported
          client_key     = <mapping off>       | 400 220002 Use merchant test key.
          client_key     = <distant allowlist> | 400 204002 Enabled merchant mappings or MIDs not found.
          client_key     = <${key}>            | 400 100000 Request from this ip is not allowed.
          order_amount   = "10.00"             | order_amount: This value is not valid.
          hash           = <right>             | 400 100000 Hash is not valid
          order_currency = EUR                 | 400 204012 Payment currency not found.
          ${repairs}
          end            |                       200 SUCCESS`,
          {
            ...keys,
            action,
            address: shop.shopServer.addressFor('x'),
            free: newOrderNumber(),
            number: cardFields.settled.card_number,
          },
          (body) => shop.signed(body).hash,
        );
      });
    }

    for (const [action, missing, end] of modifications) {
      test(`of ${action}`, async ({ s2sAs, cardShop }) => {
        const shop = s2sAs(protocol);
        const first = action === 'DEBIT2VIRTUAL_COMPLETE' ? 'DEBIT2VIRTUAL_CALC' : 'SALE';
        const own = await shop.sell({}, first);
        const stranger = await s2sAs(protocol, 'other').sell({}, first);
        const card = await cardShop.sell();
        await expectValidationOrder(
          shop,
          { action: action.toLowerCase(), client_key: keys['live key'], trans_id: '', hash: 'wrong' },
          `
          action     = <action>            | 404 0 Route or parameters is not supported
          client_key = <mapping off>       | 400 220002
          client_key = <distant allowlist> | 400 204002
          client_key = <${key}>            | 400 100000 Request from this ip is not allowed.
          trans_id   = <unknown>           | trans_id: This value should not be blank.
          ${lookups(missing)}
          hash       = <right>             | 400 100000 Hash is not valid
          end        |                       ${end}`,
          {
            ...keys,
            action,
            unknown: '0199a000-0000-7000-8000-000000000001',
            "stranger's": stranger.transId,
            "other protocol's": card.transId,
            own: own.transId,
          },
          (body: Changes) => shop.followBody(action, { ...own, transId: String(body.trans_id) }).hash,
        );
      });
    }

    test('unknown action names', async ({ s2sAs }) => {
      const shop = s2sAs(protocol);
      const unknown = apiError(0, 'Route or parameters is not supported');
      const body = shop.signed(shop.chargeBody('SALE'));
      const spelled = ['sale', 'Sale', 'get_trans_status', ' SALE', 'SALE ', 'toString', ''];
      for (const action of [...protocol.unknownActions, ...spelled, undefined, { 0: 'SALE' }]) {
        const answer = await shop.post({ ...body, action });
        expect([answer.status, answer.body], String(action)).toEqual([404, unknown]);
      }
    });
  });
}

test('of CREDIT2CARD', async ({ cardShop }) => {
  const existing = await cardShop.sell();
  const start = { ...cardShop.payoutBody({ order_id: existing.orderId }), action: 'Credit2Card', order_amount: '0' };
  await expectValidationOrder(
    cardShop,
    { ...start, client_key: keys['live key'], hash: 'wrong', order_currency: 'XXX' },
    `
    action         = CREDIT2CARD         | 404 0 Route or parameters is not supported
    client_key     = <mapping off>       | 400 220002 Use merchant test key.
    client_key     = <distant allowlist> | 400 204002
    client_key     = <plain>             | 400 100000 Request from this ip is not allowed.
    order_amount   = "10.00"             | 400 100000 amount: This value should be greater than 0.
    hash           = <right>             | 400 100000 Hash is not valid
    order_currency = EUR                 | 400 204012
    order_id       = <free>              | 400 100000 order_id: Duplicate payment.
    end            |                       200 SUCCESS`,
    { ...keys, free: newOrderNumber() },
    (body) => cardShop.payoutBody(body).hash,
  );
});

test('of CREDIT2VIRTUAL', async ({ apmShop }) => {
  const taken = await apmShop.sell();
  const start = { ...apmShop.creditBody({ ...koraPayout, order_id: taken.orderId }), action: 'Credit2Virtual' };
  await expectValidationOrder(
    apmShop,
    { ...start, client_key: keys['live key'], hash: 'wrong', order_amount: '1', callback_url: 'http://127.0.0.1:1/' },
    `
    action         = CREDIT2VIRTUAL      | 404 0 Route or parameters is not supported
    client_key     = <mapping off>       | 400 220002 Use merchant test key.
    client_key     = <distant allowlist> | 400 204002
    client_key     = <methods>           | 400 100000 Request from this ip is not allowed.
    order_amount   = "2000"              | order_amount: This value is not valid.
    hash           = <right>             | 400 100000 Hash is not valid
    action         = CREDIT2CRYPTO       | callback_url: This value is not a valid URL.
    action         = CREDIT2VIRTUAL      | 400 204004 Payment method not supported.
    callback_url   = <address>           | callback_url: This value is not a valid URL.
    order_id       = <free>              | 400 100000 order_id: Duplicate payment.
    hash           = <right>             | 400 100000 Hash is not valid
    end            |                       200 SUCCESS`,
    { ...keys, free: newOrderNumber(), address: apmShop.shopServer.addressFor('x') },
    (body) => apmShop.creditBody(body).hash,
  );
});

test('of GET_TRANS_STATUS_BY_ORDER', async ({ cardShop, cardAs }) => {
  const own = await cardShop.sell();
  const stranger = await cardAs('other').sell();
  const { email, card } = own;
  await expectValidationOrder(
    cardShop,
    { action: 'get_trans_status_by_order', client_key: keys['live key'], order_id: '', hash: 'wrong' },
    `
    action     = GET_TRANS_STATUS_BY_ORDER | 404 0 Route or parameters is not supported
    client_key = <mapping off>             | 400 220002
    client_key = <distant allowlist>       | 400 204002
    client_key = <plain>                   | 400 100000 Request from this ip is not allowed.
    order_id   = <unknown>                 | order_id: This value should not be blank.
    order_id   = <stranger's>              | 400 101000 Order does not exist.
    hash       = <right>                   | 400 101000 Order does not exist.
    hash       = wrong                     | 400 101000 Order does not exist.
    order_id   = <own>                     | 400 101000 Order does not exist.
    hash       = <right>                   | 400 100000 Hash is not valid
    end        |                             200 SUCCESS`,
    { ...keys, unknown: newOrderNumber(), "stranger's": stranger.orderId, own: own.orderId },
    ({ order_id }) => signCard(7, { orderId: String(order_id), email, card }, cardShop.credentials),
  );
  const { body } = await cardShop.byOrder(own);
  expect(body).toMatchObject({ status: 'SETTLED', order_id: own.orderId, trans_id: own.transId });
});

const chains = [
  ['RECURRING_SALE', 'SALE', 'DEBIT'],
  ['RECURRING_DEBIT', 'DEBIT', 'SALE'],
] as const;

for (const [action, first, other] of chains) {
  test(`of ${action}`, async ({ cardShop, cardAs }) => {
    const begin = (shop: CardMerchant, kind: string) => shop.sell({ recurring_init: 'Y' }, kind);
    const own = await begin(cardShop, first);
    const mixed = await begin(cardShop, other);
    const stranger = await begin(cardAs('other'), first);
    const start = {
      ...cardShop.secondaryBody(stranger, { order_id: own.orderId }, action.toLowerCase()),
      client_key: keys['live key'],
      order_amount: '-1',
      order_currency: 'XXX',
      callback_url: 'http://127.0.0.1:1/',
      hash: 'wrong',
    };
    const known = { ...keys, action, address: cardShop.shopServer.addressFor('x'), free: newOrderNumber() };
    await expectValidationOrder(
      cardShop,
      start,
      `
      action                   = <action>            | 404 0 Route or parameters is not supported
      client_key               = <mapping off>       | 400 220002
      client_key               = <distant allowlist> | 400 204002
      client_key               = <plain>             | 400 100000 Request from this ip is not allowed.
      order_amount             = "12.00"             | 400 100000 amount: This value should be greater than 0.
      recurring_first_trans_id = <first>             | 400 100000 Incorrect transaction
      recurring_token          = <token>             | 400 100000 Incorrect transaction
      hash                     = <right>             | 400 100000 Hash is not valid
      order_currency           = EUR                 | 400 204012 Payment currency not found.
      callback_url             = <address>           | callback_url: This value is not a valid URL.
      order_id                 = <free>              | 400 100000 order_id: Duplicate payment.
      end                      |                       200 SUCCESS`,
      { ...known, first: own.transId, token: own.answer.body.recurring_token },
      () => cardShop.secondaryBody(own, {}, action).hash,
    );
    // Series of the other action are not found.
    const { body } = await cardShop.again(mixed, {}, action);
    expect(body).toMatchObject({ error_code: 100000, error_message: 'Incorrect transaction' });
  });
}

test('of CREATE_SCHEDULE', async ({ cardShop }) => {
  const existing = randomUUID();
  const plan = { name: 'Plan', interval_length: '1', interval_unit: 'day', payments_count: '3' };
  await cardShop.schedule('CREATE_SCHEDULE', { ...plan, schedule_id: existing });
  await expectValidationOrder(
    cardShop,
    {
      ...plan,
      action: 'CREATE_schedule',
      client_key: keys['live key'],
      hash: 'wrong',
      delays: '3',
      schedule_id: 'no uuid',
      interval_unit: 'week',
    },
    `
    action        = CREATE_SCHEDULE     | 404 0 Route or parameters is not supported
    client_key    = <mapping off>       | 400 220002
    client_key    = <distant allowlist> | 400 204002
    client_key    = <plain>             | 400 100000 Request from this ip is not allowed.
    delays        = -                   | 400 100000 Parameter is deprecated.
    interval_unit = month               | interval_unit: The value you selected is not a valid choice.
    schedule_id   = <taken>             | 400 100000 This is not a valid UUID.
    hash          = <right>             | 400 100000 Hash is not valid
    schedule_id   = <free>              | schedule_id: This value is not valid.
    end           |                       200 SUCCESS`,
    { ...keys, taken: existing, free: randomUUID() },
    () => signCard(3, {}, cardShop.credentials),
  );
});

/** The other schedule actions: their additional fields, the initial error, and its answer. */
const scheduleActions: [action: string, more: Changes, repair: string, fault: string][] = [
  ['UPDATE_SCHEDULE', { payments_count: '0' }, 'payments_count = 5', 'payments_count: This value should be greater'],
  ['DELETE_SCHEDULE', {}, '', ''],
  ['PAUSE_SCHEDULE', {}, '', ''],
  ['RUN_SCHEDULE', {}, '', ''],
  ['SCHEDULE_INFO', {}, '', ''],
  ['DESCHEDULE', { recurring_token: '' }, 'recurring_token = none', 'recurring_token: This value should not be blank.'],
];

for (const [action, more, repair, firstError] of scheduleActions) {
  test(`of ${action}`, async ({ cardShop, cardAs }) => {
    const plan = { name: 'Plan', interval_length: '1', interval_unit: 'day', payments_count: '3' };
    const made = async (shop: CardMerchant) => (await shop.schedule('CREATE_SCHEDULE', plan)).body.schedule_id;
    const [own, stranger] = [await made(cardShop), await made(cardAs('other'))];
    const chain = await cardShop.sell({ recurring_init: 'Y', schedule_id: action === 'DESCHEDULE' ? own : undefined });
    const ownCheck = repair === '' ? '' : `${repair} | ${firstError}`;
    const runCheck = action === 'DESCHEDULE' ? 'recurring_token = <token> | 400 100000 Incorrect transaction' : '';
    await expectValidationOrder(
      cardShop,
      { action: action.toLowerCase(), client_key: keys['live key'], schedule_id: 'no uuid', hash: 'wrong', ...more },
      `
      action      = <action>            | 404 0 Route or parameters is not supported
      client_key  = <mapping off>       | 400 220002
      client_key  = <distant allowlist> | 400 204002
      client_key  = <plain>             | 400 100000 Request from this ip is not allowed.
      ${ownCheck}
      schedule_id = <unknown>           | 400 100000 This is not a valid UUID.
      hash        = <right>             | 400 100000 Hash is not valid
      schedule_id = <stranger's>        | 400 100000 Schedule not found
      hash        = <right>             | 400 100000 Hash is not valid
      schedule_id = <own>               | 400 100000 Schedule not found
      hash        = <right>             | 400 100000 Hash is not valid
      ${runCheck}
      end         |                       200 SUCCESS`,
      { ...keys, action, unknown: randomUUID(), "stranger's": stranger, own, token: chain.answer.body.recurring_token },
      ({ schedule_id }) => signCard(4, { scheduleId: String(schedule_id) }, cardShop.credentials),
    );
  });
}

test('only SCHEDULE_INFO may come as a GET', async ({ cardShop }) => {
  const sold = await cardShop.sell();
  for (const action of ['GET_TRANS_STATUS', 'CREDITVOID', 'SALE']) {
    const query = new URLSearchParams(cardShop.followBody(action, sold) as Record<string, string>);
    const response = await fetch(`${cardShop.baseUrl}/s2s/card/post?${query}`);
    expect([response.status, (await response.json()).error_code], action).toEqual([404, 0]);
  }
});
