// The money that the providers hold, compared with the payments.
import type { JournalLine } from '../../chaos/consistency.ts';
import type { World } from '../world.ts';

/** The money that the provider holds of each order and attempt, in minor units, and the attempts it has authorised. */
function heldIn(journal: JournalLine[]) {
  const orders = new Map<string, bigint>();
  const attempts = new Map<string, bigint>();
  const add = (line: JournalLine, minor: bigint) => {
    const attempt = line.kind === 'payment' ? line.key : (line.original ?? '');
    orders.set(line.order, (orders.get(line.order) ?? 0n) + minor);
    attempts.set(attempt, (attempts.get(attempt) ?? 0n) + minor);
  };
  const isApproved = ({ status }: JournalLine) => status === 'approved';
  const paidAt = new Map(journal.filter(({ kind }) => kind === 'payment').map(({ key, at = 0 }) => [key, at]));
  // A payment that settles after its void is held again.
  const isVoid = ({ kind, original = '', at = 0 }: JournalLine) => kind === 'void' && at >= (paidAt.get(original) ?? 0);
  const voided = new Set(journal.filter((line) => isVoid(line) && isApproved(line)).map(({ original }) => original));
  for (const line of journal) {
    if (!isApproved(line) || voided.has(line.kind === 'payment' ? line.key : line.original)) continue;
    if (line.kind === 'refund') add(line, -BigInt(line.minor));
    else if (line.kind !== 'void' && line.kind !== 'chargeback') add(line, BigInt(line.minor));
  }
  const authorized = journal.filter(({ key, status }) => status === 'authorized' && !voided.has(key));
  return { orders, attempts, authorized: new Set(authorized.map(({ key }) => key)) };
}

/**
 * Of every order that has no open unresolved item, the provider holds what the payment says; of an attempt that is listed
 * as approved late, it holds money, or an authorisation.
 */
export async function checkBalances({ base, report }: World, journal: JournalLine[]) {
  const held = heldIn(journal);
  const rows = await base.rows<{ order: string; minor: string }>(
    `select p.order_number as order, sum(case when p.state in ('settled', 'refund', 'chargeback')
            then p.settled_minor - p.refunded_minor else 0 end)::text as minor
       from payments p where not exists (select 1 from unresolved u where u.payment_id = p.id and u.closed_at is null)
      group by 1`,
  );
  for (const { order, minor } of rows) {
    const money = held.orders.get(order) ?? 0n;
    if (money !== BigInt(minor)) report(`of order ${order} the provider holds ${money}, the payment says ${minor}`);
  }
  const late = await base.rows<{ id: string }>(
    `select t.id from unresolved u join transactions t on t.id = u.transaction_id
      where u.kind = 'late_success' and u.closed_at is null and t.kind in ('sale', 'authorize', 'debit', 'recurring')`,
  );
  for (const { id } of late)
    if (!held.attempts.get(id) && !held.authorized.has(id))
      report(`the late success of ${id} is listed, and the provider holds nothing`);
}

/** Captures and refunds are sent for attempts that have been approved. */
export function checkOriginals({ providers, report }: World) {
  for (const { journal } of providers) {
    const approved = new Set(
      journal.filter(({ status }) => /^(approved|authorized)$/.test(status)).map(({ key }) => key),
    );
    for (const { kind, key, original } of journal)
      if ((kind === 'refund' || kind === 'capture') && original !== null && !approved.has(original))
        report(`${kind} ${key} was sent for ${original}, which was never approved`);
  }
}
