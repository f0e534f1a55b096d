/**
 * Asking the provider what became of a transaction: when the payer comes back, when a notification comes, when a row is
 * due. All three end in the same place, and any of them may come twice, late or out of order.
 */
import { v5 } from 'uuid';
import { findConnector } from '../connectors';
import type { Chargeback, Outcome } from '../connectors/connector';
import { nextState } from '../core/states';
import { query } from '../db';
import { log } from '../log';
import { advance, postpone, record, recordCancelling } from './advance';
import { conclude } from './cascade';
import { findBoth } from './find';
import { findMid } from './merchants';
import { callbackOf, challengeSeconds, messageSeconds, redirectSeconds, secondsSince, settle } from './outcome';
import { isOpen, type Payment, type Transaction } from './payment';

type Both = { payment: Payment; transaction: Transaction };

/** Asks about one transaction and writes down what the provider says. Null for an unknown id. */
export async function resume(transactionId: string, now: Date): Promise<Both | null> {
  const both = await findBoth(transactionId);
  if (!both || !isOpen(both.transaction)) return both;
  return learn(both, now);
}

/** Asks about an open transaction; one that is being cancelled is cancelled, which goes on where a dead process has left it. */
async function learn(both: Both, now: Date, outcome?: Outcome): Promise<Both> {
  const { cancelReason } = both.transaction;
  if (cancelReason !== null) return cancel(both, cancelReason, now);
  return conclude(both, outcome ?? (await ask(both.transaction)), null, now);
}

async function ask(transaction: Transaction): Promise<Outcome> {
  const { connector, target } = await providerOf(transaction);
  return connector.status(target, transaction.id);
}

/** The connector that a transaction went through, and where to. */
export async function providerOf(transaction: Transaction) {
  const mid = await findMid(transaction.midId);
  const connector = mid && findConnector(mid.connector);
  if (!mid || !connector) throw new Error(`MID ${transaction.midId} has no connector`);
  return { connector, target: { settings: mid.settings } };
}

/**
 * The payer leaves a challenge or a redirect. The attempt is cancelled at the provider first, so that it can never
 * settle behind the payer's back; if it has settled meanwhile, that is what is written down.
 */
export async function abandon(payment: Payment, now: Date): Promise<Payment> {
  const both = payment.inFlightId ? await findBoth(payment.inFlightId) : null;
  if (!both || !isWithPayer(both.transaction)) return payment;
  return (await cancel(both, 'The payer left before confirming', now)).payment;
}

/** Whether it is the payer's turn: at their bank, or shown what to do. */
function isWithPayer({ status, facts }: Transaction): boolean {
  return status === 'challenge' || status === 'redirect' || (status === 'waiting' && !!facts.present);
}

async function cancel(seen: Both, reason: string, now: Date): Promise<Both> {
  const both = await announceCancel(seen, reason, now);
  if (!isOpen(both.transaction)) return both;
  const { connector, target } = await providerOf(both.transaction);
  // The same cancellation always has the same key: asked twice, it is one.
  const key = v5('cancel', both.transaction.id);
  const outcome = await connector.follow(target, { key, operation: 'void', original: both.transaction.id });
  if (outcome.kind === 'approved') {
    const decline = { code: 'not_confirmed', reason, class: 'unconfirmed', soft: true } as const;
    return settle(both, { kind: 'declined', decline, facts: {} }, now, true);
  }
  // Whether it is cancelled nobody knows: what the provider says of the attempt may change with it.
  if (outcome.kind === 'unknown') return settle(both, outcome, now, true);
  return settle(both, await ask(both.transaction), now, true);
}

/** Writes down that the attempt is being cancelled, unless it is; as it was found where it is final meanwhile. */
async function announceCancel(seen: Both, reason: string, now: Date): Promise<Both> {
  let both = seen;
  for (let round = 0; round < 8; round += 1) {
    if (!isOpen(both.transaction) || both.transaction.cancelReason !== null) return both;
    await recordCancelling(both, reason, now);
    const fresh = await findBoth(seen.transaction.id);
    if (!fresh) throw new Error(`transaction ${seen.transaction.id} is gone`);
    both = fresh;
  }
  throw new Error(`the cancellation of transaction ${seen.transaction.id} could not be written down`);
}

/** How many transactions one process asks about at a time. */
const batch = 50;
/** Whoever claims a row has so long before it is anybody's again. Two that ask at once do no harm, a long silence would. */
const leaseSeconds = 20;

/** Takes up every transaction that is due. Returns how many there were. */
export async function resumeDue(now: Date): Promise<number> {
  // Pushing the due time forward is the lease.
  const rows = await query<{ id: string }>(
    'transactions-due',
    `update transactions set due_at = $1::timestamptz + interval '${leaseSeconds} seconds', polls = polls + 1
      where id in (select id from transactions where due_at <= $1::timestamptz order by due_at limit ${batch}
                    for update skip locked)
     returning id`,
    [now],
  );
  await Promise.all(
    rows.map(({ id }) =>
      takeUp(id, now).catch((err) => log.error({ err, transaction: id }, 'a due transaction could not be taken up')),
    ),
  );
  return rows.length;
}

async function takeUp(transactionId: string, now: Date): Promise<void> {
  const both = await findBoth(transactionId);
  if (!both) return;
  const { transaction } = both;
  if (!isOpen(transaction)) return lapse(both, now);
  const seen = await learn(both, now);
  const patience = patienceOf(seen.transaction);
  if (patience !== undefined && secondsSince(transaction.createdAt, now) >= patience) {
    await cancel(seen, 'The payer did not confirm in time', now);
  }
}

/** How long the payer may take; undefined where money may arrive at any later time, as a transfer or a coin does. */
function patienceOf({ status, facts }: Transaction): number | undefined {
  if (status === 'challenge') return challengeSeconds;
  if (status === 'redirect') return redirectSeconds;
  switch (status === 'waiting' ? facts.present?.kind : undefined) {
    case 'qr':
    case 'app':
      return redirectSeconds;
    case 'confirm':
    case 'code':
      return challengeSeconds;
    case 'message':
      return messageSeconds;
    default:
      return undefined;
  }
}

const lapsed = { code: 'hold_expired', reason: 'Authorization expired', class: 'bank', soft: false } as const;

/**
 * A hold that nobody captured in time: released at the provider and declared expired. It is written down first, so that
 * nobody captures what the provider is about to set free; whoever is capturing it just now is let finish.
 */
async function lapse(seen: Both, now: Date): Promise<void> {
  if (seen.payment.state !== 'pending' || seen.transaction.status !== 'success')
    return postpone(seen.transaction, null);
  const both = await announceLapse(seen, now);
  if (!both) return;
  const { payment, transaction } = both;
  const { connector, target } = await providerOf(transaction);
  const key = v5('lapse', transaction.id);
  const outcome = await connector.follow(target, { key, operation: 'void', original: transaction.id });
  if (outcome.kind === 'unknown') return;
  const report = { type: 'sale', outcome: 'fail' } as const;
  const callback = await callbackOf(payment);
  await advance(
    { payment, transaction, event: 'expire', status: 'success', report, decline: lapsed, dueAt: null, callback },
    now,
  );
}

/** Null where something else is under way: the hold is looked at again when its lease is over. */
async function announceLapse(seen: Both, now: Date): Promise<Both | null> {
  if (seen.transaction.cancelReason !== null) return seen;
  if (seen.payment.inFlightId || !(await recordCancelling(seen, lapsed.reason, now))) return null;
  return findBoth(seen.transaction.id);
}

/**
 * A provider has something to say about a transaction: an open one is asked about, a final one only for what may
 * still come after it, a chargeback.
 */
export async function notified(transactionId: string, now: Date): Promise<void> {
  const both = await findBoth(transactionId);
  if (!both) return;
  const outcome = await ask(both.transaction);
  if (isOpen(both.transaction)) await learn(both, now, outcome);
  else await afterwards(both, outcome, now);
}

async function afterwards(both: Both, outcome: Outcome, now: Date): Promise<void> {
  const { payment, transaction } = both;
  if (transaction.status === 'fail' && (outcome.kind === 'approved' || outcome.kind === 'authorized')) {
    // Nothing may be booked on a declined payment; a person has to give the money back or to accept it.
    log.error({ payment: payment.id, transaction: transaction.id }, 'ALERT: the provider settled a declined attempt');
  }
  const chargeback = 'facts' in outcome ? outcome.facts.chargebacks?.[0] : undefined;
  if (chargeback && nextState(payment.state, 'chargeback')) await chargeBack(both, chargeback, now);
}

async function chargeBack({ payment, transaction }: Both, chargeback: Chargeback, now: Date): Promise<void> {
  const taken: Transaction = {
    ...transaction,
    // One chargeback per attempt: the same news again finds the row there.
    id: v5('chargeback', transaction.id),
    kind: 'chargeback',
    status: 'sent',
    amountMinor: chargeback.amount.minor,
    attemptId: transaction.attemptId ?? transaction.id,
    facts: {},
    dueAt: null,
    createdAt: now,
    finishedAt: null,
  };
  const known = await findBoth(taken.id);
  // Written down already; a process that died right then has left it to whoever hears the news next.
  if (known && !isOpen(known.transaction)) return;
  const recorded =
    known?.payment ?? (await record({ payment, transaction: taken, event: null, exclusive: false }, now));
  if (!recorded) return;
  const told = { chargeback_date: chargeback.date, bank_date: chargeback.bankDate, reason_code: chargeback.reasonCode };
  const extended = Object.fromEntries(Object.entries(told).filter((entry): entry is [string, string] => !!entry[1]));
  const outcome: Outcome = { kind: 'approved', facts: { extended } };
  await settle({ payment: recorded, transaction: taken }, outcome, now);
}
