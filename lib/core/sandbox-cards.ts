// The sandbox's cards, used by the provider simulator, the payer's test bar, the tests and the documentation. Any other
// number is a live card, which always fails in the sandbox (protocol.md section 9).
import type { BrandId } from './cards.ts';
import type { DeclineClass } from './declines.ts';

/** A decline of a sandbox card; the shape of a connector's decline. */
export type SandboxDecline = { code: string; reason: string; class: DeclineClass; soft: boolean };

/**
 * What happens before the outcome.
 * frictionless: 3-D Secure without interaction; confirm: the bank's page with one button; code: the bank's page asks
 * for {@link sandboxCode}; refused3ds: the bank does not authenticate; redirect: a page of the provider; wait: the
 * provider responds "processing" and notifies later; hang: it responds after the caller's timeout; drop: it closes the
 * connection after it has recorded the charge; slow: it responds late; firstFails: only the first attempt of an order
 * is declined; confirmFirstFails: the same after the bank's page with one button.
 */
export type SandboxVia =
  | 'frictionless'
  | 'confirm'
  | 'code'
  | 'refused3ds'
  | 'redirect'
  | 'wait'
  | 'hang'
  | 'drop'
  | 'slow'
  | 'firstFails'
  | 'confirmFirstFails';

export type SandboxCard = {
  /** A short unique id for tests and links. */
  id: string;
  number: string;
  /** `MM/YYYY`; null if any future date is accepted. */
  expiry: string | null;
  brand: BrandId;
  /** What happens, in a few English words. */
  name: string;
  /** `settled` includes authorised if the payment only authorises; `payout` accepts payouts and declines payments. */
  outcome: 'settled' | 'declined' | 'payout';
  via?: SandboxVia;
  /** Why the payment is declined; for `firstFails`, why its first attempt is. */
  decline?: SandboxDecline;
  /** Why subsequent payments are declined after a successful initial payment. */
  next?: SandboxDecline;
  /** Modifications that are declined after a successful payment. */
  follow?: { capture?: SandboxDecline; refund?: SandboxDecline; void?: SandboxDecline };
};

/** The code that the bank's page accepts. */
export const sandboxCode = '1234';

const decline = (code: string, reason: string, group: DeclineClass, soft = false): SandboxDecline => ({
  code,
  reason,
  class: group,
  soft,
});

const byProcessing = decline('declined', 'Declined by processing', 'bank');
const noAnswer = decline('issuer_unavailable', 'The bank could not be reached', 'technical', true);

/** The decline of a card outside the table, and of a payment with a payout card. */
export const liveCardDecline = decline('live_card', 'Live cards fail in the sandbox', 'bank');
/** The decline of a known number with a date that is not in the table. */
export const expiryDecline = decline('wrong_expiry', 'This sandbox card has no such expiry date', 'data');

type Rest = Pick<SandboxCard, 'via' | 'decline' | 'follow' | 'next'> & { brand?: BrandId; expiry?: string };

function row(id: string, number: string, name: string, outcome: SandboxCard['outcome'], rest: Rest = {}): SandboxCard {
  const { brand = 'visa', expiry = null, ...facts } = rest;
  return { id, number, expiry, brand, name, outcome, ...facts };
}

const main = '4111111111111111';

/** Every sandbox card. Any security code and any amount are accepted. */
export const sandboxCards: readonly SandboxCard[] = [
  // The cards of the contract's documentation.
  row('settled', main, 'Settled', 'settled', { expiry: '01/2038' }),
  row('declined', main, 'Declined', 'declined', { expiry: '02/2038', decline: byProcessing }),
  row('capture-declined', main, 'Settled; a capture is declined', 'settled', {
    expiry: '03/2038',
    follow: { capture: byProcessing },
  }),
  row('3ds-settled', main, '3-D Secure, then settled', 'settled', { expiry: '05/2038', via: 'confirm' }),
  row('3ds-declined', main, '3-D Secure, then declined', 'declined', {
    expiry: '06/2038',
    via: 'confirm',
    decline: byProcessing,
  }),
  row('redirect-settled', main, 'Redirect, then settled', 'settled', { expiry: '12/2038', via: 'redirect' }),
  row('redirect-declined', main, 'Redirect, then declined', 'declined', {
    expiry: '12/2039',
    via: 'redirect',
    decline: byProcessing,
  }),
  row('payout', '4601541833776519', 'Payout settled', 'payout'),

  // One settled card per brand.
  row('visa', '4242424242424242', 'Visa, settled', 'settled'),
  row('mastercard', '5555555555554444', 'Mastercard, settled', 'settled', { brand: 'mastercard' }),
  row('mastercard-2', '2223003122003222', 'Mastercard of the 2 series, settled', 'settled', { brand: 'mastercard' }),
  row('amex', '378282246310005', 'American Express, settled', 'settled', { brand: 'amex' }),
  row('discover', '6011111111111117', 'Discover, settled', 'settled', { brand: 'discover' }),
  row('diners', '30569309025904', 'Diners Club, settled', 'settled', { brand: 'diners' }),
  row('jcb', '3530111333300000', 'JCB, settled', 'settled', { brand: 'jcb' }),
  row('unionpay', '6200000000000005', 'UnionPay, settled', 'settled', { brand: 'unionpay' }),
  row('maestro', '6759649826438453', 'Maestro, settled', 'settled', { brand: 'maestro' }),
  row('mir', '2200000000000004', 'Mir, settled', 'settled', { brand: 'mir' }),
  row('troy', '9792030000000000', 'Troy, settled', 'settled', { brand: 'troy' }),
  row('elo', '6362970000457013', 'Elo, settled', 'settled', { brand: 'elo' }),
  row('hipercard', '6062826786276634', 'Hipercard, settled', 'settled', { brand: 'hipercard' }),
  row('hiper', '6370950000000005', 'Hiper, settled', 'settled', { brand: 'hiper' }),
  row('naranja', '5895627823453003', 'Naranja, settled', 'settled', { brand: 'naranja' }),
  row('verve', '5060990000000008', 'Verve, settled', 'settled', { brand: 'verve' }),
  row('rupay', '5085000000000007', 'RuPay, settled', 'settled', { brand: 'rupay' }),
  row('dinacard', '9891000000000003', 'DinaCard, settled', 'settled', { brand: 'dinacard' }),
  row('dankort', '5019555544445555', 'Dankort, settled', 'settled', { brand: 'dankort' }),
  row('uzcard', '8600000000000007', 'Uzcard, settled', 'settled', { brand: 'uzcard' }),
  row('humo', '9860000000000000', 'Humo, settled', 'settled', { brand: 'humo' }),
  row('belkart', '9112000000000006', 'Belkart, settled', 'settled', { brand: 'belkart' }),
  row('uatp', '135410014004955', 'UATP, settled', 'settled', { brand: 'uatp' }),

  // Declines, by the payer's next step.
  row('no-funds', '4000000000009995', 'Insufficient funds', 'declined', {
    decline: decline('insufficient_funds', 'Insufficient funds', 'funds', true),
  }),
  row('over-limit', '4000000000001000', 'Over the limit of the card', 'declined', {
    decline: decline('limit_exceeded', 'The limit of the card is exceeded', 'funds', true),
  }),
  row('wrong-cvv', '4000000000000127', 'Wrong security code', 'declined', {
    decline: decline('wrong_cvv', 'The security code is wrong', 'data'),
  }),
  row('wrong-expiry', '4000000000000069', 'Wrong or past expiry date', 'declined', {
    decline: decline('wrong_expiry', 'The card has expired or its expiry date is wrong', 'data'),
  }),
  row('wrong-number', '4000000000001018', 'Unknown card number', 'declined', {
    decline: decline('wrong_number', 'There is no card with this number', 'data'),
  }),
  row('do-not-honour', '4000000000000002', 'Declined without a reason', 'declined', {
    decline: decline('do_not_honour', 'Do not honour', 'bank'),
  }),
  row('stolen', '4000000000009979', 'Reported stolen', 'declined', {
    decline: decline('stolen_card', 'The card was reported stolen', 'bank'),
  }),
  row('technical', '4000000000000119', 'Issuer unavailable', 'declined', { decline: noAnswer }),
  row('first-fails', '4000000000001026', 'The first attempt of an order is declined, the next settles', 'settled', {
    via: 'firstFails',
    decline: noAnswer,
  }),
  row('3ds-first-fails', '4000000000001109', '3-D Secure; the first attempt is declined, the next settles', 'settled', {
    via: 'confirmFirstFails',
    decline: noAnswer,
  }),

  // 3-D Secure.
  row('3ds-frictionless', '4000000000003055', '3-D Secure without a challenge, then settled', 'settled', {
    via: 'frictionless',
  }),
  row('3ds-code', '4000000000003220', '3-D Secure with the code 1234, then settled', 'settled', { via: 'code' }),
  row('3ds-failed', '4000008400001280', '3-D Secure fails', 'declined', {
    via: 'refused3ds',
    decline: decline('authentication_failed', 'The bank could not authenticate the payer', 'unconfirmed', true),
  }),

  // Late, lost or non-final responses.
  row('timeout-settled', '4000000000001034', 'No answer in time, later settled', 'settled', { via: 'hang' }),
  row('timeout-declined', '4000000000001042', 'No answer in time, later declined', 'declined', {
    via: 'hang',
    decline: byProcessing,
  }),
  row('dropped', '4000000000001059', 'Settled, but the answer is lost', 'settled', { via: 'drop' }),
  row('slow', '4000000000001067', 'Settled after up to 8 seconds', 'settled', { via: 'slow' }),
  row('waiting-settled', '4000000000001075', 'Processing, settled after 3 seconds', 'settled', { via: 'wait' }),
  row('waiting-declined', '4000000000001083', 'Processing, declined after 3 seconds', 'declined', {
    via: 'wait',
    decline: byProcessing,
  }),

  // Modifications that fail.
  row('refund-declined', '4000000000005126', 'Settled; a refund is declined', 'settled', {
    follow: { refund: byProcessing },
  }),
  row('void-declined', '4000000000001091', 'Settled; a void is declined', 'settled', {
    follow: { void: byProcessing },
  }),

  // Subsequent payments that fail.
  row('next-no-funds', '4000000000001117', 'Settled; later charges are declined: insufficient funds', 'settled', {
    next: decline('insufficient_funds', 'Insufficient funds', 'funds', true),
  }),
  row('next-stolen', '4000000000001125', 'Settled; later charges are declined: stolen card', 'settled', {
    next: decline('stolen_card', 'The card was reported stolen', 'bank'),
  }),
];

const numbers = new Set(sandboxCards.map((card) => card.number));

/**
 * Whether this number may be used in the sandbox. Any other is a live card: it is neither stored nor sent, and the
 * payment is declined with {@link liveCardDecline}. `number` contains digits only.
 */
export function isSandboxCard(number: string): boolean {
  return numbers.has(number);
}

/** The row for a number and its date (`month` 1..12, four-digit `year`); null if there is none. */
export function findSandboxCard(number: string, month: number, year: number): SandboxCard | null {
  const expiry = `${String(month).padStart(2, '0')}/${year}`;
  return sandboxCards.find((card) => card.number === number && (card.expiry ?? expiry) === expiry) ?? null;
}

/** The row with this id; throws if there is none. */
export function sandboxCard(id: string): SandboxCard {
  const card = sandboxCards.find((row) => row.id === id);
  if (!card) throw new RangeError(`There is no sandbox card ${id}`);
  return card;
}
