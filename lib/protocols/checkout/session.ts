// Creates sessions from requests that have passed the pipeline. Checks that need the clock, the database or the network
// run here, after the signature check, so that unauthenticated requests do not reach them.
import { checkoutBaseUrl } from '../../config/index.ts';
import { throwApiError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { PartyDetails } from '../../core/payment.ts';
import type { SignatureValues } from '../../core/signatures.ts';
import { createSession, type SessionInput } from '../../payments/index.ts';
import { decryptableWallets, requireCardParameters, walletKinds } from '../../routing/index.ts';
import { type ActionContext, action, type KnownCaller } from '../pipeline/handle.ts';
import { digestOf, minorOf, withoutUndefined } from '../shared/fields.ts';
import {
  checkReachable,
  checkReturnUrls,
  checkSchedule,
  type EligibleAccounts,
  eligibleAccounts,
  getCardToken,
} from '../shared/request-checks.ts';
import { isPayout, payeeOf } from '../shared/wire-fields.ts';
import { methodParametersOf, supportsOrder, withinAmounts } from './methods.ts';
import {
  type SessionRequest,
  type SessionUpdate,
  sessionMinutes,
  sessionSchema,
  tokenSchema,
} from './session-fields.ts';

/** The signed texts of an order. */
export function orderValues(order: { number: string; amount: string; currency: string; description: string }) {
  const { number: orderId, amount, currency, description } = order;
  return { orderId, amount, currency, description } satisfies Omit<SignatureValues, 'password'>;
}

const signature = (input: SessionRequest) =>
  ({ recipe: 'session', values: orderValues(input.order), hash: input.hash }) as const;

/** POST /api/v1/session. */
export const createPageSession = action<SessionRequest>({
  schema: sessionSchema,
  signature,
  paysOut: ({ operation }) => isPayout(operation),
  run: async (accepted) => linkResponse(await createSessionFor(accepted, false)),
});

/** POST /api/v1/session/token. Without customer.ip, the client IP is the payer's (interface.md, Resources). */
export const createFieldsSession = action<SessionRequest>({
  schema: tokenSchema,
  signature,
  run: async (accepted) => ({ token: await createSessionFor(accepted, true) }),
});

/** The response for a session with a payment page. */
export function linkResponse(token: string): { redirect_url: string; redirect_method: 'GET' } {
  return { redirect_url: `${checkoutBaseUrl()}/pay/${token}`, redirect_method: 'GET' };
}

// What each of the two pages can carry out. A payout or a transfer asks for a payee's card, which the hosted fields in a
// merchant's page never do.
const payableOperations: Readonly<Record<'page' | 'fields', readonly string[]>> = {
  page: ['purchase', 'debit', 'credit', 'transfer'],
  fields: ['purchase', 'debit'],
};

/**
 * The checks after those of the pipeline, in this order: schemes of return addresses, merchant accounts, operation, currency,
 * Payment Mode, zero amount, methods and turnover limits (shared/eligibility.ts); the methods' own limits and parameters, and
 * the sets that accounts demand; card tokens; the schedule and its start; whether notification_url can be reached; the order
 * number (repeat, duplicate, reuse).
 */
async function createSessionFor(
  accepted: ActionContext<SessionRequest, undefined>,
  hostedFields: boolean,
): Promise<string> {
  const { caller, input, now, clientIp } = accepted;
  if (!payableOperations[hostedFields ? 'fields' : 'page'].includes(input.operation))
    throwApiError('actionNotSupported');
  checkReturnUrls(caller, returnUrlsOf(input));
  const { operation, recurring_init: recurringInit } = input;
  const { currency, description } = input.order;
  const amountMinor = minorOf(input.order.amount, currency);
  const order = { operation, authorizeOnly: input.auth, recurringInit, currency };
  const requested = hostedFields ? fieldsMethods(input.methods) : (input.methods ?? []);
  const eligible = await eligibleAccounts(caller, now, {
    ...order,
    amountMinor,
    request: orderInput(input.order, amountMinor),
    methods: requested,
    supports: supportsOrder(order, recurringInit ? await decryptableWallets(caller, requested) : []),
    amountPath: 'order.amount',
  });
  const methods = withinAmounts(eligible.methods, { minor: amountMinor, currency });
  const id = newId();
  const subject = { id, merchantId: caller.merchant.id };
  const methodOrder = { ...subject, operation, currency, description, payer: payerOf(input), payee: payeeOf(input) };
  const parameters = await methodParametersOf(methods, input.parameters ?? {}, methodOrder);
  if (methods.includes('card')) await requireCardParameters(caller, { ...order, id, amountMinor, parameters });
  await checkReferences(caller, input, now);
  await checkReachable(input.notification_url);
  const fallbackIp = hostedFields ? clientIp.address : undefined;
  const session = { ...sessionInput(input, amountMinor, { ...eligible, methods }, now, fallbackIp), id, parameters };
  return (await createSession(caller, { ...session, hostedFields }, now)).token;
}

/** Hosted fields offer cards, and the wallets that the request names. */
function fieldsMethods(named: readonly string[] = []): string[] {
  return ['card', ...walletKinds.filter((kind) => named.includes(kind))];
}

async function checkReferences(caller: KnownCaller, input: SessionRequest, now: Date): Promise<void> {
  const tokens = await Promise.all((input.card_token ?? []).map((token) => getCardToken(caller, token, now)));
  // The page marks expired cards among several; with only expired cards the payer has no choice left.
  if (tokens.length > 0 && tokens.every(({ expired }) => expired)) throwApiError('cardTokenExpired');
  await checkSchedule(caller, input, now);
}

/** The return addresses of a session. */
export function returnUrlsOf(input: SessionRequest | SessionUpdate) {
  const { success_url, cancel_url, error_url, expiry_url, return_url } = input;
  return { success_url, cancel_url, error_url, expiry_url, return_url };
}

function sessionInput(
  input: SessionRequest,
  amountMinor: bigint,
  { methods, mids }: EligibleAccounts,
  now: Date,
  fallbackIp: string | undefined,
): Omit<SessionInput, 'hostedFields' | 'parameters'> {
  const cardTokens = input.card_token ?? [];
  return {
    operation: input.operation,
    methods,
    ...orderInput(input.order, amountMinor),
    successUrl: input.success_url ?? null,
    cancelUrl: input.cancel_url ?? null,
    errorUrl: input.error_url ?? null,
    expiryUrl: input.expiry_url ?? null,
    returnUrl: input.return_url ?? null,
    // The override of the account that is tried first has priority.
    linkTarget: mids[0].overrideLinkTarget ?? input.url_target ?? null,
    language: input.billing_address?.language ?? null,
    formId: input.form_id ?? null,
    expiresAt: expiryOf(input.session_expiry, now),
    authorizeOnly: input.auth,
    recurringInit: input.recurring_init,
    consentRequired: input.recurring_consent_required ?? false,
    // `req_token` is ignored if a card token was sent.
    requestToken: (input.req_token ?? false) && cardTokens.length === 0,
    vatCalc: input.vat_calc,
    payer: { ...payerOf(input), ip: input.customer?.ip ?? input.payer_ip ?? fallbackIp },
    payee: payeeOf(input),
    customData: input.custom_data,
    notificationUrl: input.notification_url,
    channelId: input.channel_id,
    scheduleId: input.schedule_id,
    scheduleStart: input.schedule_start_date,
    scheduleAmount: input.payment_schedule_amount,
    cardTokens,
  };
}

/** Returns when a session of so many minutes expires. */
export function expiryOf(minutes: number | undefined, now: Date): Date {
  return new Date(now.getTime() + (minutes ?? sessionMinutes.default) * 60_000);
}

/** Returns the payment fields of an order. `others`: further values of the digest. */
export function orderInput(order: Parameters<typeof orderValues>[0], amountMinor: bigint, ...others: string[]) {
  const { number: orderNumber, amount: orderAmount, currency, description } = order;
  const requestDigest = digestOf([orderNumber, orderAmount, currency, description, ...others]);
  return { orderNumber, orderAmount, currency, amountMinor, description, requestDigest };
}

/** Returns the payer's details in the request, under the contract's names without a prefix. */
export function payerOf(input: Pick<SessionRequest, 'customer' | 'billing_address'>): PartyDetails {
  const { ip: _separate, ...customer } = input.customer ?? {};
  const { language: _session, ...address } = input.billing_address ?? {};
  return withoutUndefined({ ...customer, ...address });
}
