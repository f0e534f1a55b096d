// npm run chaos -- signatures: no hash that a payer holds signs a merchant's request. Random payments are drawn; the
// hash of their return addresses is tried on every request, with its text split over that request's fields in random
// ways.
//   --texts 1000000   --seed N

import type { KindOfId, RecipeName, SignatureValues } from '../../lib/core/signatures.ts';
import { command, type Result } from './command-line.ts';
import { type Draw, oneOf, random } from './seeded-random.ts';

/** The signed fields of each request, in the order of its recipe. The callbacks' recipes sign no request. */
const requests: Partial<Record<RecipeName, (keyof SignatureValues)[]>> = {
  card1: ['payerEmail', 'fragment'],
  card1Token: ['payerEmail', 'cardToken'],
  card2: ['payerEmail', 'transId', 'fragment'],
  card3: [],
  card4: ['scheduleId'],
  card5: ['fragment'],
  card5Token: ['cardToken'],
  card6: ['transId', 'fragment'],
  card7: ['payerEmail', 'orderId', 'fragment'],
  card8: ['payerEmail'],
  apmSale: ['identifier', 'orderId', 'amount', 'currency'],
  apmCreditVoid: ['transId'],
  apmFollow: ['transId'],
  apmCredit: ['orderId', 'amount', 'currency'],
  session: ['orderId', 'amount', 'currency', 'description'],
  statusByPayment: ['paymentId'],
  statusByOrder: ['orderId'],
  amountOfPayment: ['paymentId', 'amount'],
  wholePayment: ['paymentId'],
  recurring: ['recurringInitTransId', 'recurringToken', 'orderId', 'amount', 'description'],
  cardCredit: ['orderId', 'amount', 'currency', 'description'],
  cardToken: ['cardToken'],
};
const callbacks = ['apmCallback', 'apmCreditCallback', 'apmCryptoCallback', 'checkoutCallback'];

const currencies = ['USD', 'EUR', 'CAD', 'AED', 'BBD', 'CDF', 'JPY', 'BHD', 'BTC', 'USDT'];
/** Currencies of hexadecimal digits, which an id can contain. */
const hexCurrencies = ['cad', 'aed', 'bbd', 'cdf'];
const words = [
  'A grand piano',
  'Gift',
  '00',
  '1.00USDx',
  'Größe ß',
  'ﬁne ﬀ',
  'CAD',
  '  ',
  'Καφές',
  'ıſ',
  '12.50',
  'ffi',
  '钢琴',
];
/** Letters whose upper case equals that of others, so that they sign the same bytes. */
const equivalentLetters: [plain: string, other: string][] = [
  ['ff', 'ﬀ'],
  ['fi', 'ﬁ'],
  ['fl', 'ﬂ'],
  ['ss', 'ß'],
  ['st', 'ﬆ'],
  ['s', 'ſ'],
  ['i', 'ı'],
];

const hex = (draw: Draw, count: number) =>
  Array.from({ length: count }, () => Math.floor(draw() * 16).toString(16)).join('');
const uuid = (draw: Draw) => [8, 4, 4, 4, 12].map((count) => hex(draw, count)).join('-');

/** An id; a third contain an amount and a currency. */
function idOf(draw: Draw) {
  const id = uuid(draw);
  if (draw() > 1 / 3) return id;
  const place = oneOf(draw, [0, 1, 2, 3, 24, 26, 28, 30, 32]);
  const hole = `${1 + Math.floor(draw() * 9)}${oneOf(draw, hexCurrencies)}`;
  return id.slice(0, place) + hole + id.slice(place + hole.length);
}

type Order = ReturnType<typeof orderOf>;

function orderOf(draw: Draw) {
  const number = oneOf(draw, [
    () => `order-${hex(draw, 8)}`,
    () => String(Math.floor(draw() * 1e9)),
    () => uuid(draw),
    () => `${oneOf(draw, currencies)}-${hex(draw, 4)}`,
    () => oneOf(draw, words).trim() || 'X',
  ])();
  const amount = oneOf(draw, ['5000.00', '1.00', '0', '7', String(Math.floor(draw() * 1e6) / 100)]);
  return { orderId: number, amount, currency: oneOf(draw, currencies), description: oneOf(draw, words) };
}

/** A text with the same signature: other letter case, or letters with the same upper case. */
function rewritten(draw: Draw, text: string): string {
  const upper = text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  const mixed = () => [...text].map((one) => (draw() < 0.5 && /[a-z]/.test(one) ? one.toUpperCase() : one)).join('');
  const equivalent = () => {
    const [plain, other] = oneOf(draw, equivalentLetters);
    return text.replaceAll(plain, other);
  };
  return oneOf(draw, [() => text, () => upper, mixed, equivalent])();
}

/** Positions where a text can be read as an amount and a currency. */
function amountsIn(text: string): number[][] {
  return [...text.matchAll(/([1-9][0-9]*(?:\.[0-9]+)?)([A-Za-z]{3})/g)].map(
    ({ index, 1: amount = '', 2: currency = '' }) => {
      const ends = index + amount.length;
      return [index, ends, ends + currency.length];
    },
  );
}

/** Splits the text into `count` pieces. */
function cut(draw: Draw, text: string, count: number): string[] {
  const sensible = count === 4 ? amountsIn(text) : [];
  const free = () =>
    Array.from({ length: count - 1 }, () => Math.floor(draw() * (text.length + 1))).sort((one, other) => one - other);
  // Most requests begin with an id.
  const behindId = () =>
    [
      36,
      ...free()
        .slice(1)
        .map((place) => Math.max(36, place)),
    ].slice(0, count - 1);
  const places = sensible.length > 0 && draw() < 0.5 ? oneOf(draw, sensible) : draw() < 0.3 ? behindId() : free();
  return Array.from({ length: count }, (_, at) => text.slice(places[at - 1] ?? 0, places[at] ?? text.length));
}

/** Runs the test on the pipeline's verification function; its database query is answered from the drawn payments. */
export async function runSignatureTest({ texts, seed }: { texts: number; seed: number }): Promise<Result> {
  const { recipes, sign, signsRequest, verify } = await import('../../lib/core/signatures.ts');
  const unknown = Object.keys(recipes).filter((name) => !(name in requests) && !callbacks.includes(name));
  const violations = unknown.map((name) => `the test lacks the recipe ${name}`);
  const draw = random(seed);
  const summary = { texts: 0, withTheRightHash: 0, accepted: 0, merchantsOwn: 0, payments: 0 };
  while (summary.texts < texts && violations.length < 50) {
    const [id, transaction] = [idOf(draw), uuid(draw)];
    const kindOf: KindOfId = async (value) =>
      value.toLowerCase() === id ? 'payment' : value.toLowerCase() === transaction ? 'transaction' : null;
    const password = hex(draw, 32);
    const digest = oneOf(draw, ['md5', 'sha256'] as const);
    const order = orderOf(draw);
    summary.payments += 1;
    // The mapping decides whether return addresses are upper-cased as ASCII or Unicode.
    const unicode = draw() < 0.5;
    const signed = Object.values(order).map((text) => (unicode ? text.toUpperCase() : text));
    const values = Object.fromEntries(Object.keys(order).map((name, at) => [name, signed[at]]));
    const expected = sign('checkoutCallback', { ...values, paymentId: id, password }, { digest });
    const text = id + Object.values(order).join('');
    for (const [recipe, names] of Object.entries(requests) as [RecipeName, (keyof SignatureValues)[]][]) {
      const pieces = cut(draw, rewritten(draw, text), Math.max(1, names.length));
      const forged = { ...Object.fromEntries(names.map((name, at) => [name, pieces[at]])), password };
      const sent = draw() < 0.5 ? expected : expected.toUpperCase();
      summary.texts += 1;
      if (verify(recipe, forged, sent, { digest })) summary.withTheRightHash += 1;
      if (!(await signsRequest({ recipe, values: forged, hash: sent }, { digest, kindOf }))) continue;
      summary.accepted += 1;
      violations.push(`${recipe} was accepted with a payer's hash: ${JSON.stringify({ ...forged, password: '' })}`);
    }
    for (const [recipe, own] of Object.entries(merchantsOwn(draw, order, id, transaction)) as [
      RecipeName,
      Omit<SignatureValues, 'password'>,
    ][]) {
      const sent = sign(recipe, { ...own, password }, { digest });
      summary.merchantsOwn += 1;
      if (await signsRequest({ recipe, values: { ...own, password }, hash: sent }, { digest, kindOf })) continue;
      violations.push(`${recipe} of the merchant was refused: ${JSON.stringify(own)}`);
    }
  }
  // The test needs texts that would verify otherwise: on Checkout nearly all do.
  if (summary.withTheRightHash < summary.texts / 5) violations.push('too few of the texts had the right hash');
  return { violations, summary };
}

/** Requests that the merchant signs itself, also about its own ids: none may be refused. */
function merchantsOwn(draw: Draw, order: Order, id: string, transaction: string) {
  const other = { ...order, orderId: oneOf(draw, [order.orderId, uuid(draw), `${uuid(draw)}-2`]) };
  return {
    session: other,
    cardCredit: other,
    statusByPayment: { paymentId: id },
    statusByOrder: { orderId: other.orderId },
    wholePayment: { paymentId: id.toUpperCase() },
    amountOfPayment: { paymentId: id, amount: order.amount },
    recurring: { ...order, recurringInitTransId: transaction, recurringToken: uuid(draw), currency: undefined },
    cardToken: { cardToken: hex(draw, 64) },
    card2: { payerEmail: 'ana@example.com', transId: transaction, fragment: '4111111111' },
    apmFollow: { transId: id },
  };
}

await command(import.meta.url, ['texts'], ({ texts = 1_000_000 }, seed) =>
  runSignatureTest({ texts: Number(texts), seed }),
);
