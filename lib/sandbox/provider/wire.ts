// The provider's side of the open provider contract: what it accepts and how it answers (docs/providers/contract.md).
// Written apart from the connector on purpose, so that one proves the other.
import { z } from 'zod';
import { exponentOf } from '../../core/currencies.ts';
import { formatAmount, parseAmount } from '../../core/money.ts';
import { type HttpRequest, type HttpResult, jsonResult } from '../../http/index.ts';
import { refuse } from '../routes.ts';
import type { Operation } from './operation.ts';
import { declineOf } from './operation.ts';

const bodyBytesMax = 256 * 1024;

const line = z.string().min(1).max(255);
const card = z.object({
  number: z.string().regex(/^\d{12,19}$/),
  exp_month: z.string().regex(/^(0[1-9]|1[0-2])$/),
  exp_year: z.string().regex(/^\d{4}$/),
});
const wallet = z.object({
  type: z.enum(['applepay', 'googlepay']),
  pan_type: z.enum(['dpan', 'fpan']),
  cryptogram: line.optional(),
  eci: z.string().max(8).optional(),
});
const address = z.url({ protocol: /^https?$/ }).max(2048);
const texts = z.record(z.string(), z.unknown());

export const payoutShape = z.object({
  reference: line,
  method: line,
  amount: z.string().max(20),
  currency: z.string().min(3).max(6),
  order: z.object({ number: line, description: z.string().max(1024) }),
  payee_card: card.partial({ exp_month: true, exp_year: true }).optional(),
  recurring: z.enum(['first', 'next']).optional(),
  three_ds: z.enum(['own', 'none']).optional(),
  mpi: texts.optional(),
  payer: texts.optional(),
  parameters: texts.optional(),
  credentials: texts.optional(),
  descriptor: z.string().max(255).optional(),
  return_url: address.optional(),
  notify_url: address.optional(),
});

export const paymentShape = payoutShape.extend({
  operation: z.enum(['sale', 'authorize', 'debit', 'transfer']),
  card: card.optional(),
  wallet: wallet.optional(),
  browser: texts.optional(),
  // A payment that may redirect the payer needs a return address.
  return_url: address,
});

export const followShape = z.object({
  reference: line,
  amount: z.string().max(20).optional(),
  currency: z.string().min(3).max(6).optional(),
});

export const proceedShape = z.union([
  z.object({ reference: line, code: z.string().trim().min(1).max(32) }),
  z.object({ reference: line, renew: z.literal(true) }),
]);

export type Proceed = z.infer<typeof proceedShape>;

/** An order with its amount in minor units; null if it names none, which is the full amount. */
type Read<Order> = Order & { minor: Order extends { amount: string } ? bigint : bigint | null };
export type PaymentRequest = Read<z.infer<typeof paymentShape>>;
export type PayoutRequest = Read<z.infer<typeof payoutShape>>;
export type OrderRequest = PaymentRequest | PayoutRequest;

/** A rejection in the contract's format. `code` is for programs, `message` for people. */
export function refusal(status: number, code: string, message: string): HttpResult {
  return jsonResult({ error: { code, message } }, { status, headers: { 'cache-control': 'no-store' } });
}

/** Rejects a request in the contract's format. */
export function reject(status: number, code: string, message: string): never {
  return refuse(refusal(status, code, message));
}

/** The body of a request by a schema. The rejection names fields without their values, which may include a card. */
export function parse<Body>(shape: z.ZodType<Body>, body: unknown): Body {
  const { success, data, error } = shape.safeParse(body);
  if (success) return data;
  const paths = error.issues.map((issue) => issue.path.join('.') || 'the body');
  return reject(400, 'invalid_request', `Not valid: ${[...new Set(paths)].join(', ')}`);
}

/** The minor units of an amount in a request. */
export function minorIn(amount: string, currency: string): bigint {
  const parsed = parseAmount(amount, currency);
  return parsed.ok ? parsed.minor : reject(400, 'invalid_amount', `The amount is not valid: ${parsed.fault}`);
}

/** Parses the body of an order. */
export function parseOrder<Order extends { reference: string; amount?: string; currency?: string }>(
  shape: z.ZodType<Order>,
  body: unknown,
): Read<Order> {
  const order = parse(shape, body);
  const { amount, currency } = order;
  const minor = amount === undefined || currency === undefined ? null : minorIn(amount, currency);
  return { ...order, minor } as Read<Order>;
}

/** The part of an operation that answers need. */
export type Answered = Partial<Operation> &
  Pick<Operation, 'id' | 'key' | 'kind' | 'status' | 'decline' | 'facts' | 'amountMinor' | 'currency'>;

const voided = declineOf('voided', 'The payment was voided');

/** Writes an operation's current state; `baseUrl` is that of the bank's and the wallet's pages. */
export function writeAnswer(operation: Answered, baseUrl: string) {
  const { id, key, facts } = operation;
  // A voided payment holds no money, whatever its state before.
  const isVoided = operation.kind === 'payment' && operation.voidedAt != null;
  const status = isVoided ? 'declined' : operation.status;
  const { code, reason: message, class: group, soft } = operation.decline ?? voided;
  // Presentation and received amount are omitted once the payer is done; the days of settlement reports are in no answer.
  const { present, received, completed_at: _, won_on: __, ...lasting } = facts;
  const challenge = { url: `${baseUrl}/sandbox/acs/${id}`, method: 'POST', params: { creq: writeChallenge(id) } };
  const redirect = { url: `${baseUrl}/sandbox/redirect/${id}`, method: 'GET', params: {} };
  return {
    reference: key,
    provider_reference: id,
    status,
    ...movedBy(operation),
    ...lasting,
    ...(status === 'processing' && present && { present }),
    ...(status === 'processing' && received && { received }),
    ...(status === 'declined' && (isVoided || operation.decline) && { decline: { code, message, class: group, soft } }),
    ...(status === 'challenge' && { action: challenge }),
    ...(status === 'redirect' && { action: redirect }),
  };
}

// A void covers the whole payment and has no amount; neither has a key blocked by a void.
function movedBy({ kind, amountMinor, currency }: Answered): { amount?: string; currency?: string } {
  if (kind === 'void' || exponentOf(currency) === null) return {};
  return { amount: formatAmount(amountMinor, currency), currency };
}

/** The `creq` of 3-D Secure as the challenge's form carries it, in base64url JSON. */
export function writeChallenge(id: string): string {
  const request = { messageType: 'CReq', messageVersion: '2.2.0', threeDSServerTransID: id };
  return Buffer.from(JSON.stringify(request)).toString('base64url');
}

/** An amount for display: `EUR 84.50`. */
export function amountText(operation: Pick<Operation, 'amountMinor' | 'currency'>): string {
  return `${operation.currency} ${formatAmount(operation.amountMinor, operation.currency)}`;
}

/** Reads the body of an order and checks that its idempotency key equals its reference. */
export async function readOrder<Order extends { reference: string; amount?: string; currency?: string }>(
  request: HttpRequest,
  shape: z.ZodType<Order>,
): Promise<Read<Order>> {
  const text = await request.text();
  if (text.length > bodyBytesMax) reject(413, 'too_large', 'The body is too large');
  const order = parseOrder(shape, parseJson(text));
  if (request.headers.get('idempotency-key') === order.reference) return order;
  return reject(400, 'idempotency_key', 'The Idempotency-Key header should be the reference');
}

/** Maximum clock skew of the sender that the contract allows. */
const toleranceSeconds = 5;

const deadlineShape = z.iso.datetime().nullable();

/** The deadline of a request; null for none. */
export function deadlineOf(request: HttpRequest): Date | null {
  const { success, data } = deadlineShape.safeParse(request.headers.get('florin-deadline'));
  if (!success) reject(400, 'invalid_request', 'Not valid: the Florin-Deadline header');
  return data ? new Date(data) : null;
}

/** Whether an order arrives after its deadline, when its sender has given up on it. */
export function isLate(deadline: Date | null, at: Date): boolean {
  return deadline !== null && at.getTime() > deadline.getTime() + toleranceSeconds * 1000;
}

/** Rejects a late order. */
export const rejectLate = () =>
  reject(408, 'deadline_passed', 'The order arrived after its deadline; nothing was done');

/** A text as JSON; undefined if invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON response. */
export function say(answer: object): HttpResult {
  return jsonResult(answer, { headers: { 'cache-control': 'no-store' } });
}
