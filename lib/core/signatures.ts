// All signatures of the three protocols, for signing and verification. A recipe mirrors the contract's sentence: the
// texts, their order, reversal and upper case; hashing happens below, on bytes.

import { createHash, timingSafeEqual } from 'node:crypto';

/** The digest that the protocol mapping selects; inputs and order do not depend on it. */
export type Digest = 'md5' | 'sha256';

/** A decoded body as the S2S APM callback signs it: texts at the leaves, numbers and booleans in their JSON form. */
export type SignedFields = { readonly [name: string]: SignedValue };
export type SignedValue = string | number | boolean | null | undefined | readonly SignedValue[] | SignedFields;

/** The values of recipes, as sent. An absent one is omitted: payments without e-mail or card are signed that way. */
export type SignatureValues = {
  password: string;
  payerEmail?: string;
  /** The first 6 digits, then the last 4 digits of the card number. */
  fragment?: string;
  cardToken?: string;
  transId?: string;
  paymentId?: string;
  scheduleId?: string;
  /** order_id, or order.number on Checkout. */
  orderId?: string;
  amount?: string;
  currency?: string;
  description?: string;
  identifier?: string;
  status?: string;
  recurringInitTransId?: string;
  recurringToken?: string;
  /** The whole callback of S2S APM; its `hash` is ignored. */
  fields?: SignedFields;
};

// A text before hashing. Reversal and upper case are flags: reversing bytes destroys characters, and the two readings
// of upper case need whole characters.
type Piece = { readonly text: string; readonly reversed: boolean; readonly upper: boolean };
type Term = string | undefined | readonly Piece[];
type Input = { readonly pieces: readonly Piece[]; readonly outer: boolean };

const join = (terms: readonly Term[]): Piece[] =>
  terms.flatMap((term) => {
    if (term === undefined) return [];
    return typeof term === 'string' ? [{ text: term, reversed: false, upper: false }] : term;
  });

const upper = (...terms: Term[]): Piece[] => join(terms).map((piece) => ({ ...piece, upper: true }));

const reverse = (...terms: Term[]): Piece[] =>
  join(terms)
    .reverse()
    .map((piece) => ({ ...piece, reversed: !piece.reversed }));

const digest = (...terms: Term[]): Input => ({ pieces: join(terms), outer: false });

const sha1 = (inner: Input): Input => ({ ...inner, outer: true });

// Sorted by name at every level; each leaf is reversed separately.
function leaves(fields: SignedFields | undefined): Piece[] {
  const { hash: _dropped, ...signed } = fields ?? {};
  return leavesOf(signed);
}

function leavesOf(value: SignedValue): Piece[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return reverse(String(value));
  return Object.entries(value)
    .sort(([a], [b]) => byName(a, b))
    .flatMap(([, inner]) => leavesOf(inner as SignedValue));
}

// PHP's ksort order: numeric list positions first, then names by their bytes.
function byName(a: string, b: string): number {
  const [listA, listB] = [a, b].map((name) => /^(0|[1-9][0-9]{0,9})$/.test(name));
  if (listA && listB) return Number(a) - Number(b);
  if (listA !== listB) return listA ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

type Recipe = (v: SignatureValues) => Input;

/** All formulas (interface.md, Authentication; protocol.md 1). The contract's `.` is the comma. */
export const recipes = {
  // S2S CARD, formulas 1 to 8. A payment without a stored card omits the fragment.
  card1: (v) => digest(upper(reverse(v.payerEmail), v.password, reverse(v.fragment))),
  card1Token: (v) => digest(upper(reverse(v.payerEmail), v.password, reverse(v.cardToken))),
  card2: (v) => digest(upper(reverse(v.payerEmail), v.password, v.transId, reverse(v.fragment))),
  card3: (v) => digest(upper(reverse(v.password))),
  card4: (v) => digest(upper(reverse(v.scheduleId, v.password))),
  card5: (v) => digest(upper(v.password, reverse(v.fragment))),
  card5Token: (v) => digest(upper(v.password, reverse(v.cardToken))),
  card6: (v) => digest(upper(v.password, v.transId, reverse(v.fragment))),
  card7: (v) => digest(upper(reverse(v.payerEmail), v.password, v.orderId, reverse(v.fragment))),
  card8: (v) => digest(upper(reverse(v.payerEmail), v.password)),

  // S2S APM. Sale: SALE, DEBIT2VIRTUAL, DEBIT2VIRTUAL_CALC.
  apmSale: (v) => digest(upper(reverse(v.identifier, v.orderId, v.amount, v.currency, v.password))),
  apmCreditVoid: (v) => digest(upper(reverse(v.transId, v.password))),
  // CAPTURE, VOID, GET_TRANS_STATUS, DEBIT2VIRTUAL_COMPLETE.
  apmFollow: (v) => digest(upper(reverse(v.transId)), v.password),
  // CREDIT2VIRTUAL, CREDIT2CRYPTO.
  apmCredit: (v) => digest(upper(reverse(v.orderId, v.amount, v.currency)), v.password),
  apmCallback: (v) => digest(upper(leaves(v.fields), v.password)),
  // Callbacks of CREDIT2VIRTUAL and CREDIT2CRYPTO.
  apmCreditCallback: (v) => digest(upper(reverse(v.transId, v.orderId, v.status)), v.password),
  // Callback of a SALE paid in crypto.
  apmCryptoCallback: (v) => digest(upper(reverse(v.payerEmail), v.password, v.transId)),

  // Checkout. Session: session and session/token.
  session: (v) => sha1(digest(upper(v.orderId, v.amount, v.currency, v.description, v.password))),
  statusByPayment: (v) => sha1(digest(upper(v.paymentId, v.password))),
  statusByOrder: (v) => sha1(digest(upper(v.orderId, v.password))),
  // payment/refund and payment/capture; the amount as sent, omitted if absent.
  amountOfPayment: (v) => sha1(digest(upper(v.paymentId, v.amount, v.password))),
  // payment/void and payment/retry.
  wholePayment: (v) => sha1(digest(upper(v.paymentId, v.password))),
  // payment/recurring, without the currency.
  recurring: (v) =>
    sha1(digest(upper(v.recurringInitTransId, v.recurringToken, v.orderId, v.amount, v.description, v.password))),
  // payment/card/credit.
  cardCredit: (v) => sha1(digest(upper(v.orderId, v.amount, v.currency, v.description, v.password))),
  // card_token/remove.
  cardToken: (v) => sha1(digest(upper(v.cardToken, v.password))),
  // Callbacks, and the query of success_url and cancel_url.
  checkoutCallback: (v) => sha1(digest(upper(v.paymentId, v.orderId, v.amount, v.currency, v.description, v.password))),
} as const satisfies Record<string, Recipe>;

export type RecipeName = keyof typeof recipes;

/** How a callback is signed: the recipe and its values. */
export type CallbackSignature = { recipe: RecipeName; values: Omit<SignatureValues, 'password'> };

/** Upper case of a to z only, or of every Unicode letter. Requests are accepted in either reading. */
export type Uppercase = 'ascii' | 'unicode';
type UppercaseFunction = (text: string) => string;
const ascii: UppercaseFunction = (text) => text.replace(/[a-z]+/g, (run) => run.toUpperCase());
const unicode: UppercaseFunction = (text) => text.toUpperCase();

/** Signs values for a callback or a return address: lower-case hex. Without `uppercase` only a to z are converted. */
export function sign(
  recipe: RecipeName,
  values: SignatureValues,
  options: { digest: Digest; uppercase?: Uppercase },
): string {
  const reading = options.uppercase === 'unicode' ? unicode : ascii;
  return hash(recipes[recipe](values), reading, options.digest).toString('hex');
}

/**
 * Whether `signature` (hex in either case) signs the values by the recipe, or by any of several if the protocol accepts
 * more than one, in either reading of upper case. Every candidate is computed and compared in constant time, so that
 * timing reveals nothing.
 */
export function verify(
  recipe: RecipeName | readonly RecipeName[],
  values: SignatureValues,
  signature: string,
  options: { digest: Digest },
): boolean {
  const names = typeof recipe === 'string' ? [recipe] : recipe;
  const bytes = /^(?:[0-9a-f]{2}){1,64}$/i.test(signature) ? Buffer.from(signature, 'hex') : Buffer.alloc(0);
  let valid = false;
  for (const name of names) {
    for (const reading of [ascii, unicode]) {
      const expected = hash(recipes[name](values), reading, options.digest);
      const same = bytes.length === expected.length && timingSafeEqual(bytes, expected);
      valid = same || valid;
    }
  }
  return valid;
}

/** The kind of the merchant's entity with this id; null if the merchant has none. */
export type KindOfId = (id: string) => Promise<'payment' | 'transaction' | null>;

/** The signature of a request: the recipe or recipes, the raw texts, and the received hash. */
export type Signed = { recipe: RecipeName | readonly RecipeName[]; values: SignatureValues; hash: string };

/**
 * Whether the hash authorises a merchant's request: it signs the values and is not a hash that a payer has seen. Texts
 * are joined without separators, so the hash on success_url and cancel_url (payment id, order, amount, currency and
 * description) also signs any other request whose texts join to the same string. `kindOf` is called only for texts of
 * that shape.
 */
export async function signsRequest(signed: Signed, options: { digest: Digest; kindOf: KindOfId }): Promise<boolean> {
  if (!verify(signed.recipe, signed.values, signed.hash, options)) return false;
  return !(await isKnownToPayer(signed, options.kindOf));
}

/** Whether the joined text of a request begins with the id of a payment, like the texts whose hashes payers see. */
export async function isKnownToPayer({ recipe, values }: Omit<Signed, 'hash'>, kindOf: KindOfId): Promise<boolean> {
  for (const name of typeof recipe === 'string' ? [recipe] : recipe) {
    for (const id of idsBefore(recipes[name]({ ...values, password: '' }))) {
      const kind = await kindOf(id);
      // A recurring charge begins with a transaction's id; payers never see the hash of such a text.
      if (kind === 'payment' || (kind === 'transaction' && name !== 'recurring')) return true;
    }
  }
  return false;
}

/**
 * The text that a return address signs, in upper case: a payment id, an order number and an amount, the letters of a
 * currency, and a description. The signed text of refunds, an amount after a payment id, has no such letters.
 */
const returnText = /^([0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}).{2,}[A-Z]{3}.{2}/su;

// Both readings are checked because both are accepted: some characters become several letters of an id in upper case
// only (U+FB00). Payers see only hashes with the outer layer, whose length differs from those of S2S.
function idsBefore({ pieces, outer }: Input): Set<string> {
  if (!outer) return new Set();
  const texts = [ascii, unicode].map((reading) => pieces.map(({ text }) => reading(text)).join(''));
  return new Set(texts.flatMap((text) => returnText.exec(text)?.[1]?.toLowerCase() ?? []));
}

/** One value of a signed text: its name in {@link SignatureValues} (`fields.a.b` for a leaf), and the text as sent. */
export type Part = { name: string; text: string; upper: boolean };

/** Parts that are reversed together, in their original order; an unreversed part is its own group. */
export type Group = { parts: readonly Part[]; reversed: boolean };

/** A recipe with its values in place, for display or modification. */
export type Layout = { groups: readonly Group[]; outer: boolean };

const mark = '\u0001';

/** The structure of a recipe's text, by running it with markers, so that the display cannot differ from the check. */
export function layOut(recipe: RecipeName, values: SignatureValues): Layout {
  const texts = new Map<string, string>();
  const { pieces, outer } = recipes[recipe](marked(values, texts));
  const groups: Group[] = [];
  for (const { text: name, reversed, upper: isUpper } of pieces) {
    const part = { name: name.slice(mark.length), text: texts.get(name) ?? '', upper: isUpper };
    const last = groups.at(-1);
    // Each leaf is reversed separately; values that are reversed together arrive in reverse order.
    const joins = reversed && last?.reversed === true && !part.name.startsWith('fields.');
    if (joins) groups[groups.length - 1] = { parts: [part, ...last.parts], reversed };
    else groups.push({ parts: [part], reversed });
  }
  return { groups, outer };
}

function marked(values: SignatureValues, texts: Map<string, string>): SignatureValues {
  const put = (value: SignedValue, path: string): SignedValue => {
    if (value === null || value === undefined) return value;
    if (typeof value === 'object') {
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, put(inner, `${path}.${name}`)]));
    }
    texts.set(mark + path, String(value));
    return mark + path;
  };
  const entries = Object.entries(values).map(([name, value]) => [name, put(value as SignedValue, name)]);
  return Object.fromEntries(entries) as SignatureValues;
}

/** The bytes of a layout before the digest, with upper case of ASCII letters or of all letters. */
export function signedBytes({ groups }: Layout, reading: Uppercase = 'ascii'): Buffer {
  const pieces = groups.flatMap(({ parts, reversed }) => {
    const inOrder = parts.map((part) => ({ text: part.text, upper: part.upper, reversed }));
    return reversed ? inOrder.reverse() : inOrder;
  });
  return bytesOf(pieces, reading === 'ascii' ? ascii : unicode);
}

function hash(input: Input, reading: UppercaseFunction, algorithm: Digest): Buffer {
  const inner = createHash(algorithm).update(bytesOf(input.pieces, reading)).digest();
  return input.outer ? createHash('sha1').update(inner.toString('hex')).digest() : inner;
}

function bytesOf(pieces: readonly Piece[], reading: UppercaseFunction): Buffer {
  return Buffer.concat(
    pieces.map((piece) => {
      const bytes = Buffer.from(piece.upper ? reading(piece.text) : piece.text, 'utf8');
      return piece.reversed ? bytes.reverse() : bytes;
    }),
  );
}
