// Rows for sets: payments with attempts as the service is about to write them, and the outcomes of attempts.
import { createHash } from 'node:crypto';
import type { CardMerchant } from '../support/card-merchant.ts';
import { sql } from '../support/database-rows.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { expect } from '../support/test.ts';
import { serverSettings } from '../support/vault.ts';
import type { Outcome, Payment, PaymentInput, PaymentWithTransaction, Transition } from './service.ts';

type Service = typeof import('./service.ts');
export type Item = Parameters<Service['createPaymentsWithAttempts']>[0][number];
type Card = { number: string; expMonth: number; expYear: number; cvv: string; holder: string };

/** The service in this process; {@link startService} loads it. */
export let service: Service;

/** Loads the service with the settings of the server under test. */
export async function startService(): Promise<void> {
  Object.assign(process.env, serverSettings(), { LOG_LEVEL: 'error' });
  service = await import('./service.ts');
}

/** Approved by the sandbox provider. The fingerprint of a card covers its expiry: of another year it is another card. */
export const approvedCard: Card = {
  number: '4111111111111111',
  expMonth: 1,
  expYear: 2038,
  cvv: '123',
  holder: 'Ann Buyer',
};
/** Declined softly at the first account of `threeMids` and approved at the second. */
export const softCard: Card = { ...approvedCard, number: '4000000000001026' };

export async function callerOf(merchant: CardMerchant) {
  const caller = await service.findCaller(merchant.credentials.key, 's2s_card', new Date());
  const [mid] = caller?.mids ?? [];
  if (!caller?.mapping || !mid) throw new Error('the merchant has no S2S CARD mapping or no account');
  return { caller: { ...caller, mapping: caller.mapping }, mid };
}

export function inputOf(merchant: CardMerchant, orderNumber: string): PaymentInput {
  return {
    operation: 'purchase',
    orderNumber,
    orderAmount: '84.50',
    currency: 'USD',
    amountMinor: 8450n,
    description: 'A set of "two" rows, {with} marks \\ and \ud83d\ude00',
    authorizeOnly: false,
    recurringInit: false,
    requestToken: false,
    vatCalc: false,
    payer: { first_name: 'Ann', last_name: "O'Buyer", email: 'ann@example.com', ip: '192.0.2.7' },
    payee: {},
    parameters: {},
    customData: null,
    notificationUrl: merchant.shopServer.addressFor(orderNumber),
    channelId: null,
    scheduleId: null,
    scheduleStart: null,
    scheduleAmount: null,
    requestDigest: createHash('sha256').update(orderNumber).digest(),
  };
}

/** A payment with its first attempt, as the service is about to write them. */
export async function newItem(
  merchant: CardMerchant,
  { orderNumber = newOrderNumber(), card = approvedCard } = {},
): Promise<Item> {
  const { caller, mid } = await callerOf(merchant);
  const now = new Date();
  const input = inputOf(merchant, orderNumber);
  const payment = service.draftPayment(caller, input, service.newId(), now);
  const stored = await service.toStoredCard(card, caller.merchant.id);
  return { caller, input, intent: intentOf(payment, mid, now, stored), now };
}

export function intentOf(
  payment: Payment,
  mid: { id: string },
  now: Date,
  card?: Item['intent']['card'],
): Item['intent'] {
  const transaction = service.newTransaction(payment, mid as never, { kind: 'sale' }, now);
  const routingLog = [{ midId: mid.id, taken: true, why: 'priority' }];
  return { payment, transaction, event: null, exclusive: true, card, routingLog };
}

export function written<T>(results: (T | null)[]): T[] {
  return results.map((result) => {
    if (result === null) throw new Error('a row was not written');
    return result;
  });
}

export async function created(merchant: CardMerchant, count: number, card?: Card): Promise<PaymentWithTransaction[]> {
  const items = await Promise.all(Array.from({ length: count }, () => newItem(merchant, { card })));
  return written(await service.createPaymentsWithAttempts(items));
}

/** Sends the attempt to its account's provider. */
export async function send(both: PaymentWithTransaction, card = approvedCard): Promise<Outcome> {
  const mid = await service.findMid(both.transaction.midId);
  if (!mid) throw new Error('the account is gone');
  return service.callProvider(both, mid, { card });
}

export async function approved(both: PaymentWithTransaction, more: Partial<Transition> = {}) {
  const outcome = await send(both);
  expect(outcome.kind).toBe('approved');
  const { payment, transaction } = both;
  const transition: Transition = {
    payment,
    transaction,
    event: 'settle',
    status: 'success',
    report: { type: 'sale', outcome: 'success' },
    providerData: 'facts' in outcome ? outcome.facts : {},
    dueAt: null,
    settledMinor: transaction.amountMinor,
    callback: await service.newCallback(payment),
    ...more,
  };
  return { transition, now: new Date() };
}

/** The decline of an attempt that was never sent. */
export async function declined({ payment, transaction }: PaymentWithTransaction) {
  const transition: Transition = {
    payment,
    transaction,
    event: 'decline',
    status: 'fail',
    report: { type: 'sale', outcome: 'fail' },
    decline: { code: 'declined', reason: 'Declined by the issuer', class: 'bank', soft: false },
    dueAt: null,
    callback: await service.newCallback(payment),
  };
  return { transition, now: new Date() };
}

export const declineAll = async (all: PaymentWithTransaction[]) =>
  written(await service.commitTransitions(await Promise.all(all.map(declined))));

export const soldAs = ({ orderNumber, payer }: Payment) => ({ orderId: orderNumber, email: payer.email ?? '' });

/** Changes a payment as another process may have done since it was read. */
export const touch = ({ id }: Payment) =>
  sql('update payments set version = version + 1 where id = $1 returning version', [id]);

export async function attemptsOf({ id }: Payment): Promise<number> {
  const [{ n }] = await sql('select count(*) as n from transactions where payment_id = $1', [id]);
  return Number(n);
}
