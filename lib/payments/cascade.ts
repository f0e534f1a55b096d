/**
 * From one merchant account to the next. A soft decline, or a provider that could not be reached, goes on to another
 * account of the merchant without the payer noticing; a hard decline and an unknown outcome never do.
 */
import type { Outcome } from '../connectors/connector';
import { query } from '../db';
import { passOn } from './advance';
import { callProvider, newTransaction, type Order } from './call';
import { withinLimits } from './limits';
import { callerOf, type Mid } from './merchants';
import { settle } from './outcome';
import { isAttempt, isOpen, type Payment, type Transaction } from './payment';
import { chooseMids } from './routing';
import { openCard } from './vault';

type Both = { payment: Payment; transaction: Transaction };

/**
 * Writes an attempt's outcome down, after taking it to other accounts as often as that helps. Without `order` (the
 * answer came later, to another process) the kept card stands in, without its security code.
 */
export async function conclude(first: Both, outcome: Outcome, order: Order | null, now: Date): Promise<Both> {
  let both = first;
  let answer = outcome;
  for (;;) {
    const mid = await nextAccount(both, answer, now);
    const next = mid && (order ?? (await orderOf(both)));
    if (!mid || !next || answer.kind !== 'declined') return settle(both, answer, now);
    const { transaction: failed } = both;
    const { kind, browser, method, amountMinor } = failed;
    const origin = { initiator: failed.initiator, source: failed.source, sequence: failed.sequence };
    const attemptId = failed.attemptId ?? failed.id;
    const given = { kind, attemptId, method, amountMinor, browser: browser ?? undefined, origin };
    const transaction = newTransaction(both.payment, mid, given, now);
    const why = answer.decline.reason;
    const trace = [{ midId: mid.id, taken: true, why: `after a soft decline: ${why}` }];
    const payment = await passOn({ ...both, failed, decline: answer.decline, next: transaction, trace }, now);
    // Somebody else has written the outcome meanwhile; what they wrote is read by settle.
    if (!payment) return settle(both, answer, now);
    // What the payer has confirmed at the first bank page counts at the next account too.
    const mpi = next.mpi ?? mpiOf(failed, answer);
    both = { payment, transaction };
    answer = await callProvider(both, mid, { ...next, mpi });
  }
}

function mpiOf(failed: Transaction, answer: Outcome): Record<string, string> | undefined {
  const facts = 'facts' in answer ? answer.facts.threeDS : undefined;
  const threeDS = { ...failed.facts.threeDS, ...facts };
  return threeDS.eci && (threeDS.transStatus === 'Y' || threeDS.transStatus === 'A') ? threeDS : undefined;
}

async function orderOf({ payment, transaction }: Both): Promise<Order | null> {
  const card = payment.card && (await openCard(payment.card.id));
  return card && { card, browser: transaction.browser ?? undefined };
}

/** The account to try next; null when the answer does not call for one or none is left. */
async function nextAccount({ payment, transaction }: Both, outcome: Outcome, now: Date): Promise<Mid | null> {
  if (outcome.kind !== 'declined' || !outcome.decline.soft || !isAttempt(transaction) || !isOpen(transaction))
    return null;
  // A declined security code or date is the payer's to mend, and a transfer names its second card only once.
  if (outcome.decline.class === 'data' || transaction.kind === 'transfer') return null;
  const caller = await callerOf(payment);
  if (caller.mapping.cascadeLimit < 2 || caller.mids.length < 2) return null;
  const tried = await triedMids(transaction.attemptId ?? transaction.id);
  if (tried.length >= caller.mapping.cascadeLimit) return null;
  const wanted = { ...payment, method: transaction.method, cardNumber: payment.card?.first6 };
  const left = chooseMids(caller, wanted).mids.filter((mid) => !tried.includes(mid.id));
  return (await withinLimits(caller, left, payment, now)).mids[0] ?? null;
}

async function triedMids(attemptId: string): Promise<string[]> {
  const rows = await query<{ mid_id: string }>(
    'cascade-tried',
    `select mid_id from transactions where (id = $1 or attempt_id = $1)
        and kind in ('sale', 'authorize', 'debit', 'credit', 'recurring')`,
    [attemptId],
  );
  return rows.map((row) => row.mid_id);
}
