// The steps of the money path over sets of several rows, called in this process on the database of the server under
// test: each row is answered by itself. The server makes sets of the requests that arrive together. The sandbox provider
// carries the attempts out, and the server delivers the callbacks.
import { createHash } from 'node:crypto';
import type { CardMerchant } from '../support/card-merchant.ts';
import { sql } from '../support/database-rows.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { expectS2sCallbacks } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';
import type { Payment, PaymentWithTransaction } from './service.ts';
import {
  approved,
  approvedCard,
  attemptsOf,
  callerOf,
  created,
  declineAll,
  declined,
  type Item,
  inputOf,
  intentOf,
  newItem,
  send,
  service,
  softCard,
  soldAs,
  startService,
  touch,
  written,
} from './sets.ts';

test.beforeAll(startService);
test.afterAll(() => service.closeDatabase());

test.describe('new payments with their attempts', () => {
  test('each is written and answered in order', async ({ cardShop }) => {
    const items = await Promise.all([1, 2, 3].map(() => newItem(cardShop)));
    const results = written(await service.createPaymentsWithAttempts(items));
    expect(results.map(({ payment }) => payment.id)).toEqual(items.map(({ intent }) => intent.payment.id));
    for (const [at, { payment, transaction }] of results.entries()) {
      const { input, intent } = items[at] as Item;
      expect(payment).toMatchObject({
        orderNumber: input.orderNumber,
        description: input.description,
        amountMinor: 8450n,
        payer: input.payer,
        attempts: 1,
        inFlightId: intent.transaction.id,
        card: { first6: '411111', last4: '1111', expYear: 2038 },
      });
      const read = await service.findPaymentWithTransaction(transaction.id);
      expect(read?.payment).toEqual(payment);
      expect(read?.transaction).toMatchObject({
        status: 'sent',
        amountMinor: 8450n,
        responseDueAt: transaction.responseDueAt,
      });
    }
    await declineAll(results);
  });

  test('two with one order number give one payment', async ({ cardShop }) => {
    const orderNumber = newOrderNumber();
    const items = [
      await newItem(cardShop),
      await newItem(cardShop, { orderNumber }),
      await newItem(cardShop, { orderNumber }),
    ];
    const results = await service.createPaymentsWithAttempts(items);
    expect(results[0]).not.toBeNull();
    expect(results.slice(1).filter((result) => result !== null)).toHaveLength(1);
    const [{ n }] = await sql('select count(*) as n from payments where order_number = $1', [orderNumber]);
    expect(Number(n)).toBe(1);
    await declineAll(written(results.filter((result) => result !== null)));
  });

  test('an order number that is taken does not stop the others', async ({ cardShop }) => {
    const [first] = written(await service.createPaymentsWithAttempts([await newItem(cardShop)]));
    const orderNumber = first?.payment.orderNumber;
    const items = [await newItem(cardShop), await newItem(cardShop, { orderNumber }), await newItem(cardShop)];
    const [one, repeat, other] = await service.createPaymentsWithAttempts(items);
    expect(repeat).toBeNull();
    await declineAll(written([first ?? null, one ?? null, other ?? null]));
  });

  test('two with the same new card store one card', async ({ cardShop }) => {
    const card = { ...approvedCard, expYear: 2041 };
    const items = [await newItem(cardShop, { card }), await newItem(cardShop, { card }), await newItem(cardShop)];
    const results = await service.createPaymentsWithAttempts(items);
    const all = written(results);
    const ids = new Set(all.slice(0, 2).map(({ payment }) => payment.card?.id));
    expect(ids.size).toBe(1);
    expect(all[0]?.payment.card).toMatchObject({ last4: card.number.slice(-4), holder: card.holder });
    expect(all[2]?.payment.card?.id).not.toBe(all[0]?.payment.card?.id);
    await declineAll(all);
  });
});

test.describe('attempts of existing payments', () => {
  async function payments(merchant: CardMerchant, count: number) {
    const { caller, mid } = await callerOf(merchant);
    const all = Array.from({ length: count }, () =>
      service.createPayment(caller, inputOf(merchant, newOrderNumber()), null, new Date()),
    );
    return { mid, all: (await Promise.all(all)).map(({ payment }) => payment) };
  }

  const intents = (all: Payment[], mid: { id: string }, card?: Item['intent']['card']) =>
    all.map((payment) => ({ intent: intentOf(payment, mid, new Date(), card), now: new Date() }));

  test('a stale version writes nothing of its row, and the others are written', async ({ cardShop }) => {
    const { all, mid } = await payments(cardShop, 3);
    const card = await service.toStoredCard(approvedCard, all[0]?.merchantId ?? '');
    await touch(all[1] as Payment);
    const [first, stale, third] = await service.insertAttempts(intents(all, mid, card));
    expect(stale).toBeNull();
    expect(await Promise.all(all.map(attemptsOf))).toEqual([1, 0, 1]);
    expect(await service.findPayment(all[1]?.id ?? '')).toMatchObject({ attempts: 0, inFlightId: null, card: null });
    expect(first?.payment).toMatchObject({ id: all[0]?.id, attempts: 1, version: 1, card: { last4: '1111' } });
    expect(third?.payment.card?.id).toBe(first?.payment.card?.id);
    await declineAll(written([first ?? null, third ?? null]));
  });

  test('of two rows for one payment one is written', async ({ cardShop }) => {
    const { all, mid } = await payments(cardShop, 2);
    const [payment, other] = all as [Payment, Payment];
    const results = await service.insertAttempts(intents([payment, payment, other], mid));
    expect(results.map((result) => result !== null)).toEqual([true, false, true]);
    expect(await Promise.all(all.map(attemptsOf))).toEqual([1, 1]);
    await declineAll(written([results[0] ?? null, results[2] ?? null]));
  });

  test('rows with the same new card store one card, and rows without one none', async ({ cardShop }) => {
    const { all, mid } = await payments(cardShop, 3);
    const card = { ...approvedCard, expYear: 2042 };
    const merchantId = all[0]?.merchantId ?? '';
    // Two requests store the card, each under an id of its own.
    const items = [
      ...intents(all.slice(0, 1), mid, await service.toStoredCard(card, merchantId)),
      ...intents(all.slice(1, 2), mid, await service.toStoredCard(card, merchantId)),
      ...intents(all.slice(2), mid),
    ];
    const results = written(await service.insertAttempts(items));
    expect(new Set(results.slice(0, 2).map(({ payment }) => payment.card?.id)).size).toBe(1);
    expect(results[0]?.payment.card?.last4).toBe(card.number.slice(-4));
    expect(results[2]?.payment.card).toBeNull();
    await declineAll(results);
  });
});

test.describe('transitions', () => {
  test('each outcome is committed, and its callback delivered', async ({ cardShop }) => {
    const [paid, refused, tokened] = (await created(cardShop, 3)) as [
      PaymentWithTransaction,
      PaymentWithTransaction,
      PaymentWithTransaction,
    ];
    const cardToken = createHash('sha256').update(service.newId()).digest('hex');
    const items = [await approved(paid), await declined(refused), await approved(tokened, { cardToken })];
    const results = written(await service.commitTransitions(items));
    expect(results.map(({ id, state }) => [id, state])).toEqual([
      [paid.payment.id, 'settled'],
      [refused.payment.id, 'declined'],
      [tokened.payment.id, 'settled'],
    ]);
    expect(results.map(({ settledMinor, declines, inFlightId }) => [settledMinor, declines, inFlightId])).toEqual([
      [8450n, 0, null],
      [0n, 1, null],
      [8450n, 0, null],
    ]);
    expect(results[0]?.cardToken).toBeNull();
    // The card may have a token of an earlier payment, which stays.
    const { merchantId, cardToken: issued } = results[2] as Payment;
    const found = await service.findToken(merchantId, issued ?? '', new Date());
    expect(found).toMatchObject({ card: { id: tokened.payment.card?.id } });
    const [first, second, third] = results as [Payment, Payment, Payment];
    await expectS2sCallbacks(cardShop, soldAs(first), ['SALE SUCCESS SETTLED']);
    await expectS2sCallbacks(cardShop, soldAs(second), ['SALE DECLINED DECLINED']);
    await expectS2sCallbacks(cardShop, soldAs(third), ['SALE SUCCESS SETTLED']);
  });

  test('a stale version or status in the middle writes nothing of its row', async ({ cardShop }) => {
    const all = await created(cardShop, 4);
    const [first, stale, final, last] = all as [
      PaymentWithTransaction,
      PaymentWithTransaction,
      PaymentWithTransaction,
      PaymentWithTransaction,
    ];
    const items = await Promise.all(all.map(declined));
    await touch(stale.payment);
    const [current] = await declineAll([final]);
    // The payment as it is now, with the transaction as it was before its outcome.
    const late = items[2] as (typeof items)[number];
    late.transition = { ...late.transition, payment: { ...final.payment, version: current?.version ?? 0 } };
    const results = await service.commitTransitions(items);
    expect(results.map((payment) => payment?.state ?? null)).toEqual(['declined', null, null, 'declined']);
    const untouched = await service.findPaymentWithTransaction(stale.transaction.id);
    expect(untouched).toMatchObject({
      payment: { state: 'prepare', declines: 0, version: stale.payment.version + 1, inFlightId: stale.transaction.id },
      transaction: { status: 'sent', declineCode: null },
    });
    expect((await service.findPayment(final.payment.id))?.declines).toBe(1);
    await expectS2sCallbacks(cardShop, soldAs(first.payment), ['SALE DECLINED DECLINED']);
    await expectS2sCallbacks(cardShop, soldAs(last.payment), ['SALE DECLINED DECLINED']);
    expect(cardShop.shopServer.arrived(stale.payment.orderNumber)).toEqual([]);
    if (untouched) await declineAll([untouched]);
    await expectS2sCallbacks(cardShop, soldAs(stale.payment), ['SALE DECLINED DECLINED']);
    await expectS2sCallbacks(cardShop, soldAs(final.payment), ['SALE DECLINED DECLINED']);
  });
});

test.describe('transitions of one payment or one card', () => {
  test('of two rows for one payment one is written, with one callback', async ({ cardShop }) => {
    const [both, other] = (await created(cardShop, 2)) as [PaymentWithTransaction, PaymentWithTransaction];
    const items = [await declined(both), await declined(both), await declined(other)];
    const results = await service.commitTransitions(items);
    expect(results.map((payment) => payment !== null)).toEqual([true, false, true]);
    expect(results[0]).toMatchObject({ declines: 1, version: both.payment.version + 1 });
    await expectS2sCallbacks(cardShop, soldAs(both.payment), ['SALE DECLINED DECLINED']);
    await expectS2sCallbacks(cardShop, soldAs(other.payment), ['SALE DECLINED DECLINED']);
  });

  test('two payments with one card get one token', async ({ cardShop }) => {
    const all = await created(cardShop, 2, { ...approvedCard, expYear: 2043 });
    const tokens = all.map(() => createHash('sha256').update(service.newId()).digest('hex'));
    const items = await Promise.all(all.map((both, at) => approved(both, { cardToken: tokens[at] })));
    const results = written(await service.commitTransitions(items));
    const issued = new Set(results.map(({ cardToken }) => cardToken));
    expect(issued.size).toBe(1);
    expect(tokens).toContain([...issued][0]);
    const rows = await sql('select token from card_tokens where card_id = $1', [all[0]?.payment.card?.id]);
    expect(rows).toEqual([{ token: [...issued][0] }]);
  });
});

test.describe('failovers', () => {
  test('each continues at the next account, and a stale one stays', async ({ cardAs }) => {
    const merchant = cardAs('threeMids');
    const { caller } = await callerOf(merchant);
    const next = caller.mids[1];
    if (!next) throw new Error('the merchant has one account');
    const all = await created(merchant, 3, softCard);
    const declines = await Promise.all(all.map((both) => send(both, softCard)));
    const items = all.map(({ payment, transaction: failed }, at) => {
      const outcome = declines[at];
      if (outcome?.kind !== 'declined') throw new Error('the first account has not declined');
      const now = new Date();
      const transaction = service.newTransaction(payment, next, { kind: 'sale', attemptId: failed.id }, now);
      const routingLog = [{ midId: next.id, taken: true, why: `after a soft decline: ${outcome.decline.reason}` }];
      return { failover: { payment, failed, decline: outcome.decline, next: transaction, routingLog }, now };
    });
    await touch((all[1] as PaymentWithTransaction).payment);
    const [first, stale, third] = await service.commitFailovers([...items, items[0] as (typeof items)[number]]);
    expect(stale).toBeNull();
    expect(await Promise.all(all.map(({ payment }) => attemptsOf(payment)))).toEqual([2, 1, 2]);
    for (const [moved, before] of [
      [first, all[0]],
      [third, all[2]],
    ] as const) {
      expect(moved?.payment).toMatchObject({ id: before?.payment.id, attempts: 1, inFlightId: moved?.transaction.id });
      expect(moved?.payment.routingLog).toHaveLength(2);
      const failed = await service.findTransaction(before?.transaction.id ?? '');
      expect(failed).toMatchObject({ status: 'fail', declineSoft: true, dueAt: null });
      const inserted = await service.findTransaction(moved?.transaction.id ?? '');
      expect(inserted).toMatchObject({ status: 'sent', midId: next.id, attemptId: before?.transaction.id });
    }
    const untouched = await service.findPaymentWithTransaction(all[1]?.transaction.id ?? '');
    expect(untouched?.transaction.status).toBe('sent');
    await declineAll(written([first ?? null, untouched ?? null, third ?? null]));
    for (const { payment } of all) await expectS2sCallbacks(merchant, soldAs(payment), ['SALE DECLINED DECLINED']);
  });
});

test.describe('marks of transactions', () => {
  test('each is guarded and answered by itself, and of two rows for one the first is written', async ({ cardShop }) => {
    const all = await created(cardShop, 3);
    const ids = all.map(({ transaction }) => transaction.id) as [string, string, string];
    const states = (columns: string) =>
      sql(`select ${columns} from transactions where id = any($1::uuid[]) order by array_position($1::uuid[], id)`, [
        ids,
      ]);
    await sql("update transactions set status = 'unknown' where id = any($1::uuid[]) and id <> $2 returning id", [
      ids,
      ids[1],
    ]);
    const dueAt = new Date(Date.now() + 600_000);
    const polls = [...ids, ids[0]].map((id) => ({ id, status: 'unknown', dueAt }));
    const polled = await service.reschedulePolls(polls);
    expect(polled.map((answer) => answer !== null)).toEqual([true, false, true, false]);
    const moved = await states(`due_at = '${dueAt.toISOString()}' as moved`);
    expect(moved.map((row) => row.moved)).toEqual([true, false, true]);

    await touch((all[2] as PaymentWithTransaction).payment);
    await sql("update transactions set status = 'unknown' where id = $1 returning id", [ids[1]]);
    const marks = [...all, all[0] as PaymentWithTransaction].map(({ payment, transaction }, at) => ({
      id: payment.id,
      version: payment.version,
      transactionId: transaction.id,
      at: new Date(),
      reason: `reason ${at}`,
    }));
    const marked = await service.setCancelling(marks);
    expect(marked.map((answer) => answer !== null)).toEqual([true, true, false, false]);
    expect((await states('cancel_reason')).map((row) => row.cancel_reason)).toEqual(['reason 0', 'reason 1', null]);

    // A request that is being cancelled, or whose response is not overdue, is not sent again.
    const rows = await sql('select id, version from payments where id = any($1)', [
      all.map(({ payment }) => payment.id),
    ]);
    const again = all.map(({ payment: { id }, transaction }) => ({
      ...{ id, version: rows.find((row) => row.id === id).version, transactionId: transaction.id },
      ...{ dueAt, timeoutMs: 1000, offsetMs: 0 },
    }));
    expect(await service.setResent(again)).toEqual([null, null, null]);
    const later = again.map((each) => ({ ...each, offsetMs: 600_000 }));
    const isDone = (answers: unknown[]) => answers.map((answer) => answer !== null);
    expect(isDone(await service.setResent(later))).toEqual([false, false, true]);
    // What was read before it was sent again is not committed.
    expect(isDone(await service.setResent(later.map((each) => ({ ...each, offsetMs: 1_200_000 }))))).toEqual([
      ...[false, false, false],
    ]);

    const rejections = ids.map((id, at) => ({ id, rejectedCancels: at, dueAt, keepReason: false }));
    const rejected = await service.countRejectedCancels(rejections);
    expect(rejected.map((answer) => answer !== null)).toEqual([true, false, false]);
    expect(await states('cancels, cancel_reason as reason')).toEqual([
      { cancels: 1, reason: null },
      { cancels: 0, reason: 'reason 1' },
      { cancels: 0, reason: null },
    ]);
    await declineAll(written(await Promise.all(ids.map((id) => service.findPaymentWithTransaction(id)))));
  });
});

test('an unresolved item that was opened again is not closed by an earlier look-up', async ({ cardShop }) => {
  const made = written(await service.createPaymentsWithAttempts([await newItem(cardShop)]));
  await declineAll(made);
  const both = (await service.findPaymentWithTransaction(made[0]?.transaction.id ?? '')) as PaymentWithTransaction;
  // The server's job looks at the item once, and leaves it to a user.
  const untilLookedAt = async () => {
    const rows = () => sql('select id, polls, due_at from unresolved where payment_id = $1', [both.payment.id]);
    await expect.poll(rows).toMatchObject([{ due_at: null }]);
    return (await rows())[0] as { id: string; polls: number };
  };
  const { amountMinor: minor, currency } = both.payment;
  const close = (id: string, polls: number | null, at: Date) => {
    const how = { by: 'florin', resolution: 'A test', reported: false, polls };
    return service.closeUnresolved(both, { id, amount: { minor, currency } }, how, at);
  };
  expect(await service.createUnresolved(both, 'overpaid', new Date())).toBe(true);
  const { id, polls } = await untilLookedAt();
  const reopens = new Date();
  expect(await close(id, polls, reopens)).toBe(true);
  expect(await service.createUnresolved(both, 'overpaid', new Date(), { reopens })).toBe(true);
  await untilLookedAt();
  expect(await close(id, polls, new Date())).toBe(false);
  expect(await close(id, null, new Date())).toBe(true);
});
