/** The money line of a payment's page: a sum read from left to right, which ends in what is still possible. Pure. */
import { type Payment, refundableMinor } from '../../core/payment';
import { amountText } from '../labels';

type Sum = { name: string; amount: string; sign: '→' | '−' | '=' | null; quiet: boolean };

/** Empty before an authorisation. */
export function moneyLine(payment: Payment): Sum[] {
  const { amountMinor, settledMinor, refundedMinor, refundingMinor, chargedBackMinor, currency, state } = payment;
  const sum = (name: string, minor: bigint, sign: Sum['sign']): Sum => ({
    name,
    amount: amountText(minor, currency),
    sign,
    quiet: minor === 0n,
  });
  const authorised = sum('Authorised', amountMinor, null);
  if (state === 'pending') return [authorised, sum('Can be captured', amountMinor - settledMinor, '=')];
  if (settledMinor === 0n) return [];
  if (payment.operation === 'credit' || payment.operation === 'transfer') return [sum('Paid out', settledMinor, null)];
  return [
    authorised,
    sum('Captured', settledMinor, '→'),
    sum('Refunded', refundedMinor, '−'),
    ...(refundingMinor > 0n ? [sum('Refund in progress', refundingMinor, '−')] : []),
    ...(chargedBackMinor > 0n ? [sum('Disputed', chargedBackMinor, '−')] : []),
    sum('Can be refunded', refundableMinor(payment), '='),
  ];
}
