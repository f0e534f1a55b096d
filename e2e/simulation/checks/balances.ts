// The money that the providers hold, compared with the payments.
import type { JournalLine } from '../../chaos/consistency.ts';
import { orderSql } from '../merchants.ts';
import type { World } from '../world.ts';

/** The money that the provider holds of each attempt, in minor units, and the attempts it has authorised. */
function heldIn(journal: JournalLine[]) {
  const attempts = new Map<string, bigint>();
  const add = (line: JournalLine, minor: bigint) => {
    const attempt = /pay(ment|out)/.test(line.kind) ? line.key : (line.original ?? '');
    attempts.set(attempt, (attempts.get(attempt) ?? 0n) + minor);
  };
  const isApproved = ({ status }: JournalLine) => status === 'approved';
  const paidAt = new Map(journal.filter(({ kind }) => kind === 'payment').map(({ key, at = 0 }) => [key, at]));
  // A payment that settles after its void is held again.
  const isVoid = ({ kind, original = '', at = 0 }: JournalLine) => kind === 'void' && at >= (paidAt.get(original) ?? 0);
  const voided = new Set(journal.filter((line) => isVoid(line) && isApproved(line)).map(({ original }) => original));
  // The provider's staff returns a payment with everything that was captured of it.
  for (const { kind, key, status } of journal) if (kind === 'payment' && status === 'declined') voided.add(key);
  for (const line of journal) {
    if (!isApproved(line) || voided.has(/pay(ment|out)/.test(line.kind) ? line.key : line.original)) continue;
    if (line.kind === 'refund') add(line, -movedBy(line, journal));
    else if (line.kind !== 'void' && line.kind !== 'chargeback') add(line, BigInt(line.minor));
  }
  const authorized = journal.filter(({ key, status }) => status === 'authorized' && !voided.has(key));
  return { attempts, voided, authorized: new Set(authorized.map(({ key }) => key)) };
}

/** The money that an operation moved at the provider. A refund in another currency returns nothing of the attempt's. */
function movedBy({ kind, status, minor, original, currency }: JournalLine, journal: JournalLine[]): bigint {
  const isForeign = kind === 'refund' && currency !== journal.find(({ key }) => key === original)?.currency;
  return status === 'approved' && !isForeign ? BigInt(minor) : 0n;
}

/** An unresolved item that is open, or that a user has closed, with its transaction and what the provider has of both. */
type Item = Record<'payment' | 'kind' | 'sent' | 'attempt' | 'own' | 'ownKind' | 'status' | 'closed', string> & {
  minor: bigint;
  whole: bigint;
  /** Whether the provider has taken another currency. */
  isForeign: boolean;
};
type Facts = {
  line: JournalLine | undefined;
  /** What the provider moved by the item's own transaction. */
  moved: bigint;
  held: bigint;
  isAuthorized: boolean;
  isVoided: boolean;
  /** What the provider's staff has captured of the attempt. */
  capturedByStaff: bigint;
  /** What Florin has refunded of the attempt without being asked to. */
  refunded: bigint;
  says: bigint;
  lines: JournalLine[];
  /** The recorded amounts of changes whose differences users have closed, who may have put them right at the provider. */
  settled: Map<string, bigint>;
};
type Explanation = {
  /** Whether the item is true at the provider. */
  isTrue: (item: Item, facts: Facts) => boolean;
  /** By how much the provider holds more than the payment says because of it. */
  more: (item: Item, facts: Facts) => bigint;
};

/** By kind: the items of attempts. */
const ofAttempts: Record<string, Explanation> = {
  late_success: {
    isTrue: (_item, { held, isAuthorized }) => held > 0n || isAuthorized,
    more: (_item, { held }) => held,
  },
  taken_back: {
    // A void that the provider has approved late leaves the line of the payment as it was.
    isTrue: (_item, { line, held, isVoided }) => (line?.status === 'declined' || isVoided) && held === 0n,
    more: (_item, { says }) => -says,
  },
  captured_elsewhere: {
    isTrue: ({ minor }, { line, held }) => line?.status === 'approved' && held === minor,
    more: ({ minor }) => minor,
  },
  amount_mismatch: {
    // The provider may have carried out a refund that was sent, and of a part only before it took the rest.
    isTrue: ({ minor, whole, isForeign, status, sent }, { line, refunded }) =>
      isTakenBack(status, line) ||
      (status !== 'fail' && (refunded > 0n || sent === 'true')) ||
      (line?.minor === String(minor) && (minor < whole || isForeign)),
    more({ whole, status }, { line, held, refunded }) {
      if (isTakenBack(status, line)) return 0n;
      // Of an attempt without an outcome a part may have been refunded.
      return status === 'success' ? BigInt(line?.minor ?? 0) - whole - refunded : held;
    },
  },
  overpaid: {
    isTrue: ({ minor, whole }, { line }) => line?.minor === String(whole + minor),
    more: ({ minor }) => minor,
  },
  not_cancelled: {
    isTrue: (_item, { line }) => line !== undefined && line.status !== 'declined',
    more: (_item, { held }) => held,
  },
  not_released: { isTrue: (_item, { isAuthorized }) => isAuthorized, more: () => 0n },
  chargeback_mismatch: {
    isTrue: ({ minor }, { lines }) =>
      lines.some(({ kind, minor: sum }) => kind === 'chargeback' && sum === String(minor)),
    more: () => 0n,
  },
};

/** Another item lists the whole payment. */
const isTakenBack = (status: string, line: JournalLine | undefined) =>
  status === 'success' && line?.status === 'declined';

/** The payer got more back of an attempt than was taken, as far as the provider has reported it. */
const returnedTwice: Explanation = {
  isTrue: (_item, { lines, settled }) =>
    lines.some(({ kind, key, minor, status }) => {
      if (kind !== 'payment') return false;
      const ofAttempt = lines.filter((line) => line.original === key);
      const reported = ofAttempt.filter((line) => line.status === 'approved' || line.what === 'reversed');
      const captured = sumOf(reported.filter((line) => line.kind === 'capture'));
      const returns = reported.filter((line) => line.kind !== 'capture');
      const returned = returns.reduce((sum, line) => sum + max(BigInt(line.minor), settled.get(line.key) ?? 0n), 0n);
      return returned + (status === 'declined' ? BigInt(minor) : 0n) > (captured || BigInt(minor));
    }),
  more: () => 0n,
};

const max = (one: bigint, other: bigint) => (one > other ? one : other);
const sumOf = (lines: JournalLine[]) => lines.reduce((sum, { minor }) => sum + BigInt(minor), 0n);

/** How the provider's outcome of a capture, refund or void differs from the recorded one. */
const ofChanges: Explanation = {
  isTrue: (item, facts) => differenceOf(item, facts) !== 0n || (item.isForeign && facts.line?.status === 'approved'),
  more(item, facts) {
    // Of an attempt that was voided nothing is held, whatever was captured or refunded.
    if (facts.isVoided) return 0n;
    if (item.ownKind !== 'capture') return -differenceOf(item, facts);
    // The provider's staff may have captured what Florin's capture did not.
    return differenceOf(item, facts) + facts.capturedByStaff;
  },
};

const differenceOf = ({ status, whole }: Item, { moved }: Facts) => moved - (status === 'success' ? whole : 0n);

function explanationOf({ kind, ownKind }: Item): Explanation | undefined {
  if (kind === 'returned_twice') return returnedTwice;
  return changes.has(ownKind) ? ofChanges : ofAttempts[kind];
}

const changes = new Set(['capture', 'refund', 'reversal', 'void']);
const changeKinds = "('capture', 'refund', 'reversal', 'void', 'chargeback')";

/**
 * Of every payment the provider holds what the payment says and what its unresolved items explain that are open or were
 * closed by users, and each open one is true at the provider.
 */
export async function checkBalances({ base, report }: World, journal: JournalLine[]) {
  const { attempts, authorized, voided } = heldIn(journal);
  type Attempt = { payment: string; order: string; attempts: string; says: string };
  const payments = await base.rows<Attempt>(
    `select p.id as payment, ${orderSql} as order, array_to_string(array_agg(t.id) filter (where t.kind not in ${changeKinds}), ' ') as attempts,
            (case when p.state in ('settled', 'refund', 'chargeback')
                    and not bool_or(t.kind in ('reversal', 'void') and t.status = 'success')
                  then p.settled_minor - p.refunded_minor else 0 end)::text as says
       from payments p join transactions t on t.payment_id = p.id group by p.id`,
  );
  const items = await base.rows<
    Omit<Item, 'minor' | 'whole' | 'isForeign'> & Record<'minor' | 'whole' | 'isForeign', string>
  >(
    `select u.payment_id as payment, u.kind, (u.refund_sent_at is not null)::text as sent, u.transaction_id as own, u.closed_at is not null as closed, t.kind::text as "ownKind", t.status::text,
            u.amount_minor::text as minor, t.amount_minor::text as whole, (u.currency <> t.currency)::text as "isForeign",
            case when t.kind in ${changeKinds} then t.attempt_id else t.id end as attempt
       from unresolved u join transactions t on t.id = u.transaction_id where u.closed_at is null or u.closed_by like 'user:%'`,
  );
  const recorded = new Set((await base.rows<{ id: string }>('select id from transactions')).map(({ id }) => id));
  const isOwnRefund = ({ kind, key }: JournalLine) => kind === 'refund' && !recorded.has(key);
  for (const { payment, order, attempts: ids, says: saysText } of payments) {
    const says = BigInt(saysText);
    const held = ids.split(' ').reduce((sum, id) => sum + (attempts.get(id) ?? 0n), 0n);
    let more = 0n;
    const put: bigint[] = [];
    const explained = new Set<string>();
    const ofPayment = items.filter((each) => each.payment === payment);
    const settled = new Map(
      ofPayment
        .filter(({ closed, kind, status }) => closed === 't' && kind === 'amount_mismatch' && status === 'success')
        .map(({ own, whole }) => [own, BigInt(whole)]),
    );
    for (const row of ofPayment) {
      const item: Item = {
        ...row,
        minor: BigInt(row.minor),
        whole: BigInt(row.whole),
        isForeign: row.isForeign === 'true',
      };
      const { kind, own } = item;
      const line = journal.find(({ key }) => key === own);
      // A change names the first attempt where another account has paid.
      const attempt = line?.original ?? item.attempt;
      const facts: Facts = {
        line,
        moved: line ? movedBy(line, journal) : 0n,
        held: attempts.get(attempt) ?? 0n,
        isAuthorized: authorized.has(attempt),
        isVoided: voided.has(attempt),
        capturedByStaff: sumOf(journal.filter(({ key, what }) => key === attempt && what === 'portal capture')),
        refunded: journal
          .filter((each) => each.original === attempt && isOwnRefund(each))
          .reduce((sum, each) => sum + movedBy(each, journal), 0n),
        says,
        lines: journal.filter(({ key, original }) => ids.includes(key) || ids.includes(original ?? key)),
        settled,
      };
      const explanation = explanationOf(item);
      const isTrue = explanation?.isTrue(item, facts) ?? false;
      // What a user has closed may have been put right at the provider.
      const isClosed = item.closed === 't';
      if (!isTrue && isClosed) continue;
      if (!isTrue) report(`${kind} of ${own} is listed and not true: ${JSON.stringify(facts.line)}`);
      // Two items of one attempt may explain the same money.
      const part = explanation?.more(item, facts) ?? 0n;
      if (explained.has(`${own} ${part}`)) continue;
      if (isClosed) put.push(part);
      else more += part;
      explained.add(`${own} ${part}`);
    }
    // What a user has closed may have been put right in the payment as well.
    if (!sumsOf(put).has(held - says - more))
      report(`of order ${order} the provider holds ${held}, the payment says ${says}, its items explain ${more}`);
  }
}

/** The sums of all selections of some parts. */
function sumsOf(parts: bigint[]): Set<bigint> {
  const sums = new Set([0n]);
  for (const part of parts) for (const sum of [...sums]) sums.add(sum + part);
  return sums;
}

/** Captures and refunds are sent for attempts that have been approved, and refunds for money that was taken. */
export function checkOriginals({ providers, report }: World) {
  for (const { journal } of providers) {
    const authorized = new Set<string>();
    const approved = new Set(
      journal.filter(({ status }) => /^(approved|authorized)$/.test(status)).map(({ key }) => key),
    );
    for (const { kind, key, original } of journal)
      if ((kind === 'refund' || kind === 'capture') && original !== null && !approved.has(original))
        report(`${kind} ${key} was sent for ${original}, which was never approved`);
    for (const { kind, key, original, status } of journal) {
      if (kind === 'payment' && status === 'authorized') authorized.add(key);
      else if (kind === 'payment') authorized.delete(key);
      else if (kind === 'capture' && status === 'approved') authorized.delete(original ?? '');
      else if (kind === 'refund' && authorized.has(original ?? ''))
        report(`refund ${key} was sent for ${original}, which was only authorised`);
    }
  }
}
