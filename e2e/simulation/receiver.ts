// The merchants' servers that receive callbacks and verify what a merchant would: who sent each, and about which order.
import { signApmFields } from '../support/apm-signatures.ts';
import { isSignedCardCallback } from '../support/card-merchant.ts';
import { isSignedCallback, isSignedWebhook } from '../support/signatures.ts';
import type { Chance } from './chance.ts';
import { firstMerchant, type Merchant, merchantAt } from './merchants.ts';
import type { Answered, Sent } from './network.ts';
import { type Asked, orderedBy } from './requests.ts';
import { payerEmail } from './settings.ts';

/** A callback that was sent or accepted. */
export type Arrival = {
  at: number;
  order: string;
  sequence: number;
  id: string;
  fields: Record<string, string>;
  url: string;
  headers: Record<string, string>;
  body: string;
};

type Surroundings = {
  chance: Chance;
  now: () => number;
  note: (who: string, what: string) => void;
  report: (violation: string) => void;
  /** The callbacks that were sent in this history, and the orders that they may be about. */
  records: () => { tries: Arrival[]; asked: Asked[] };
  /** Called with every callback that was accepted. */
  onArrival: (arrival: Arrival) => void;
};

const minute = 60_000;
/** How long a callback is refused that the merchant's server cannot process: shorter than it is repeated. */
const refusal = { least: 10 * minute, most: 20 * 60 * minute };

/** The servers of the merchants: they accept callbacks, fail or do not answer. */
export function newReceiver(surroundings: Surroundings) {
  const { chance, now, note, onArrival } = surroundings;
  const refusedUntil = new Map<string, number>();

  function isRefused(id: string): boolean {
    if (!refusedUntil.has(id)) {
      const isFaulty = chance.happens('receiver refuses one');
      refusedUntil.set(id, isFaulty ? now() + chance.between('refusal', refusal.least, refusal.most) : 0);
    }
    return now() < (refusedUntil.get(id) ?? 0);
  }

  return function receive(sent: Sent): Answered | null {
    if (sent.method !== 'POST') return { status: 200, body: '' };
    const arrival = callbackOf(sent, now());
    const { order, sequence, id, fields } = arrival;
    verify(arrival, surroundings);
    if (chance.happens('receiver silent')) return null;
    if (chance.happens('receiver fails') || isRefused(id)) return { status: 500, body: 'no' };
    onArrival(arrival);
    note('receiver', `${order} ${sequence} ${fields.action ?? fields.type} ${fields.result ?? fields.status}`);
    return { status: 200, body: 'OK' };
  };
}

/** The callback of a request. */
export function callbackOf({ body, headers, url }: Sent, at: number): Arrival {
  const fields = Object.fromEntries(new URLSearchParams(body));
  const { 'webhook-id': id = '', 'florin-sequence': sequence } = headers;
  const order = merchantAt(url).orderOf(fields.order_id ?? '');
  return { at, order, sequence: Number(sequence), id, fields, url, headers, body };
}

/** Whether it is about a charge of a schedule, which has the number of the first order and that of its slot. */
const isCharge = ({ order }: Arrival) => order.includes('/');

/** Whether the hash is that of the contract. */
function isSigned(fields: Record<string, string>, protocol: Asked['protocol'], { credentials }: Merchant): boolean {
  if (protocol === 'checkout') return isSignedCallback(fields, credentials);
  if (protocol === 'apm') return fields.hash === signApmFields(fields, credentials);
  return isSignedCardCallback(fields, payerEmail, credentials);
}

/** Whether the hash and the signature of the headers are those of a merchant's key. */
export const isFrom = (merchant: Merchant, { fields, headers, body }: Arrival, protocol: Asked['protocol']) =>
  isSigned(fields, protocol, merchant) && isSignedWebhook(headers, body, merchant.webhookSecret);

/** What each callback has to prove by itself, and a repeated one beside the first. */
function verify(arrival: Arrival, { report, records }: Surroundings) {
  const { id, order, fields, url, headers, body, sequence } = arrival;
  const { tries, asked } = records();
  const merchant = merchantAt(url);
  const ordered = orderedBy(asked, order);
  const name = `callback ${id} of order ${order}`;
  if (!ordered) return report(`${name}: the order is unknown`);
  if (url !== merchant.addressFor(merchant.numberOf(ordered.order))) report(`${name} was sent to ${url}`);
  // By the key that has created the payment, whether it has ended or not. A charge of a schedule may have been made with
  // the second key (checks/keys.ts).
  const isRotated =
    ordered.merchant === firstMerchant && isCharge(arrival) && isFrom(firstMerchant.rotated, arrival, ordered.protocol);
  const signer = isRotated ? firstMerchant.rotated : ordered.merchant;
  if (!isSigned(fields, ordered.protocol, signer)) report(`${name}: the hash is wrong`);
  if (!isSignedWebhook(headers, body, signer.webhookSecret)) report(`${name}: the signature of the headers is wrong`);
  const first = tries.find((each) => each.id === id);
  if (first && (first.body !== body || first.sequence !== sequence || first.url !== url))
    report(`${name} differs from its first try`);
}
