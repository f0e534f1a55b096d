// Unresolved items in the dashboard: the list with its filters, their merchants, the right to close them, and the
// effect of a user's decision on the payment and its callbacks.
import { randomUUID } from 'node:crypto';
import { type Visitor, visitorAs } from '../support/dashboard.ts';
import { type Body, type Changes, type Merchant, newOrderNumber } from '../support/merchant.ts';
import { cards } from '../support/payer.ts';
import { authorise, expectCallbacks, type Paid, pay, statusOf, untilStatus } from '../support/payment-flows.ts';
import type { Fault, Provider } from '../support/provider.ts';
import { describeDelivery, messagesOf } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';
import { createUser, merchantIds } from '../support/users.ts';

async function itemsOf(user: Visitor, query: string): Promise<Body[]> {
  const { status, body } = await user.get(`/unresolved?${query}`);
  expect(status, `${query} ${JSON.stringify(body)}`).toBe(200);
  return body.rows;
}

/** The only item of an order, once it exists and has the state `wanted`. */
async function itemOf(user: Visitor, { order }: Pick<Paid, 'order'>, wanted: object = {}): Promise<Body> {
  await expect.poll(() => itemsOf(user, `q=${order.number}`)).toMatchObject([wanted]);
  const [item] = await itemsOf(user, `q=${order.number}`);
  return item;
}

const close = (user: Visitor, { id }: Body, decision: string, note = 'Paid back by transfer') =>
  user.post(`/unresolved/${id}/close`, { decision, note });

const callbackTexts = (shop: Merchant, order: string) =>
  messagesOf(shop.shopServer.arrived(order)).map(describeDelivery);

/** A settled payment whose approval the provider withdraws. */
async function withdrawnApproval(shop: Merchant, provider: Provider): Promise<Paid> {
  const paid = await pay(shop);
  await provider.portal(paid.order.number, 'decline');
  return paid;
}

/** A declined payment that the provider approves later. */
async function approvedLate(shop: Merchant, provider: Provider, error?: Fault): Promise<Paid> {
  const paid = await pay(shop, cards.declined);
  if (error) await provider.fault(error, paid.order.number);
  await provider.portal(paid.order.number, 'approve');
  return paid;
}

/** A refund of the whole amount whose outcome is unknown: the provider reports another amount. */
async function undecidedRefund(shop: Merchant, provider: Provider, session: Changes = {}): Promise<Paid> {
  const paid = await pay(shop, cards.settled, session);
  await provider.fault(
    { fault: 'answer', call: 'refund', answer: { amount: '40.00', currency: 'EUR' } },
    paid.order.number,
  );
  const { status } = await shop.refund(paid.id);
  expect(status).toBe(200);
  return paid;
}

test('an item is found by order, state, kind, currency and day', async ({ florin, shop, provider }) => {
  const operator = await visitorAs(florin, 'operator');
  const paid = await withdrawnApproval(shop, provider);
  const item = await itemOf(operator, paid);
  expect(item).toMatchObject({
    kind: 'taken_back',
    reason: 'The provider declines an operation that it had approved',
    amount: '84.50',
    currency: 'EUR',
    orderNumber: paid.order.number,
    paymentId: paid.id,
    next: null,
    state: 'open',
    undecided: false,
    mayClose: true,
  });
  const finds = rowsOf(`
    state=open          | yes
    state=closed        | no
    kind=taken_back     | yes
    kind=late_success   | no
    currency=EUR        | yes
    currency=USD        | no
    from=2020-01-01     | yes
    to=2020-01-01       | no
  `);
  for (const [query, wanted] of finds) {
    const matching = await itemsOf(operator, `q=${paid.order.number}&${query}`);
    expect(matching.length === 1 ? 'yes' : 'no', query).toBe(wanted);
  }
  // The payment's page and the overview link to it.
  const { unresolved, events } = (await operator.get(`/payments/${paid.id}`)).body;
  expect(unresolved).toEqual([
    'The provider declines an operation that it had approved: 84.50 EUR. It needs a decision.',
  ]);
  const opened = events.find(({ title }: { title: string }) => title.startsWith('Unresolved'));
  expect(opened).toMatchObject({ tag: { text: 'needs a decision', tone: 'bad' } });
  expect((await operator.get('/overview')).body.attention.map(({ kind }: { kind: string }) => kind)).toContain(
    'unresolved',
  );
});

test('another merchant can neither see nor close an item', async ({ florin, shop, provider }) => {
  const paid = await withdrawnApproval(shop, provider);
  const item = await itemOf(await visitorAs(florin, 'operator'), paid);
  const { visitor: outsider } = await createUser(florin, 'operator', merchantIds.other);
  for (const user of [outsider, await visitorAs(florin, 'merchant')]) {
    expect(await itemsOf(user, `q=${paid.order.number}`)).toEqual([]);
    expect((await close(user, item, 'closed')).status).toBe(404);
  }
  expect(await itemOf(await visitorAs(florin, 'manager'), paid, { state: 'open' })).toMatchObject({ id: item.id });
});

test('a viewer sees an item and may not close it', async ({ florin, shop, provider }) => {
  const viewer = await visitorAs(florin, 'viewer');
  const item = await itemOf(viewer, await withdrawnApproval(shop, provider), { state: 'open', mayClose: false });
  expect((await close(viewer, item, 'closed')).status).toBe(403);
});

test('an item is closed once, with a note', async ({ florin, shop, provider }) => {
  const [operator, manager] = [await visitorAs(florin, 'operator'), await visitorAs(florin, 'manager')];
  const paid = await withdrawnApproval(shop, provider);
  const item = await itemOf(operator, paid);
  const wrong = rowsOf(`
    closed   |           | note
    closed   | ok        | note
    perhaps  | Paid back | decision
  `);
  for (const [decision = '', note = '', field] of wrong) {
    const { status, body } = await close(operator, item, decision, note);
    expect([status, Object.keys(body.error.fields ?? {})], `${decision} ${note}`).toEqual([400, [field]]);
  }
  const note = `Paid back by transfer ${randomUUID()}`;
  // The payment has an outcome, so there is nothing to decide.
  const rejected = await close(operator, item, 'declined', note);
  expect([rejected.status, rejected.body.error.message]).toEqual([
    409,
    'The operation was changed by someone else. Reload the list.',
  ]);
  expect((await close(operator, item, 'closed', note)).body).toEqual({ closed: true });
  const again = await close(operator, item, 'closed', note);
  expect([again.status, again.body.error.message]).toEqual([409, 'This item is closed already.']);
  const closed = { state: 'closed', resolution: note, closedBy: 'Otto Operator', next: null, mayClose: false };
  expect(await itemOf(operator, paid)).toMatchObject(closed);
  expect((await itemsOf(operator, `q=${paid.order.number}&state=open`)).length).toBe(0);
  const { events, unresolved } = (await operator.get(`/payments/${paid.id}`)).body;
  expect(unresolved).toEqual([]);
  const actions = events.filter(({ kind }: { kind: string }) => kind === 'dashboard');
  expect(actions.map(({ title, detail, who }: Body) => [title, detail, who])).toEqual([
    ['Unresolved item closed as declined', `“${note}”`, 'Otto Operator'],
    ['Unresolved item closed as declined (refused)', rejected.body.error.message, 'Otto Operator'],
    ['Unresolved item closed', `“${note}”`, 'Otto Operator'],
  ]);
  const audited = JSON.stringify((await manager.get(`/audit-log?subject=payment:${paid.id}`)).body);
  expect(audited).toContain(note);
  expect(audited).toContain('unresolved.close');
  expect((await statusOf(shop, paid.id)).status).toBe('settled');
});

test('a voided late approval is reported to the merchant and closed by Florin', async ({ florin, shop, provider }) => {
  const operator = await visitorAs(florin, 'operator');
  const paid = await approvedLate(shop, provider);
  const closed = { kind: 'late_success', state: 'closed', closedBy: 'Florin', resolution: 'Voided at the provider' };
  await itemOf(operator, paid, closed);
  const wanted = ['fail sale decline', 'undefined sale decline', 'fail sale decline'];
  const [, , last] = await expectCallbacks(shop, paid.order, wanted);
  expect(last?.fields.reason).toBe('Voided at the provider');
  const { events, unresolved } = (await operator.get(`/payments/${paid.id}`)).body;
  expect(unresolved).toEqual([]);
  const titles = events.map(({ title }: { title: string }) => title);
  expect(titles).toEqual(
    expect.arrayContaining([
      'Unresolved: The provider approved the operation after it was reported as declined',
      'Unresolved item closed',
    ]),
  );
});

test('a late authorisation is voided also where the MID refunds late approvals', async ({ florin, as, provider }) => {
  const manager = await visitorAs(florin, 'manager');
  const paid = await authorise(as('lateApprovalsRefunded'), cards.declined);
  await provider.portal(paid.order.number, 'approve');
  await itemOf(manager, paid, { kind: 'late_success', state: 'closed', resolution: 'Voided at the provider' });
});

test('a late approval waits for a user if the MID requires it', async ({ florin, as, provider }) => {
  const manager = await visitorAs(florin, 'manager');
  const shop = as('lateApprovals');
  const paid = await approvedLate(shop, provider);
  const item = await itemOf(manager, paid, { kind: 'late_success', next: null, state: 'open', mayClose: true });
  await expectCallbacks(shop, paid.order, ['fail sale decline', 'undefined sale decline']);
  expect((await close(manager, item, 'closed')).status).toBe(200);
  // Closing sends no callback and moves no money.
  expect(await provider.moved(paid.order.number)).toEqual(['sale 84.50']);
  expect((await statusOf(shop, paid.id)).status).toBe('decline');
});

for (const [decision, state, callback] of [
  ['approved', 'settled', 'success sale settled'],
  ['declined', 'decline', 'fail sale decline'],
] as const) {
  test(`a user marks a sale without an outcome as ${decision}`, async ({ florin, as, provider }) => {
    const manager = await visitorAs(florin, 'manager');
    const shop = as('lateApprovals');
    const number = newOrderNumber();
    await provider.fault({ fault: 'answer', call: 'payment', answer: { amount: '80.00', currency: 'EUR' } }, number);
    const paid = await pay(shop, cards.settled, { order: { number } });
    const item = await itemOf(manager, paid, {
      kind: 'amount_mismatch',
      amount: '80.00',
      requested: '84.50 EUR',
      undecided: true,
    });
    expect((await close(manager, item, 'closed')).status).toBe(409);
    expect((await close(manager, item, decision)).body).toEqual({ closed: true });
    await untilStatus(shop, paid.id, state);
    await expect.poll(() => callbackTexts(shop, number)).toContain(callback);
    expect((await close(manager, item, decision)).status).toBe(409);
  });
}

test('a user marks an authorisation without an outcome as approved: it can be captured', async ({
  florin,
  as,
  provider,
}) => {
  const manager = await visitorAs(florin, 'manager');
  const shop = as('lateApprovals');
  const number = newOrderNumber();
  await provider.fault({ fault: 'answer', call: 'payment', answer: { amount: '80.00', currency: 'EUR' } }, number);
  const paid = await pay(shop, cards.settled, { order: { number }, auth: true });
  const item = await itemOf(manager, paid, { kind: 'amount_mismatch', undecided: true });
  expect((await close(manager, item, 'approved')).body).toEqual({ closed: true });
  await untilStatus(shop, paid.id, 'pending');
  await expect.poll(() => callbackTexts(shop, number)).toContain('success sale pending');
  // The provider holds less than the order.
  expect((await shop.capture(paid.id, '80.00')).status).toBe(200);
  await untilStatus(shop, paid.id, 'settled');
  expect(await provider.moved(number)).toContain('capture 80.00');
});

for (const [decision, state, callback] of [
  ['approved', 'refund', 'success refund refund'],
  ['declined', 'settled', 'fail refund settled'],
] as const) {
  test(`a user marks a refund without an outcome as ${decision}`, async ({ florin, shop, provider }) => {
    const operator = await visitorAs(florin, 'operator');
    const paid = await undecidedRefund(shop, provider);
    const item = await itemOf(operator, paid, { kind: 'amount_mismatch', amount: '40.00', undecided: true });
    expect((await close(operator, item, decision)).body).toEqual({ closed: true });
    await untilStatus(shop, paid.id, state);
    await expect.poll(() => callbackTexts(shop, paid.order.number)).toContain(callback);
  });
}

test('a debit of which the provider returns less is not recorded as reversed', async ({ florin, shop, provider }) => {
  const operator = await visitorAs(florin, 'operator');
  const paid = await undecidedRefund(shop, provider, { operation: 'debit' });
  const item = await itemOf(operator, paid, { kind: 'amount_mismatch', amount: '40.00', undecided: true });
  expect((await statusOf(shop, paid.id)).status).toBe('settled');
  expect((await close(operator, item, 'declined')).body).toEqual({ closed: true });
  await expect.poll(() => callbackTexts(shop, paid.order.number)).toContain('fail reversal settled');
});

test('an item that Florin is still processing cannot be closed', async ({ florin, shop, provider }) => {
  const operator = await visitorAs(florin, 'operator');
  const unanswered: Fault = { fault: 'error', call: 'void', calls: 20 };
  const paid = await approvedLate(shop, provider, unanswered);
  const item = await itemOf(operator, paid, { kind: 'late_success', next: 'Florin will void it', mayClose: false });
  const { status, body } = await close(operator, item, 'closed');
  expect([status, body.error.message]).toEqual([409, 'Florin is still working on this item.']);
  expect((await itemOf(operator, paid)).state).toBe('open');
});

test('an item that does not exist is not found', async ({ florin }) => {
  const operator = await visitorAs(florin, 'operator');
  for (const id of [randomUUID(), 'x', "'", '%00']) {
    expect((await close(operator, { id }, 'closed')).status, id).toBe(404);
  }
});
