// The open provider contract's words (docs/providers/contract.md): how requests are written in its JSON and what its
// answers mean. Whatever an answer does not say clearly is `unknown`, because money may have moved.
import { z } from 'zod';
import { scrubCardData } from '../core/card-secrets.ts';
import { beginningOf, isSecurityCodeName } from '../core/card-text.ts';
import { declineClassOf } from '../core/declines.ts';
import { repeatedName } from '../core/json.ts';
import { formatAmount, type Money, parseAmount } from '../core/money.ts';
import type { Chargeback, ProviderData } from '../core/provider-data.ts';
import { storable } from '../core/storable.ts';
import { log, scrubText } from '../telemetry/index.ts';
import type { CardData, CardWallet, ModificationRequest, Outcome, PayRequest, ProceedRequest } from './connector.ts';
import { ifValid } from './if-valid.ts';
import { readPresent } from './present.wire.ts';

const text = z.string().max(1024);
const optionalText = ifValid(text);
const textsMax = 64;
/** Of a longer reason only the beginning is read. */
const messageMax = 4096;
// What an answer has is stored with each operation.
const limited = (texts: z.ZodRecord<z.ZodString, z.ZodString>, charactersMax: number) =>
  texts
    .refine((read) => Object.keys(read).length <= textsMax)
    .refine((read) => Object.entries(read).flat().join('').length <= charactersMax)
    .meta({ maxProperties: textsMax });
const facts = ifValid(limited(z.record(text, text), 16_384));
const params = limited(z.record(z.string(), z.string()), 65_536);
const actionUrl = z.url({ protocol: /^https?$/ }).refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url));
const day = z.iso.date();

/** The answer of every operation, and the body of its query. */
export const responseShape = z.object({
  reference: text,
  status: z.enum(['approved', 'authorized', 'declined', 'challenge', 'redirect', 'processing']),
  provider_reference: optionalText,
  decline: ifValid(
    z.object({ code: text, message: z.string().nullish(), class: optionalText, soft: ifValid(z.boolean()) }),
  ),
  action: ifValid(z.object({ url: actionUrl, method: z.enum(['GET', 'POST']), params: params.nullish() })),
  network: ifValid(
    z.object({
      rrn: optionalText,
      arn: optionalText,
      approval_code: optionalText,
      descriptor: optionalText,
      brand: optionalText,
    }),
  ),
  three_ds: facts,
  extended: facts,
  present: z.unknown().optional(),
  amount: z.unknown().optional(),
  currency: z.unknown().optional(),
  received: z.unknown().optional(),
  chargebacks: z.unknown().optional(),
  chargeback: z.unknown().optional(),
});

/** An amount in an answer. */
export const moneyShape = z.object({ amount: text, currency: text });

/** One chargeback of an answer. */
export const chargebackShape = z.object({
  id: text.min(1),
  amount: text,
  currency: text,
  date: day,
  bank_date: day.nullish(),
  reason_code: optionalText,
  status: z.enum(['open', 'won']).nullish(),
});

/** The body of an error 4xx. */
export const errorShape = z.object({ error: z.object({ code: text.min(1), message: z.string().nullish() }) });

type OperationReply = z.infer<typeof responseShape>;

const names = z.array(text).max(2000).catch([]);
/** The members of GET /capabilities that are read. */
export const capabilityShape = z.object({ operations: z.array(text).max(100), methods: names, wallet: optionalText });

/** Decodes a provider's capabilities; null for a response without them. */
export function readCapabilities(body: unknown): { operations: string[]; methods: string[]; wallet?: string } | null {
  const read = capabilityShape.safeParse(body);
  if (!read.success) return null;
  const { operations, methods, wallet } = read.data;
  return { operations, methods, ...(wallet && { wallet }) };
}

/** A response, or why there is none. `neverSent`: no byte of the request was sent, so no money can have moved. */
export type ProviderReply = { status: number; body: unknown } | { fault: string; neverSent: boolean };

/** The maximum length of payer texts in the open provider contract. */
export const contractTextMax = 255;

/** Encodes the body of POST /payments. Payer texts are truncated to `textMax` characters. */
export function writePayment(
  request: PayRequest,
  credentials?: Record<string, string>,
  textMax = contractTextMax,
): object {
  const { operation, wallet } = request;
  const card = request.card && { ...request.card, holder: shortened(request.card.holder, textMax) };
  return {
    ...writePayout(request, credentials, textMax),
    operation,
    card: writeCard(card),
    wallet: writeWallet(wallet),
  };
}

/** Encodes the body of POST /payouts. */
export function writePayout(
  request: PayRequest,
  credentials?: Record<string, string>,
  textMax = contractTextMax,
): object {
  return {
    reference: request.key,
    method: request.method,
    amount: formatAmount(request.amount.minor, request.amount.currency),
    currency: request.amount.currency,
    order: request.order,
    payee_card: writeCard(request.payeeCard),
    payer: snake(shortenedPerson(request.payer, textMax)),
    payee: request.payee && snake(shortenedPerson(request.payee, textMax)),
    browser: request.browser && snake(request.browser),
    three_ds: request.threeDS,
    mpi: request.mpi,
    recurring: request.recurring,
    parameters: request.parameters,
    credentials,
    descriptor: request.descriptor,
    return_url: request.returnUrl,
    notify_url: request.notifyUrl,
  };
}

/** Encodes the body of a capture, refund or void. */
export function writeModification(request: ModificationRequest): object {
  const { key: reference, amount } = request;
  if (!amount) return { reference };
  return { reference, amount: formatAmount(amount.minor, amount.currency), currency: amount.currency };
}

/** Encodes the body of POST /payments/{original}/proceed. */
export function writeProceed({ key, reply }: ProceedRequest): object {
  return { reference: key, ...reply };
}

function writeCard(card: CardData | undefined): object | undefined {
  if (!card) return undefined;
  const isDated = card.expYear > 0;
  return {
    number: card.number,
    exp_month: isDated ? String(card.expMonth).padStart(2, '0') : undefined,
    exp_year: isDated ? String(card.expYear) : undefined,
    cvv: card.cvv,
    holder: card.holder,
  };
}

function writeWallet(wallet: CardWallet | undefined): object | undefined {
  if (!wallet) return undefined;
  const { kind, panType, cryptogram, eci } = wallet;
  return { type: kind, pan_type: panType, cryptogram, eci };
}

/** Free text fields, which can be truncated. Others (an e-mail address, a date) would become invalid. */
const freeTextFields = new Set(
  'name first_name last_name middle_name state city district address address2 zip phone'.split(' '),
);

function shortenedPerson(person: Record<string, string | undefined>, most: number): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(person).map(([name, value]) => [name, freeTextFields.has(name) ? shortened(value, most) : value]),
  );
}

// Truncates by characters, not UTF-16 units.
function shortened(value: string | undefined, most: number): string | undefined {
  return value === undefined || value.length <= most ? value : [...value].slice(0, most).join('');
}

function snake(names: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(names).map(([name, value]) => [name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), value]),
  );
}

/** Decodes the reply to any request but a status request. */
export function readOrder(reply: ProviderReply, key: string): Outcome {
  if ('fault' in reply)
    return reply.neverSent ? declined('unreachable', 'The provider is unreachable', true) : unknownOutcome(reply.fault);
  if (reply.status >= 200 && reply.status < 300) return readAnswer(reply.body, key);
  const code = errorCode(reply);
  // With 408, 409 and 425 the first call may still be in progress, so only a later status request is reliable.
  const mayBeInProgress = reply.status === 408 || reply.status === 409 || reply.status === 425;
  if (code === null || mayBeInProgress) return unknownOutcome(`http ${reply.status}`);
  return declined(code, 'Refused by the provider', reply.status === 429);
}

/** Decodes the reply to a status request. Only a 404 with the contract's error body means an absent operation. */
export function readStatus(reply: ProviderReply, key: string): Outcome {
  if ('fault' in reply) return unknownOutcome(reply.fault);
  if (reply.status >= 200 && reply.status < 300) return readAnswer(reply.body, key);
  if (reply.status === 404 && errorCode(reply) === 'operation_not_found') return { kind: 'absent' };
  return unknownOutcome(`http ${reply.status}`);
}

/** The member of a notification that is read. */
export const notificationShape = z.object({ reference: text.min(1) });

/** Returns the key of a notification; null for a malformed body. */
export function readReference(body: string): string | null {
  const read = notificationShape.safeParse(parseJson(body));
  return read.success ? read.data.reference : null;
}

// PostgreSQL stores neither NUL nor half of a surrogate pair, and an outcome must be stored.

function withStorableTexts(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (Object.keys(value).every((name) => storable(name) === name)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storable(name), member]));
}

/**
 * Parses JSON, with U+FFFD for what cannot be stored; undefined for a malformed text, and for one that repeats a name and so
 * may contradict itself.
 */
export function parseJson(body: string): unknown {
  try {
    const parsed: unknown = JSON.parse(body, withStorableTexts);
    return repeatedName(body) === null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

// A proxy or a wrong URL can return 4xx too, but without the contract's error body.
function errorCode(reply: { status: number; body: unknown }): string | null {
  if (reply.status < 400 || reply.status > 499) return null;
  const read = errorShape.safeParse(reply.body);
  return read.success ? read.data.error.code : null;
}

function readAnswer(body: unknown, key: string): Outcome {
  const read = responseShape.safeParse(body);
  if (!read.success) return unknownOutcome('answer not understood');
  const response = read.data;
  if (response.reference !== key) return unknownOutcome('answer about another operation');
  logDropped(body as Record<string, unknown>, response);
  const facts = readProviderData(response);
  const chargebacks = readChargebacks(response);
  if (chargebacks === null) return unknownOutcome('chargeback not understood');
  if (chargebacks.length > 0) facts.chargebacks = chargebacks;
  switch (response.status) {
    case 'approved':
    case 'authorized': {
      const amount = readMoney(response.amount, response.currency);
      if (amount === null) return unknownOutcome('amount not understood');
      return { kind: response.status, ...(amount && { amount }), facts };
    }
    case 'processing': {
      const received = readMoney(response.received, response.currency);
      if (received === null) return unknownOutcome('amount not understood');
      return { kind: 'waiting', ...(received && { received }), facts };
    }
    case 'declined':
      return { kind: 'declined', decline: readDecline(response), facts };
    default: {
      if (!response.action) return unknownOutcome('answer without its action');
      const { url, method, params } = response.action;
      return { kind: response.status, action: { url, method, params: withoutSecurityCode(params ?? {}) }, facts };
    }
  }
}

const optionalMembers = ['decline', 'action', 'network', 'three_ds', 'extended'] as const;

function logDropped(body: Record<string, unknown>, response: OperationReply): void {
  const dropped = optionalMembers.filter((name) => body[name] != null && response[name] === null);
  if (dropped.length === 0) return;
  log.warn({ transaction: response.reference, dropped }, 'a provider sent malformed or too large members');
}

// The reason is returned to the merchant, so card data in it is removed.
function readDecline(response: OperationReply) {
  const { code = 'declined', message, class: declineClass, soft } = response.decline ?? {};
  const reason = scrubText(beginningOf(message || 'Declined', messageMax)).slice(0, 255);
  return { code: scrubCardData(code), reason, class: declineClassOf(declineClass), soft: soft ?? false };
}

const withoutSecurityCode = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => !isSecurityCodeName(name)));

const masked = (texts: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(withoutSecurityCode(texts)).map(([name, value]) => [scrubCardData(name), scrubCardData(value)]),
  );

// A reference is left alone: the provider must find the payment by it.
function readProviderData(response: OperationReply): ProviderData {
  const { rrn, arn, approval_code: approvalCode, descriptor, brand } = response.network ?? {};
  const given = { rrn, arn, approvalCode, descriptor, brand };
  const facts: ProviderData = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value ? [[name, scrubCardData(value)]] : [])),
  );
  if (response.provider_reference) facts.providerRef = response.provider_reference;
  if (response.three_ds) facts.threeDS = masked(response.three_ds);
  if (response.extended) facts.extended = masked(response.extended);
  const present = response.present ? readPresent(response.present) : undefined;
  if (present) facts.present = present;
  return facts;
}

/** Decodes an amount with its currency; undefined if the response has no amount, null for a malformed one. */
function readMoney(amount: unknown, currency: unknown): Money | null | undefined {
  if (amount == null) return undefined;
  const read = moneyShape.safeParse({ amount, currency });
  if (!read.success) return null;
  const parsed = parseAmount(read.data.amount, read.data.currency);
  return parsed.ok ? { minor: parsed.minor, currency: read.data.currency } : null;
}

const chargebackList = z.array(z.unknown()).nullish();

/** Decodes the chargebacks of a response; null if one is malformed, since none may be lost. */
function readChargebacks({ chargebacks, chargeback }: OperationReply): Chargeback[] | null {
  const listed = chargebackList.safeParse(chargebacks);
  if (!listed.success) return null;
  // Providers with one chargeback per payment send an object without an id.
  const single = chargeback == null ? [] : [{ ...chargeback, id: 'chargeback' }];
  const items = listed.data && listed.data.length > 0 ? listed.data : single;
  const read = items.map(readChargeback).filter((each) => each !== null);
  const ids = new Set(read.map(({ id }) => id));
  return read.length === items.length && ids.size === items.length ? read : null;
}

function readChargeback(value: unknown): Chargeback | null {
  const read = chargebackShape.safeParse(value);
  if (!read.success) return null;
  const { id, amount, currency, date, bank_date: bankDate, reason_code: reasonCode, status } = read.data;
  const money = readMoney(amount, currency);
  if (!money || money.minor === 0n) return null;
  return {
    id,
    amount: money,
    date,
    ...(bankDate && { bankDate }),
    ...(reasonCode && { reasonCode }),
    status: status ?? 'open',
  };
}

function unknownOutcome(why: string): Outcome {
  return { kind: 'unknown', why };
}

function declined(code: string, reason: string, soft: boolean): Outcome {
  return { kind: 'declined', decline: { code, reason, class: 'technical', soft }, facts: {} };
}
