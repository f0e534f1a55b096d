/** The line below a method's name: what the payer will do, by the experience and the kind of the method. */
import type { Experience, Method, MethodKind } from '../methods/method.ts';
import type { MethodLine } from './contract.ts';

const lines: { [experience in Experience]: MethodLine | ((kind: MethodKind) => MethodLine) } = {
  card: 'card',
  redirect: (kind) => kind,
  app: 'app',
  confirm: (kind) => (kind === 'app' || kind === 'wallet' ? 'request' : 'confirm'),
  details: 'transfer',
  qr: 'code',
  message: 'link',
  crypto: 'address',
  code: 'otp',
  none: 'onPage',
};

const payoutLines: Partial<Record<MethodKind, MethodLine>> = { bank: 'toBank', coin: 'toCoins' };

/** The line of a method with this experience, for a payment or a payout (`credit`). */
export function lineOf(
  { kind, voucher }: Pick<Method, 'kind' | 'voucher'>,
  experience: Experience,
  operation: string,
): MethodLine {
  if (operation === 'credit') return payoutLines[kind] ?? 'toWallet';
  if (voucher && experience === 'details') return 'shop';
  const line = lines[experience];
  return typeof line === 'function' ? line(kind) : line;
}
