// Test controls of the sandbox provider: faults, its journal, chargebacks and portal actions. They need
// TEST_CONTROL_TOKEN and are absent without it.
import { z } from 'zod';
import { formatAmount, type Money, parseAmount } from '../../core/money.ts';
import { now } from '../../db/clock.ts';
import { type HttpRequest, type HttpResult, httpResult, type Route } from '../../http/index.ts';
import { testControl } from '../routes.ts';
import { clearFaults, faultCalls, faultKinds, scheduleFault } from './injected-faults.ts';
import type { Operation } from './operation.ts';
import { findById, findByOrder, findLatestBy } from './operation-queries.ts';
import { actAtPortal, chargeBack, leftOf, portalActions, reverseChargeback } from './portal.ts';
import { minorIn, parseJson, reject, say } from './wire.ts';

const base = '/sandbox/provider';

export const providerControlRoutes: Route[] = [
  testControl('POST', `${base}/faults`, takeFaults),
  testControl('DELETE', `${base}/faults`, dropFaults),
  testControl('GET', `${base}/journal`, tellJournal),
  testControl('POST', `${base}/chargebacks`, takeChargeback),
  testControl('POST', `${base}/portal`, takePortal),
];

/** The body of a control; the rejection names what is wrong with it. */
async function read<Body>(request: HttpRequest, shape: z.ZodType<Body>): Promise<Body> {
  const { success, data, error } = shape.safeParse(parseJson(await request.text()));
  return success ? data : reject(400, 'invalid_request', z.prettifyError(error));
}

const money = { amount: z.string().max(20).optional(), currency: z.string().max(6).optional() };
const isMoney = ({ amount, currency }: { amount?: string; currency?: string }) =>
  amount === undefined ? currency === undefined : currency !== undefined && parseAmount(amount, currency).ok;
const moneyFault = { message: 'An amount needs its currency, and should be valid in it', path: ['amount'] };

const insteadShape = z
  .object({ status: z.enum(['approved', 'authorized', 'declined', 'processing']).optional(), ...money })
  .refine(isMoney, moneyFault);

const faultShape = z
  .object({
    fault: z.enum(faultKinds),
    calls: z.int().min(1).max(1000).default(1),
    order: z.string().min(1).max(255).nullable().default(null),
    call: z.enum(faultCalls).nullable().default(null),
    carried_out: z.boolean().default(false),
    seconds: z.int().min(1).max(90).nullable().default(null),
    answer: insteadShape.nullable().default(null),
  })
  .refine(({ fault, seconds }) => (fault === 'late') === (seconds !== null), { path: ['seconds'] })
  .refine(({ fault, answer }) => (fault === 'answer') === (answer !== null), { path: ['answer'] })
  .refine(({ fault, call }) => fits(fault, call), { message: 'The fault does not fit the call', path: ['call'] });

/** `late` and `answer` apply to one kind of request, `forget` to look-ups only. */
function fits(fault: (typeof faultKinds)[number], call: (typeof faultCalls)[number] | null): boolean {
  if (fault === 'forget') return call === 'status';
  const isOrder = call !== null && call !== 'status' && call !== 'proceed';
  return (fault !== 'late' && fault !== 'answer') || isOrder;
}

async function takeFaults(request: HttpRequest): Promise<HttpResult> {
  const ordered = await read(request, faultShape);
  const { fault, calls, order, call, carried_out, seconds, answer } = ordered;
  const carriedOut = carried_out && fault !== 'late' && fault !== 'answer';
  await scheduleFault({ fault, calls, call, orderNumber: order, carriedOut, seconds, answer }, now());
  return say({ ordered });
}

async function dropFaults(request: HttpRequest): Promise<HttpResult> {
  await clearFaults(new URL(request.url).searchParams.get('order'));
  return httpResult(null, { status: 204 });
}

async function tellJournal(request: HttpRequest): Promise<HttpResult> {
  const order = new URL(request.url).searchParams.get('order');
  if (!order) return reject(400, 'invalid_request', 'Name the order');
  const found = await findByOrder(order);
  return say({ operations: found.map((operation) => ({ ...entry(operation), original: operation.originalKey })) });
}

function entry(operation: Operation) {
  const { currency } = operation;
  return {
    reference: operation.key,
    account: operation.account,
    kind: operation.kind,
    operation: operation.operation,
    status: operation.status,
    amount: formatAmount(operation.amountMinor, currency),
    currency,
    captured: formatAmount(operation.capturedMinor, currency),
    refunded: formatAmount(operation.refundedMinor, currency),
    voided: operation.voidedAt !== null,
    decline: operation.decline,
    received: operation.facts.received,
    chargebacks: operation.facts.chargebacks ?? [],
    card: operation.cardMask,
    payer: operation.scenario.payer ?? {},
    calls: operation.calls,
    created_at: operation.createdAt.toISOString(),
  };
}

const chargebackShape = z
  .object({
    order: z.string().min(1),
    ...money,
    reason_code: z.string().max(32).default('10.4'),
    id: z.string().min(1).max(255).optional(),
    /** The id of a chargeback that the merchant wins. */
    won: z.string().min(1).max(255).optional(),
  })
  .refine(({ amount, currency }) => amount !== undefined || currency === undefined, moneyFault);

/** Creates a chargeback of all or part of a settled payment, or closes one as won; the gateway is notified. */
async function takeChargeback(request: HttpRequest): Promise<HttpResult> {
  const { order, amount: text, currency, reason_code: reasonCode, id, won } = await read(request, chargebackShape);
  const found = await findByOrder(order);
  const taken = found.findLast((each) => each.kind === 'payment' && each.capturedAt !== null && each.voidedAt === null);
  if (!taken) return reject(404, 'payment_not_found', 'The order has no settled payment');
  const amount = amountOf(text, currency ?? taken.currency, leftOf(taken));
  if (!won && (amount === null || amount.minor <= 0n)) return reject(400, 'invalid_amount', 'The amount is not valid');
  const chargeback = won
    ? await reverseChargeback(taken, won, now())
    : await chargeBack(taken, { amount: amount as Money, reasonCode, id }, now());
  return chargeback
    ? say({ chargeback })
    : reject(409, 'not_possible', 'No such chargeback, or the payment is changing');
}

/** An amount that may be wrong on purpose: too high, or in another currency. Null for none. */
function amountOf(text: string | undefined, currency: string, whole: bigint): Money | null {
  if (text === undefined) return { minor: whole, currency };
  const read = parseAmount(text, currency);
  return read.ok ? { minor: read.minor, currency } : null;
}

const portalShape = z.object({
  order: z.string().min(1),
  action: z.enum(portalActions),
  amount: z.string().max(20).optional(),
  /** The operation, or the order's latest payment or payout. */
  reference: z.string().min(1).max(255).optional(),
});

/** Performs a portal action; the gateway is notified. */
async function takePortal(request: HttpRequest): Promise<HttpResult> {
  const { order, action, amount: text, reference } = await read(request, portalShape);
  const found =
    reference === undefined
      ? await findLatestBy({ orderNumber: order })
      : (await findByOrder(order)).find(({ key }) => key === reference);
  if (!found) return reject(404, 'operation_not_found', 'The order has no such operation');
  const why = await actAtPortal(found, action, text === undefined ? null : minorIn(text, found.currency), now());
  if (why) return reject(409, why.code, why.reason);
  const after = await findById(found.id);
  return say({ operation: after && entry(after) });
}
