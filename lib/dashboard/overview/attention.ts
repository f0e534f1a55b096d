/** Alerts as sentences with a link. */

import { moneyText } from '../labels';
import {
  type Attention,
  countMoneyAttention,
  type DecliningMid,
  decliningMids,
  type ExpiringAuthorisations,
  expiringAuthorisations,
  type LateAddress,
  lateAddresses,
  newChargebackDays,
  unknownMinutes,
} from './attention-queries';

const addressesMax = 3;
const midsMax = 3;
const expiringHours = 48;

/** An alert; `strong` is the beginning of the sentence. */
export type AttentionItem = {
  kind: 'mid' | 'callbacks' | 'unknown' | 'unresolved' | 'chargebacks' | 'holds' | 'certificate';
  strong: string;
  rest: string;
  href: string;
  /** The text of the link. */
  action: string;
};

/** The alerts of `scope`, the most urgent first. */
export async function findAttention(scope: string | null, now: Date) {
  const [mids, addresses, holds, counts] = await Promise.all([
    decliningMids(scope, now, midsMax),
    lateAddresses(scope, now, addressesMax),
    expiringAuthorisations(scope, new Date(now.getTime() + expiringHours * 3_600_000)),
    countMoneyAttention(scope, now),
  ]);
  const items = [
    ...mids.map((mid) => midItem(mid, scope === null)),
    ...addresses.map(callbackItem),
    ...countItems(counts),
    ...holds.map(authorisationItem),
  ];
  const sum = (name: 'waiting' | 'failed') => addresses.reduce((total, address) => total + address[name], 0);
  const worst = mids[0] ? { id: mids[0].id, name: mids[0].name } : null;
  return { items, worst, callbacks: { waiting: sum('waiting'), givenUp: sum('failed') } };
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const many = (count: number, [one, more]: [string, string]) =>
  `${count >= 100 ? '100 or more' : count} ${count === 1 ? one : more}`;

function midItem(mid: DecliningMid, isOne: boolean): AttentionItem {
  const { id, name, merchantName, rate, usual, attempts, technical } = mid;
  const points = ((usual - rate) * 100).toFixed(1);
  const whose = isOne ? ` of ${merchantName}` : '';
  const why = technical > 0 ? ` ${technical} of ${attempts} attempts failed for technical reasons.` : '';
  return {
    kind: 'mid',
    strong: `${name}${whose} approves ${percent(rate)}`,
    rest: ` in the last two hours, ${points} points below its usual rate.${why}`,
    href: `/dashboard/payments?state=decline&mid=${id}`,
    action: 'View payments',
  };
}

/** The host of the address, which is enough to identify the receiver. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

function callbackItem({ address, waiting, failed, lastAnswer }: LateAddress): AttentionItem {
  const callbacks = (count: number) => `${many(count, ['callback', 'callbacks'])} to ${hostOf(address)}`;
  const open = waiting > 0 && `${callbacks(waiting)} ${waiting === 1 ? 'is waiting' : 'are waiting'}`;
  const lost = failed > 0 && (open ? `${failed} failed` : `${callbacks(failed)} failed`);
  const answered =
    lastAnswer && /^\d+$/.test(lastAnswer) ? ` The address answered ${lastAnswer}.` : ' The address did not answer.';
  return {
    kind: 'callbacks',
    strong: [open, lost].filter(Boolean).join(', '),
    rest: `.${answered}`,
    href: `/dashboard/callbacks?state=waiting,failed&host=${encodeURIComponent(hostOf(address))}`,
    action: 'View callbacks',
  };
}

function countItems({ payments, chargebacks, unresolved }: Omit<Attention, 'callbacks'>): AttentionItem[] {
  const items: AttentionItem[] = [];
  if (unresolved > 0) {
    items.push({
      kind: 'unresolved',
      strong: `${many(unresolved, ['payment differs', 'payments differ'])} from what the provider reports`,
      rest: '. Money may have moved that the payment does not account for.',
      href: '/dashboard/unresolved?state=open',
      action: 'View unresolved items',
    });
  }
  if (payments > 0) {
    items.push({
      kind: 'unknown',
      strong: `The outcome of ${many(payments, ['payment', 'payments'])} is unknown`,
      rest: ` for more than ${unknownMinutes} minutes. Florin keeps polling the provider.`,
      href: '/dashboard/payments?attention=yes',
      action: 'View payments',
    });
  }
  if (chargebacks > 0) {
    items.push({
      kind: 'chargebacks',
      strong: `${many(chargebacks, ['new chargeback', 'new chargebacks'])}`,
      rest: ` in the last ${newChargebackDays} days.`,
      href: '/dashboard/chargebacks',
      action: 'View chargebacks',
    });
  }
  return items;
}

function authorisationItem({ currency, holds, amountMinor }: ExpiringAuthorisations): AttentionItem {
  return {
    kind: 'holds',
    strong: `${many(holds, ['authorisation', 'authorisations'])} of ${moneyText(amountMinor, currency)} ${holds === 1 ? 'expires' : 'expire'}`,
    rest: ` within ${expiringHours} hours unless captured.`,
    href: `/dashboard/payments?state=pending&currency=${currency}`,
    action: 'View payments',
  };
}
