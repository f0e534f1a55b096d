// Histories without a fault: every request has exactly the answer that the provider's decision leads to.
import type { Movement } from '../../chaos/provider-model.ts';
import { type Asked, isSale } from '../requests.ts';
import type { World } from '../world.ts';
import { isUnsigned } from './keys.ts';
import { isAtLimit } from './limits.ts';

type Answered = Asked & { answer: NonNullable<Asked['answer']> };

/** The result of a sale by the provider's first decision. */
const results: Record<string, string> = {
  approved: 'SUCCESS',
  authorized: 'SUCCESS',
  declined: 'DECLINED',
  challenge: 'REDIRECT',
  processing: 'UNDEFINED',
};

/** Compares the answers of a history in which nothing went wrong with the provider's decisions. */
export function checkCalm({ asked, providers, chance, report }: World) {
  if (chance.met.length > 0) return;
  const journal = providers.flatMap((each) => each.journal);
  for (const each of asked) {
    const { order, action, answer } = each;
    if (!answer || answer.status >= 500) {
      report(`${action} of order ${order} was not answered`);
      continue;
    }
    // Whether a limit was exceeded: limits.ts. Whether the key had ended: keys.ts.
    if (isAtLimit(each) || isUnsigned(each)) continue;
    const lines = journal.filter((line) => line.order === order);
    if (isSale(each)) checkSale({ ...each, answer }, lines, report);
    const isPayable = !chance.joins('limits');
    if (action === 'session' && isPayable && (answer.status !== 200 || lines.length === 0))
      report(`the session of order ${order} led to no payment: ${JSON.stringify(answer.body)}`);
    if (each.key !== undefined && !overlaps(each, asked)) checkChange({ ...each, answer }, lines, report);
  }
}

function checkSale({ order, action, answer }: Answered, [first]: Movement[], report: World['report']) {
  const expected = results[first?.status ?? ''];
  const { result } = answer.body;
  if (result !== expected) report(`${action} of order ${order} got ${result}, the provider has ${first?.status}`);
}

const overlaps = (one: Asked, asked: Asked[]) =>
  asked.some(
    (other) =>
      other !== one &&
      other.order === one.order &&
      other.key !== undefined &&
      other.at <= (one.answer?.at ?? 0) &&
      endOf(other) >= one.at,
  );

/** A change that is accepted goes on at the provider after its answer. */
const endOf = ({ answer }: Asked) => (answer?.at ?? 0) + (/^accepted$/i.test(answer?.body.result ?? '') ? 5_000 : 0);

/** A change is accepted if, and only if, the payment allows it. */
function checkChange({ order, action, amount, at, answer }: Answered, lines: Movement[], report: World['report']) {
  const before = lines.filter((line) => line.at < at);
  const payment = before.findLast((line) => line.kind === 'payment');
  // The service learns of a later decision of the payer, the bank or the provider with some delay.
  if (!payment || before.some((line) => line.what === 'finished' && at - line.at < 60_000)) return;
  const latest = new Map(before.map((line) => [line.key, line]));
  const earlier = [...latest.values()].filter(({ status }) => status !== 'declined');
  const sumOf = (wanted: string) =>
    earlier.reduce((sum, { kind, minor }) => sum + (kind === wanted ? BigInt(minor) : 0n), 0n);
  const isVoided = earlier.some(({ kind }) => kind === 'void');
  const isAuthorized = payment.status === 'authorized' && !isVoided && sumOf('capture') === 0n;
  const taken = payment.status === 'approved' ? BigInt(payment.minor) : sumOf('capture');
  const left = isVoided ? 0n : taken - sumOf('refund');
  const wanted = amount === undefined ? left : BigInt(amount.replace('.', ''));
  // The day on which the money was taken: that of the capture of an authorisation.
  const takenAt = earlier.find(({ kind }) => kind === 'capture')?.at ?? payment.at;
  const isSameDay = new Date(at).getUTCDate() === new Date(takenAt).getUTCDate();
  // A debit is returned in whole only.
  const isDebit = lines.some(({ what }) => what === 'debit');
  const isReturnable = left > 0n && (isDebit ? left === taken && wanted === left : wanted <= left);
  const isAllowed: Record<string, boolean> = {
    capture: isAuthorized,
    refund: isReturnable,
    creditvoid: isAuthorized || isReturnable,
    void: left > 0n && left === taken && isSameDay,
  };
  // A Checkout void releases an authorisation too.
  if (action === 'void' && isAuthorized) isAllowed.void = true;
  const isAccepted = answer.status < 400 && answer.body.result !== 'ERROR';
  if (isAccepted !== isAllowed[action.toLowerCase()])
    report(
      `${action} ${amount ?? ''} of order ${order} with ${left} left was answered with ${JSON.stringify(answer.body)}`,
    );
}
