// Wire representations that are derived and never stored: statuses, masks, dates, and the optional fields of a protocol
// mapping. Responses and callbacks use the same functions.

import { formatExpiry } from '../../core/cards';
import { threeDSFields } from '../../core/mapping-options';
import type { CardView, PartyDetails, Payment, Transaction } from '../../core/payment';
import type { BrowserInfo } from '../../core/provider-data';
import type { State } from '../../core/states';
import type { FormFields, FormValue } from '../../http';
import type { Caller, Mapping } from '../../merchants';

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

/**
 * Returns Checkout's name of a state or callback type. The reversal of an authorisation is `void` if the mapping says
 * so (protocol.md 3); that of a debit is always `reversal`.
 */
export function checkoutWireName<Word extends string>(
  word: Word,
  { operation }: Pick<Payment, 'operation'>,
  { reversalWord }: Pick<Mapping, 'reversalWord'>,
): Word | 'void' {
  return word === 'reversal' && operation !== 'debit' && reversalWord === 'void' ? 'void' : word;
}

/** The form protocols' name of each state (protocol.md 5). */
export const s2sStatus: Readonly<Record<State, string>> = {
  prepare: 'PREPARE',
  threeds: '3DS',
  redirect: 'REDIRECT',
  pending: 'PENDING',
  settled: 'SETTLED',
  declined: 'DECLINED',
  refund: 'REFUND',
  reversal: 'REVERSAL',
  void: 'VOID',
  chargeback: 'CHARGEBACK',
};

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

const payerField =
  (name: string): OptionalField =>
  ({ payment }) =>
    payment.payer[name];

const threeDSField =
  (name: string): OptionalField =>
  ({ attempt }) =>
    attempt?.providerData.threeDS?.[name];

const browserField =
  (name: keyof BrowserInfo): OptionalField =>
  ({ attempt }) =>
    attempt?.browser?.[name];

const referenceField =
  (name: 'arn' | 'rrn'): OptionalField =>
  ({ movement, attempt }) =>
    (movement ?? attempt)?.providerData[name];

/**
 * Credential on file: who initiated the charge, whether the card is stored, and the charge's position in the series.
 */
const credentialField =
  (name: 'initiator' | 'source' | 'sequence'): OptionalField =>
  ({ attempt }) =>
    attempt?.[name];

/** All optional fields of mappings by wire name (interface.md, Events 4 to 6). Unknown values are absent. */
export const optionalFields: Readonly<Record<string, OptionalField>> = {
  payer_first_name: ({ payment }) => namesOf(payment.payer).first,
  payer_last_name: ({ payment }) => namesOf(payment.payer).last,
  payer_birth_date: payerField('birth_date'),
  payer_address: payerField('address'),
  payer_address2: payerField('address2'),
  payer_house_number: payerField('house_number'),
  payer_phone_country_code: payerField('phone_country_code'),
  payer_country: payerField('country'),
  payer_state: payerField('state'),
  payer_city: payerField('city'),
  payer_district: payerField('district'),
  payer_zip: payerField('zip'),
  payer_email: payerField('email'),
  payer_phone: payerField('phone'),
  payer_ip: payerField('ip'),
  ...Object.fromEntries(threeDSFields.map((name) => [name, threeDSField(name)])),
  browser_color_depth: browserField('colorDepth'),
  browser_screen_height: browserField('screenHeight'),
  browser_screen_width: browserField('screenWidth'),
  browser_java_enabled: browserField('javaEnabled'),
  browser_javascript_enabled: browserField('javascriptEnabled'),
  browser_language: browserField('language'),
  browser_timezone_offset: browserField('timezoneOffset'),
  browser_user_agent: browserField('userAgent'),
  browser_accept_headers: browserField('acceptHeaders'),
  browser_platform: browserField('platform'),
  card: ({ payment }) => payment.card && cardMask(payment.card),
  card_expiration_date: ({ payment }) => payment.card && cardExpiry(payment.card),
  brand: brandOf,
  initiator: credentialField('initiator'),
  source: credentialField('source'),
  sequence: credentialField('sequence'),
  RRN: referenceField('rrn'),
  ARN: referenceField('arn'),
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
