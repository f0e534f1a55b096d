// What only tests may do with the sandbox provider: order faults, read its books, have the bank take money back. Open
// only to who sends TEST_CONTROL_TOKEN, and absent where none is set.
import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { now } from '../clock';
import { formatAmount, parseAmount } from '../core/money';
import { env } from '../env';
import type { Route } from '../route';
import { clearFaults, faultCalls, faultKinds, orderFault } from './faults';
import type { Operation } from './operation';
import { findByOrder } from './operations';
import { chargeBack } from './settle';
import { parseJson, refusal, say } from './wire';

/** The rows of the guarded addresses. */
export const providerControlRoutes: Route[] = [
  row('POST', '/sandbox/provider/faults', takeFaults),
  row('DELETE', '/sandbox/provider/faults', dropFaults),
  row('GET', '/sandbox/provider/journal', tellJournal),
  row('POST', '/sandbox/provider/chargebacks', takeChargeback),
];

function row(method: string, path: string, run: (request: Request) => Promise<Response>): Route {
  return {
    method,
    path,
    only: 'sandbox',
    run: (request) => (mayControl(request) ? run(request) : new Response(null, { status: 404 })),
  };
}

function mayControl(request: Request): boolean {
  if (env.testControlToken === null) return false;
  const wanted = Buffer.from(`Bearer ${env.testControlToken}`);
  const given = Buffer.from(request.headers.get('authorization') ?? '');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

const faultShape = z.object({
  fault: z.enum(faultKinds),
  calls: z.int().min(1).max(1000).default(1),
  order: z.string().min(1).max(255).nullable().default(null),
  call: z.enum(faultCalls).nullable().default(null),
  carried_out: z.boolean().default(false),
});

async function takeFaults(request: Request): Promise<Response> {
  const read = faultShape.safeParse(parseJson(await request.text()));
  if (!read.success) return refusal(400, 'invalid_request', z.prettifyError(read.error));
  const { fault, calls, order, call, carried_out } = read.data;
  await orderFault({ fault, calls, call, orderNumber: order, carriedOut: carried_out }, now());
  return say({ ordered: read.data });
}

async function dropFaults(request: Request): Promise<Response> {
  await clearFaults(new URL(request.url).searchParams.get('order'));
  return new Response(null, { status: 204 });
}

async function tellJournal(request: Request): Promise<Response> {
  const order = new URL(request.url).searchParams.get('order');
  if (!order) return refusal(400, 'invalid_request', 'Name the order');
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
    card: operation.cardMask,
    told: operation.scenario.told ?? {},
    calls: operation.calls,
    created_at: operation.createdAt.toISOString(),
  };
}

const chargebackShape = z.object({
  order: z.string().min(1),
  amount: z.string().optional(),
  reason_code: z.string().max(32).default('10.4'),
});

/** The bank takes a settled payment back, in whole or in part, and the gateway is notified of it. */
async function takeChargeback(request: Request): Promise<Response> {
  const read = chargebackShape.safeParse(parseJson(await request.text()));
  if (!read.success) return refusal(400, 'invalid_request', z.prettifyError(read.error));
  const found = await findByOrder(read.data.order);
  const taken = found.findLast((each) => each.kind === 'payment' && each.capturedAt !== null && each.voidedAt === null);
  if (!taken) return refusal(404, 'payment_not_found', 'The order has no settled payment');
  const text = read.data.amount ?? formatAmount(taken.capturedMinor, taken.currency);
  const amount = parseAmount(text, taken.currency);
  if (!amount.ok || amount.minor > taken.capturedMinor)
    return refusal(400, 'invalid_amount', 'The amount is not valid');
  const chargeback = await chargeBack(taken, amount.minor, read.data.reason_code, now());
  return chargeback ? say({ chargeback }) : refusal(409, 'operation_in_progress', 'The payment is changing; ask again');
}
