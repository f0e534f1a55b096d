// PUT /api/v1/session/update: changes a session before its first attempt. The header `Token` names the session, but a
// payer holds that token too (it is the link's last part), so that everything beyond what a payer could type on the page
// has to be signed: the session's formula over the order as it will be.
import { fieldErrorTexts, throwApiError, throwFieldErrors } from '../../core/errors.ts';
import type { Payment } from '../../core/payment.ts';
import type { HttpRequest } from '../../http/index.ts';
import { type Caller, currentCallerOf } from '../../merchants/index.ts';
import { findSession, isExpired, type SessionChanges, updateSession } from '../../payments/index.ts';
import { requireCardParameters } from '../../routing/index.ts';
import { createLinkToken, decryptParameters, verifyLinkToken } from '../../vault/index.ts';
import { limitPayerRequests, type SessionSubject } from '../hosted-fields/token-caller.ts';
import { type ActionContext, action } from '../pipeline/handle.ts';
import { minorOf, orderAmountError } from '../shared/fields.ts';
import { checkReachable, checkReturnUrls, eligibleAccounts } from '../shared/request-checks.ts';
import { toFieldErrors } from '../shared/s2s-requests.ts';
import { isPayout } from '../shared/wire-fields.ts';
import { cardParameterErrors, methodParametersOf, supportsOrder, withinAmounts } from './methods.ts';
import { expiryOf, linkResponse, orderInput, orderValues, payerOf, returnUrlsOf } from './session.ts';
import { type SessionUpdate, updateSchema } from './session-fields.ts';

/** PUT /api/v1/session/update. */
export const updatePageSession = action<SessionUpdate, SessionSubject>({
  schema: updateSchema,
  caller: callerOfToken,
  subject: (_caller, _input, request) => subjectOf(request),
  signedOverSubject: true,
  missing: 'tokenNotValid',
  signature: (input, subject) => {
    if (!subject || isPayerEditable(input)) return null;
    return { recipe: 'session', values: orderValues(orderAfter(subject.payment, input)), hash: input.hash ?? '' };
  },
  paysOut: (input, subject) => subject !== undefined && isPayout(subject.payment.operation) && !isPayerEditable(input),
  run: update,
});

// The request names no key: it is signed with the session's, or with one that replaced it.
async function callerOfToken(request: HttpRequest, now: Date): Promise<Caller> {
  const subject = await subjectOf(request);
  if (!subject) return throwApiError('tokenNotValid');
  limitPayerRequests(subject.payment.id);
  return currentCallerOf(subject.payment, now);
}

async function subjectOf(request: HttpRequest): Promise<SessionSubject | null> {
  const token = request.headers.get('token') ?? '';
  const paymentId = (await verifyLinkToken(token, 'page')) ?? (await verifyLinkToken(token, 'fields'));
  return paymentId ? findSession(paymentId) : null;
}

/** Reports whether the request changes only fields that the payer can fill in on the page. */
function isPayerEditable(input: SessionUpdate): boolean {
  const { customer, billing_address: _address, ...others } = input;
  return customer?.ip === undefined && Object.values(others).every((value) => value === undefined);
}

/** The order after the update. */
function orderAfter(payment: Payment, { order }: SessionUpdate) {
  return {
    number: order?.number ?? payment.orderNumber,
    amount: order?.amount ?? payment.orderAmount,
    currency: order?.currency ?? payment.currency,
    description: order?.description ?? payment.description,
  };
}

async function update({ caller, input, subject, now }: ActionContext<SessionUpdate, SessionSubject>): Promise<object> {
  const { payment, session } = subject;
  if (session.cancelledAt || isExpired(session, now)) throwApiError('tokenNotValid');
  if (payment.attempts > 0) throwApiError('sessionInUse');
  checkReturnUrls(caller, returnUrlsOf(input));
  const order = orderAfter(payment, input);
  checkOrder(payment, order);
  const wanted = input.methods ?? session.methods;
  const parameterFaults = wanted.includes('card') ? cardParameterErrors(input.parameters, payment.operation) : [];
  if (parameterFaults.length > 0) throwFieldErrors(parameterFaults);
  const { currency } = order;
  const amountMinor = minorOf(order.amount, currency);
  const { operation, authorizeOnly, recurringInit } = payment;
  const query = { operation, authorizeOnly, recurringInit, currency, amountMinor, amountPath: 'order.amount' };
  const supports = supportsOrder(query);
  const eligible = await eligibleAccounts(caller, now, { ...query, methods: wanted, supports });
  const methods = withinAmounts(eligible.methods, { minor: amountMinor, currency });
  const payer = payerAfter(input);
  const methodOrder = { ...payment, ...order, payer: { ...payment.payer, ...payer } };
  const parameters = await methodParametersOf(methods, await parametersAfter(payment, input, methods), methodOrder);
  if (methods.includes('card'))
    await requireCardParameters(caller, {
      ...query,
      id: payment.id,
      parameters: { ...payment.parameters, ...parameters },
    });
  await checkReachable(input.notification_url);
  const changes: SessionChanges = {
    orderAmount: input.order?.amount,
    amountMinor,
    currency: input.order?.currency,
    description: input.order?.description,
    requestDigest: orderInput(order, amountMinor).requestDigest,
    methods,
    successUrl: input.success_url,
    cancelUrl: input.cancel_url,
    errorUrl: input.error_url,
    expiryUrl: input.expiry_url,
    linkTarget: eligible.mids[0].overrideLinkTarget ?? input.url_target,
    language: input.billing_address?.language,
    expiresAt: input.session_expiry === undefined ? undefined : expiryOf(input.session_expiry, now),
    payer,
    parameters,
    customData: input.custom_data,
    notificationUrl: input.notification_url,
  };
  await updateSession(payment, changes, now);
  const token = await createLinkToken(payment.id, session.hostedFields ? 'fields' : 'page');
  return session.hostedFields ? { token } : linkResponse(token);
}

// The order number cannot change. The amount must fit the currency, also if only one of the two changed.
function checkOrder(payment: Payment, order: ReturnType<typeof orderAfter>): void {
  const numberError = order.number === payment.orderNumber ? null : fieldErrorTexts.notValid;
  const amountError = orderAmountError(order.amount, order.currency, payment.authorizeOnly || payment.recurringInit);
  const found = [...toFieldErrors('order.number', numberError), ...toFieldErrors('order.amount', amountError)];
  if (found.length > 0) throwFieldErrors(found);
}

/** The methods' parameters after the update: those of the request, else the stored ones. */
async function parametersAfter(
  payment: Payment,
  input: SessionUpdate,
  methods: string[],
): Promise<Record<string, unknown>> {
  const parameters: Record<string, unknown> = {};
  for (const id of methods) {
    const open = payment.parameters[id] as object | undefined;
    const secret = await decryptParameters(payment, id);
    parameters[id] = input.parameters?.[id] ?? (open && { ...open, ...secret });
  }
  return parameters;
}

function payerAfter(input: SessionUpdate) {
  const ip = input.customer?.ip ?? input.payer_ip;
  return { ...payerOf(input), ...(ip === undefined ? {} : { ip }) };
}
