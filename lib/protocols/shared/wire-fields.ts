// Wire representations that are derived and never stored: statuses, masks, dates, and the optional fields of a protocol
// mapping. Responses and callbacks use the same functions.
import { formatExpiry } from '../../core/cards.ts';
import { threeDSFields } from '../../core/mapping-options.ts';
import type { CardView, PartyDetails, Payment, Transaction } from '../../core/payment.ts';
import type { BrowserInfo } from '../../core/provider-data.ts';
import { sign } from '../../core/signatures.ts';
import type { State } from '../../core/states.ts';
import type { FormFields, FormValue } from '../../http/index.ts';
import type { Caller, Mapping } from '../../merchants/index.ts';

/** Checkout's name of each state (protocol.md 3). */
export const checkoutStatus: Readonly<Record<State, string>> = {
  prepare: 'prepare',
  threeds: '3ds',
  redirect: 'redirect',
  pending: 'pending',
  settled: 'settled',
  declined: 'decline',
  refund: 'refund',
  reversal: 'reversal',
  void: 'void',
  chargeback: 'chargeback',
};

/** Checkout's name of a state or callback type; `void` for an authorisation's reversal by the mapping's setting. */
export function checkoutWireName<Word extends string>(
  word: Word,
  { operation }: Pick<Payment, 'operation'>,
  { reversalWord }: Pick<Mapping, 'reversalWord'>,
): Word | 'void' {
  return word === 'reversal' && operation !== 'debit' && reversalWord === 'void' ? 'void' : word;
}

const inCapitals = Object.entries(checkoutStatus).map(([state, name]) => [state, name.toUpperCase()]);

/** The form protocols' name of each state (protocol.md 5): Checkout's in capitals, except that of a decline. */
export const s2sStatus = { ...Object.fromEntries(inCapitals), declined: 'DECLINED' } as Readonly<Record<State, string>>;

/** `411111****1111`: first 6 and last 4 digits. */
export function cardMask(card: CardView): string {
  return `${card.first6}****${card.last4}`;
}

/** `MM/YYYY`; a payee's card may have none. */
export function cardExpiry(card: CardView): string | undefined {
  if (card.expYear === 0) return undefined;
  return formatExpiry({ month: card.expMonth, year: card.expYear });
}

/** Checkout's name of the payment method; the wallet also for a decrypted wallet token. */
export function paymentMethod(payment: Payment): string | undefined {
  return payment.digitalWallet ?? payment.method ?? undefined;
}

/** Returns the full name from either form of names. */
export function fullName(person: PartyDetails): string | undefined {
  const parts = [person.first_name, person.last_name].filter((part) => part !== undefined && part !== '');
  return person.name ?? (parts.length > 0 ? parts.join(' ') : undefined);
}

/** Returns first and last name as sent, else the full name split after its first word. */
export function namesOf(person: PartyDetails): { first?: string; last?: string } {
  if (person.first_name !== undefined || person.last_name !== undefined) {
    return { first: person.first_name, last: person.last_name };
  }
  const [first, ...others] = (person.name ?? '').split(' ').filter((word) => word !== '');
  return { first, last: others.length > 0 ? others.join(' ') : undefined };
}

/** The source of optional fields: the payment, its latest attempt, the reported transaction, and the merchant. */
export type FieldSource = {
  payment: Payment;
  /** The attempt, which has the browser data and the 3DS result. */
  attempt: Transaction | null;
  /** The reported transaction, for example a refund with its own references; else the attempt. */
  movement: Transaction | null;
  caller: Caller;
};

type OptionalField = (subject: FieldSource) => FormValue;

/** Optional fields by their wire names, each read by its member's name. */
const fieldsOf = <Name extends string>(
  names: readonly Name[],
  wireName: (name: Name) => string,
  read: (subject: FieldSource, name: Name) => FormValue,
): Record<string, OptionalField> =>
  Object.fromEntries(names.map((name) => [wireName(name), (subject: FieldSource) => read(subject, name)]));

const payerNames = [
  ...['birth_date', 'address', 'address2', 'house_number', 'phone_country_code', 'country', 'state', 'city'],
  ...['district', 'zip', 'email', 'phone', 'ip'],
];

const browserNames: readonly (keyof BrowserInfo)[] = [
  ...(['colorDepth', 'screenHeight', 'screenWidth', 'javaEnabled', 'javascriptEnabled', 'language'] as const),
  ...(['timezoneOffset', 'userAgent', 'acceptHeaders', 'platform'] as const),
];

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** All optional fields of mappings by wire name (interface.md, Events 4 to 6). Unknown values are absent. */
export const optionalFields: Readonly<Record<string, OptionalField>> = {
  payer_first_name: ({ payment }) => namesOf(payment.payer).first,
  payer_last_name: ({ payment }) => namesOf(payment.payer).last,
  ...fieldsOf(
    payerNames,
    (name) => `payer_${name}`,
    ({ payment }, name) => payment.payer[name],
  ),
  ...fieldsOf(
    threeDSFields,
    (name) => name,
    ({ attempt }, name) => attempt?.providerData.threeDS?.[name],
  ),
  ...fieldsOf(
    browserNames,
    (name) => `browser_${snakeCase(name)}`,
    ({ attempt }, name) => attempt?.browser?.[name],
  ),
  card: ({ payment }) => payment.card && cardMask(payment.card),
  card_expiration_date: ({ payment }) => payment.card && cardExpiry(payment.card),
  brand: brandOf,
  // Credential on file: who initiated the charge, whether the card is stored, and the charge's position in the series.
  ...fieldsOf(
    ['initiator', 'source', 'sequence'] as const,
    (name) => name,
    ({ attempt }, name) => attempt?.[name],
  ),
  ...fieldsOf(
    ['rrn', 'arn'] as const,
    (name) => name.toUpperCase(),
    ({ movement, attempt }, name) => (movement ?? attempt)?.providerData[name],
  ),
  checkout_payment_method: ({ payment }) => paymentMethod(payment),
  extended_data: extendedData,
};

function brandOf({ payment, attempt }: FieldSource): FormValue {
  // On S2S APM the method is the brand.
  const brand = payment.protocol === 's2s_apm' ? payment.method : undefined;
  return attempt?.providerData.brand ?? payment.card?.brand ?? brand;
}

// Release 6.6.2; protocol.md 7 names the members.
function extendedData({ attempt, movement, caller }: FieldSource): FormFields | undefined {
  const { providerData, midId } = movement ?? attempt ?? {};
  if (!providerData) return undefined;
  const mid = caller.mids.find((each) => each.id === midId);
  return definedFields({
    connector_name: mid?.connector,
    rrn: providerData.rrn,
    approval_code: providerData.approvalCode ?? attempt?.providerData.approvalCode,
    gateway_id: providerData.providerRef,
    merchant_name: caller.merchant.name,
    mid_name: mid?.name,
    issuer_country: attempt?.providerData.extended?.issuer_country,
    issuer_bank: attempt?.providerData.extended?.issuer_bank,
  });
}

/** Returns the named optional fields that have a value. Unknown names are ignored. */
export function selectOptionalFields(names: readonly string[], subject: FieldSource): FormFields {
  const values = names.map((name) => [
    name,
    Object.hasOwn(optionalFields, name) ? optionalFields[name]?.(subject) : undefined,
  ]);
  return definedFields(Object.fromEntries(values) as FormFields);
}

/** Removes members without a value and converts numbers and booleans to text, the only scalar type on the wire. */
export function definedFields(fields: FormFields): FormFields {
  const defined: [string, FormValue][] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined || value === '') continue;
    defined.push([name, typeof value === 'object' ? value : String(value)]);
  }
  return Object.fromEntries(defined);
}

/** The fields of a payment's recurring chain and schedule. */
export function scheduleFields(payment: Payment): FormFields {
  return {
    recurring_token: payment.recurringToken,
    schedule_id: payment.scheduleId,
    first_recurring_date: payment.firstRecurring,
    schedule_start_date: payment.scheduleId ? payment.scheduleStart : undefined,
    payment_schedule_amount: payment.scheduleId ? payment.scheduleAmount : undefined,
  };
}

/** Whether an operation pays money out. */
export const isPayout = (operation: string) => operation === 'credit' || operation === 'transfer';

type PayeeInput = {
  payee?: { [name: string]: string | undefined };
  payee_billing_address?: { [name: string]: string | undefined };
  payee_first_name?: string;
  payee_last_name?: string;
};

/** Returns the payee of a request. */
export function payeeOf(input: PayeeInput): PartyDetails {
  const { language: _unused, ...address } = input.payee_billing_address ?? {};
  const { ip: _none, ...payee } = input.payee ?? {};
  const names = { first_name: input.payee_first_name, last_name: input.payee_last_name };
  const details: PartyDetails = { ...payee, ...address, ...names };
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}

/** Returns `payee_card` and `payee_*` of a payout or a transfer; no fields for other payments. */
export function payeeFields({ operation, payee, card }: Payment): FormFields {
  if (!isPayout(operation)) return {};
  const { first, last } = namesOf(payee);
  const { name: _name, first_name: _first, last_name: _last, card: mask, ...others } = payee;
  return {
    payee_card: operation === 'credit' ? card && cardMask(card) : mask,
    payee_first_name: first,
    payee_last_name: last,
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [`payee_${name}`, value])),
  };
}

type ReturnSettings = Pick<Mapping, 'digest' | 'uppercase' | 'redirectParameters'>;

/**
 * Appends payment_id, trans_id (if there was an attempt), order_id and hash to `url`, and payment_method and brand if
 * the mapping option is on. The merchant's text is not changed; a fragment stays at the end.
 */
export function signedReturnUrl(
  url: string,
  payment: Payment,
  caller: Pick<Caller, 'key'> & { mapping: ReturnSettings },
): string {
  const query = new URLSearchParams(returnFields(payment, caller)).toString();
  const [, base = url, fragment = ''] = /^([^#]*)(#.*)?$/s.exec(url) ?? [];
  const separator = base.includes('?') ? (/[?&]$/.test(base) ? '' : '&') : '?';
  return `${base}${separator}${query}${fragment}`;
}

/** Returns the parameters as fields, in their order. */
export function returnFields(
  payment: Payment,
  { key, mapping }: Pick<Caller, 'key'> & { mapping: ReturnSettings },
): Record<string, string> {
  const values = {
    password: key.password,
    paymentId: payment.id,
    orderId: payment.orderNumber,
    amount: payment.orderAmount,
    currency: payment.currency,
    description: payment.description,
  };
  const fields: Record<string, string> = { payment_id: payment.id };
  if (payment.attemptId) fields.trans_id = payment.attemptId;
  fields.order_id = payment.orderNumber;
  fields.hash = sign('checkoutCallback', values, mapping);
  if (!mapping.redirectParameters) return fields;
  const method = paymentMethod(payment);
  if (method) fields.payment_method = method;
  if (payment.card?.brand) fields.brand = payment.card.brand;
  return fields;
}
