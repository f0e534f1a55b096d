// The open provider contract's words (docs/providers/contract.md): how requests are written in its JSON and what its
// answers mean. Whatever an answer does not say clearly is `unknown`, because money may have moved.
import { z } from 'zod';
import { declineClassOf } from '../core/declines';
import { formatAmount, type Money, parseAmount } from '../core/money';
import type { Chargeback, ProviderData } from '../core/provider-data';
import { scrubText } from '../telemetry';
import type { CardData, CardWallet, ModificationRequest, Outcome, PayRequest, ProceedRequest } from './connector';
import { readPresent } from './present.wire';

const text = z.string().max(1024);
// Whatever is not needed to know the outcome is dropped when it is malformed: a settled payment must not become
// unknown because of a strange descriptor.
const fact = text.nullish().catch(null);
const facts = z.record(text, text).nullish().catch(null);

const day = z.iso.date();

const answerShape = z.object({
  reference: text,
  status: z.enum(['approved', 'authorized', 'declined', 'challenge', 'redirect', 'processing']),
  provider_reference: fact,
  decline: z
    .object({ code: text, message: z.string().nullish(), class: fact, soft: z.boolean().nullish().catch(null) })
    .nullish()
    .catch(null),
  action: z
    .object({
      url: z.url({ protocol: /^https?$/ }),
      method: z.enum(['GET', 'POST']),
      params: z.record(z.string(), z.string()).nullish(),
    })
    .nullish()
    .catch(null),
  network: z.object({ rrn: fact, arn: fact, approval_code: fact, descriptor: fact, brand: fact }).nullish().catch(null),
  three_ds: facts,
  extended: facts,
  present: z.unknown().optional(),
  amount: z.unknown().optional(),
  currency: z.unknown().optional(),
  received: z.unknown().optional(),
  chargebacks: z.unknown().optional(),
  chargeback: z.unknown().optional(),
});

const moneyShape = z.object({ amount: text, currency: text });

const chargebackShape = z.object({
  id: text.min(1),
  amount: text,
  currency: text,
  date: day,
  bank_date: day.nullish(),
  reason_code: fact,
  status: z.enum(['open', 'won']).nullish(),
});

const errorShape = z.object({ error: z.object({ code: text.min(1), message: z.string().nullish() }) });

type OperationReply = z.infer<typeof answerShape>;

const names = z.array(text).max(2000).catch([]);
const capabilityShape = z.object({ operations: z.array(text).max(100), methods: names, wallet: fact });

/** What a provider says that it can do; null for an answer that says nothing of it. */
export function readCapabilities(body: unknown): { operations: string[]; methods: string[]; wallet?: string } | null {
  const read = capabilityShape.safeParse(body);
  if (!read.success) return null;
  const { operations, methods, wallet } = read.data;
  return { operations, methods, ...(wallet && { wallet }) };
}

/** What came back, or why nothing did. `neverSent`: not a byte of the request has left, so that nothing can have moved. */
export type ProviderReply = { status: number; body: unknown } | { fault: string; neverSent: boolean };

/** The most characters of a payer's text in the open provider contract. */
export const contractTextMax = 255;

/**
 * The body of POST /payments. `credentials` are the account's own settings for the method; payers' texts above `textMax`
 * characters go shortened.
 */
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

/** The body of POST /payouts. */
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

/** The body of a capture, refund or void. */
export function writeModification(request: ModificationRequest): object {
  const { amount } = request;
  if (!amount) return { reference: request.key };
  return {
    reference: request.key,
    amount: formatAmount(amount.minor, amount.currency),
    currency: amount.currency,
  };
}

/** The body of POST /payments/{original}/proceed. */
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

/** What a payer says about themselves in their own words; the rest (an e-mail address, a day) means nothing when cut. */
const freeTextFields = new Set(
  'name first_name last_name middle_name state city district address address2 zip phone'.split(' '),
);

function shortenedPerson(person: Record<string, string | undefined>, most: number): Record<string, string | undefined> {
  const entries = Object.entries(person);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, freeTextFields.has(name) ? shortened(value, most) : value]),
  );
}

// By characters, so that none is cut in half.
function shortened(value: string | undefined, most: number): string | undefined {
  return value === undefined || value.length <= most ? value : [...value].slice(0, most).join('');
}

function snake(names: Record<string, unknown>): object {
  const entries = Object.entries(names);
  return Object.fromEntries(
    entries.map(([name, value]) => [name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), value]),
  );
}

/** What the reply to an order (anything but a look-up) means for the operation `key`. */
export function readOrder(reply: ProviderReply, key: string): Outcome {
  if ('fault' in reply)
    return reply.neverSent ? declined('unreachable', 'The provider is unreachable', true) : unknownOutcome(reply.fault);
  if (reply.status >= 200 && reply.status < 300) return readAnswer(reply.body, key);
  const code = errorCode(reply);
  // 408, 409 and 425 speak of a call that may still be under way: certain is only what the provider says of it later.
  const underWay = reply.status === 408 || reply.status === 409 || reply.status === 425;
  if (code === null || underWay) return unknownOutcome(`http ${reply.status}`);
  return declined(code, 'Refused by the provider', reply.status === 429);
}

/** What the reply to a look-up means. Only a 404 in the contract's own words says that the operation does not exist. */
export function readStatus(reply: ProviderReply, key: string): Outcome {
  if ('fault' in reply) return unknownOutcome(reply.fault);
  if (reply.status >= 200 && reply.status < 300) return readAnswer(reply.body, key);
  if (reply.status === 404 && errorCode(reply) === 'operation_not_found') return { kind: 'absent' };
  return unknownOutcome(`http ${reply.status}`);
}

/** The key that a notification's body is about; null for anything else. */
export function readReference(body: string): string | null {
  const read = z.object({ reference: text.min(1) }).safeParse(parseJson(body));
  return read.success ? read.data.reference : null;
}

/** A text as JSON; undefined when it is none. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

// A proxy or a wrong address answers 4xx too, but not with the contract's error body.
function errorCode(reply: { status: number; body: unknown }): string | null {
  if (reply.status < 400 || reply.status > 499) return null;
  const read = errorShape.safeParse(reply.body);
  return read.success ? read.data.error.code : null;
}

function readAnswer(body: unknown, key: string): Outcome {
  const read = answerShape.safeParse(body);
  if (!read.success) return unknownOutcome('answer not understood');
  const answer = read.data;
  if (answer.reference !== key) return unknownOutcome('answer about another operation');
  const facts = readProviderData(answer);
  const chargebacks = readChargebacks(answer);
  if (chargebacks === null) return unknownOutcome('chargeback not understood');
  if (chargebacks.length > 0) facts.chargebacks = chargebacks;
  switch (answer.status) {
    case 'approved':
    case 'authorized': {
      const amount = readMoney(answer.amount, answer.currency);
      if (amount === null) return unknownOutcome('amount not understood');
      return { kind: answer.status, ...(amount && { amount }), facts };
    }
    case 'processing': {
      const received = readMoney(answer.received, answer.currency);
      if (received === null) return unknownOutcome('amount not understood');
      return { kind: 'waiting', ...(received && { received }), facts };
    }
    case 'declined':
      return { kind: 'declined', decline: readDecline(answer), facts };
    default: {
      if (!answer.action) return unknownOutcome('answer without its action');
      const { url, method, params } = answer.action;
      return { kind: answer.status, action: { url, method, params: params ?? {} }, facts };
    }
  }
}

// The reason reaches the merchant; a provider that quotes the card in it must not make us do the same.
function readDecline(answer: OperationReply) {
  const { code = 'declined', message, class: group, soft } = answer.decline ?? {};
  const reason = scrubText(message || 'Declined').slice(0, 255);
  return { code, reason, class: declineClassOf(group), soft: soft ?? false };
}

function readProviderData(answer: OperationReply): ProviderData {
  const facts: ProviderData = {};
  const { network } = answer;
  if (answer.provider_reference) facts.providerRef = answer.provider_reference;
  if (network?.rrn) facts.rrn = network.rrn;
  if (network?.arn) facts.arn = network.arn;
  if (network?.approval_code) facts.approvalCode = network.approval_code;
  if (network?.descriptor) facts.descriptor = network.descriptor;
  if (network?.brand) facts.brand = network.brand;
  if (answer.three_ds) facts.threeDS = answer.three_ds;
  if (answer.extended) facts.extended = answer.extended;
  const present = readPresent(answer.present);
  if (present) facts.present = present;
  return facts;
}

/** An amount with its currency; undefined where the answer has no amount, null where it is not understood. */
function readMoney(amount: unknown, currency: unknown): Money | null | undefined {
  if (amount == null) return undefined;
  const read = moneyShape.safeParse({ amount, currency });
  if (!read.success) return null;
  const parsed = parseAmount(read.data.amount, read.data.currency);
  return parsed.ok ? { minor: parsed.minor, currency: read.data.currency } : null;
}

/** The chargebacks of an answer; null where one of them is not understood, since none may be lost. */
function readChargebacks({ chargebacks, chargeback }: OperationReply): Chargeback[] | null {
  const listed = z.array(z.unknown()).nullish().safeParse(chargebacks);
  if (!listed.success) return null;
  // Providers that know one chargeback per payment tell it as an object without an id.
  const single = chargeback == null ? [] : [{ ...chargeback, id: 'chargeback' }];
  const given = listed.data && listed.data.length > 0 ? listed.data : single;
  const read = given.map(readChargeback).filter((each) => each !== null);
  const ids = new Set(read.map(({ id }) => id));
  return read.length === given.length && ids.size === given.length ? read : null;
}

function readChargeback(given: unknown): Chargeback | null {
  const read = chargebackShape.safeParse(given);
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
