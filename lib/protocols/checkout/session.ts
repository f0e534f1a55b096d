// Opening a session: from a request that has passed the pipeline to the link that the payer follows. What needs the
// clock, the database or the network is asked here, after the signature, so that nobody without a password gets that far.
import { createHash } from 'node:crypto';
import { checkoutBaseUrl } from '../../config';
import { isoDay } from '../../core/dates';
import { fieldErrorTexts, throwApiError, throwFieldErrors } from '../../core/errors';
import { parseAmount } from '../../core/money';
import type { PartyDetails } from '../../core/payment';
import type { SignatureValues } from '../../core/signatures';
import { createSession, type SessionInput } from '../../payments';
import { decryptableWallets, requireCardParameters, walletKinds } from '../../routing';
import { hasSchedule } from '../../schedules';
import { type ActionContext, action, type KnownCaller } from '../pipeline/handle';
import { checkReachable, checkReturnUrls } from '../shared/addresses';
import { getCardToken } from '../shared/card-token';
import { type EligibleAccounts, eligibleAccounts } from '../shared/eligibility';
import { withoutUndefined } from '../shared/fields';
import { isPayout, payeeOf } from '../shared/payee';
import { methodParametersOf, supportsOrder, withinAmounts } from './methods';
import { type SessionRequest, type SessionUpdate, sessionMinutes, sessionSchema, tokenSchema } from './session-fields';

/** The signed texts of an order. */
export function orderValues(order: { number: string; amount: string; currency: string; description: string }) {
  const { number: orderId, amount, currency, description } = order;
  return { orderId, amount, currency, description } satisfies Omit<SignatureValues, 'password'>;
}

const signature = (input: SessionRequest) =>
  ({ recipe: 'session', values: orderValues(input.order), given: input.hash }) as const;

/** POST /api/v1/session. */
export const createPageSession = action<SessionRequest>({
  schema: sessionSchema,
  signature,
  paysOut: ({ operation }) => isPayout(operation),
  run: async (accepted) => {
    const token = await createSessionFor(accepted, false);
    return linkResponse(token);
  },
});

/** POST /api/v1/session/token. Without customer.ip the address of the caller is the payer's (interface.md, Resources). */
export const createFieldsSession = action<SessionRequest>({
  schema: tokenSchema,
  signature,
  run: async (accepted) => ({ token: await createSessionFor(accepted, true) }),
});

/** The answer to a session that is paid on our page. */
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
  const { caller, input, now, peer } = accepted;
  if (!payableOperations[hostedFields ? 'fields' : 'page'].includes(input.operation))
    throwApiError('actionNotSupported');
  checkReturnUrls(caller, returnUrlsOf(input));
  const amountMinor = orderMinor(input.order);
  const { operation, recurring_init: recurringInit } = input;
  const { currency } = input.order;
  const order = { operation, authorizeOnly: input.auth ?? false, recurringInit, currency };
  const asked = hostedFields ? fieldsMethods(input.methods) : (input.methods ?? []);
  const admitted = await eligibleAccounts(caller, now, {
    ...order,
    amountMinor,
    methods: asked,
    supports: supportsOrder(order, recurringInit ? await decryptableWallets(caller, asked) : []),
    amountPath: 'order.amount',
  });
  const methods = withinAmounts(admitted.methods, { minor: amountMinor, currency });
  const { description } = input.order;
  const told = { operation, currency, description, payer: payerOf(input), payee: payeeOf(input) };
  const parameters = await methodParametersOf(methods, input.parameters ?? {}, told);
  if (methods.includes('card')) await requireCardParameters(caller, { ...order, amountMinor, parameters });
  await checkReferences(caller, input, now);
  if (input.notification_url) await checkReachable(input.notification_url);
  const fallbackIp = hostedFields ? peer.address : undefined;
  const session = { ...sessionInput(input, amountMinor, { ...admitted, methods }, now, fallbackIp), parameters };
  return (await createSession(caller, { ...session, hostedFields }, now)).token;
}

/** Hosted fields take cards; wallets may stand beside them in the same page, where the request names them. */
function fieldsMethods(named: readonly string[] = []): string[] {
  return ['card', ...walletKinds.filter((kind) => named.includes(kind))];
}

async function checkReferences(caller: KnownCaller, input: SessionRequest, now: Date): Promise<void> {
  const tokens = await Promise.all((input.card_token ?? []).map((token) => getCardToken(caller, token, now)));
  // Of several cards the payer sees which one has expired; with none left there is nothing to pick.
  if (tokens.length > 0 && tokens.every(({ expired }) => expired)) throwApiError('cardTokenExpired');
  if (input.schedule_id && !(await hasSchedule(caller.merchant.id, input.schedule_id)))
    throwApiError('scheduleNotFound');
  if (input.schedule_start_date && input.schedule_start_date < isoDay(now)) {
    throwFieldErrors([{ path: 'schedule_start_date', text: fieldErrorTexts.notValid }]);
  }
}

/** The minor units of an order whose amount has passed its check. */
export function orderMinor({ amount, currency }: { amount: string; currency: string }): bigint {
  const parsed = parseAmount(amount, currency);
  return parsed.ok ? parsed.minor : throwApiError('currencyNotFound');
}

/** The return addresses of a session. */
export function returnUrlsOf(input: Pick<SessionUpdate, ReturnName> & { return_url?: string }) {
  const { success_url, cancel_url, error_url, expiry_url, return_url } = input;
  return { success_url, cancel_url, error_url, expiry_url, return_url };
}

type ReturnName = 'success_url' | 'cancel_url' | 'error_url' | 'expiry_url';

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
    orderNumber: input.order.number,
    orderAmount: input.order.amount,
    currency: input.order.currency,
    amountMinor,
    description: input.order.description,
    successUrl: input.success_url ?? null,
    cancelUrl: input.cancel_url ?? null,
    errorUrl: input.error_url ?? null,
    expiryUrl: input.expiry_url ?? null,
    returnUrl: input.return_url ?? null,
    // The account that is tried first decides; its override always wins.
    linkTarget: mids[0].overrideLinkTarget ?? input.url_target ?? null,
    language: input.billing_address?.language ?? null,
    formId: input.form_id ?? null,
    expiresAt: expiryOf(input.session_expiry, now),
    authorizeOnly: input.auth ?? false,
    recurringInit: input.recurring_init ?? false,
    consentRequired: input.recurring_consent_required ?? false,
    // A card token is asked for in vain by who has one already.
    requestToken: (input.req_token ?? false) && cardTokens.length === 0,
    vatCalc: input.vat_calc ?? false,
    payer: { ...payerOf(input), ip: input.customer?.ip ?? input.payer_ip ?? fallbackIp },
    payee: payeeOf(input),
    customData: input.custom_data ?? null,
    notificationUrl: input.notification_url ?? null,
    channelId: input.channel_id ?? null,
    scheduleId: input.schedule_id ?? null,
    scheduleStart: input.schedule_start_date ?? null,
    scheduleAmount: input.payment_schedule_amount ?? null,
    cardTokens,
    requestDigest: digestOf(input.order),
  };
}

/** When a session of so many minutes ends. */
export function expiryOf(minutes: number | undefined, now: Date): Date {
  return new Date(now.getTime() + (minutes ?? sessionMinutes.default) * 60_000);
}

/** What tells a repeat from a duplicate: the signed values, those of the order and any others. */
export function digestOf(order: Parameters<typeof orderValues>[0], ...others: string[]): Buffer {
  const values = [order.number, order.amount, order.currency, order.description, ...others];
  return createHash('sha256').update(JSON.stringify(values)).digest();
}

/** The payer as far as the request describes one, under the contract's names without a prefix. */
export function payerOf(input: Pick<SessionRequest, 'customer' | 'billing_address'>): PartyDetails {
  const { ip: _separate, ...customer } = input.customer ?? {};
  const { language: _session, ...address } = input.billing_address ?? {};
  return withoutUndefined({ ...customer, ...address });
}
