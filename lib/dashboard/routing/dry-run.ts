/**
 * Simulates a draft of routing rules with past payments. The function that routes live payments is called twice for
 * each, with the published rules and with the draft, and with the same random number, so that only the rules make a
 * difference. The number is derived from the payment's id, so that a second run finds the same.
 */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { BinCountries } from '../../core/bins.ts';
import { formatAmount } from '../../core/money.ts';
import type { Payment, Protocol, Transaction } from '../../core/payment.ts';
import { attemptKindsSql, unprepared } from '../../db/index.ts';
import type { Mapping, Mid } from '../../merchants/index.ts';
import type { CardSetId } from '../../methods/card-sets.ts';
import { chooseMids, type MidRequirements, missingParameterSets, type SavedRule } from '../../routing/index.ts';

type Rules = { mids: Mid[]; now: SavedRule[]; draft: SavedRule[]; binCountries: BinCountries | null };

const movesMost = 100;
/** With fewer finished payments a MID's approval rate is not used. */
const approvalLeast = 20;
/** Payments between two pauses in which other requests are answered. */
const batchSize = 25;
/** Enough draws to select a MID with a share of one percent almost always. */
const drawsMost = 256;

/** Simulates a draft with payments, newest first. */
export async function dryRun(past: readonly PastPayment[], rules: Rules) {
  const approvals = approvalsOf(past);
  const names = new Map(rules.mids.map(({ id, name }) => [id, name]));
  const counts = new Map(rules.mids.map(({ id }) => [id, { now: 0, draft: 0 }]));
  const without = { now: 0, draft: 0 };
  const byRule: Record<string, number> = {};
  const moves: ReturnType<typeof moveOf>[] = [];
  const expected = { now: [] as (number | null)[], draft: [] as (number | null)[] };
  let [moved, undecided] = [0, 0];
  for (const [place, payment] of past.entries()) {
    if (place % batchSize === 0) await setImmediate();
    const { now, draft, rule } = chosenFor(payment, rules);
    for (const [side, midId] of Object.entries({ now, draft }) as ['now' | 'draft', string | null][]) {
      expected[side].push(approvals(payment, midId));
      const count = counts.get(midId ?? '') ?? without;
      count[side] += 1;
    }
    byRule[rule] = (byRule[rule] ?? 0) + 1;
    if (needsMoreDigits(payment, rules)) undecided += 1;
    if (now === draft) continue;
    moved += 1;
    const nameOf = (id: string | null) => names.get(id ?? '') ?? null;
    if (moves.length < movesMost) moves.push(moveOf(payment, nameOf(now), nameOf(draft)));
  }
  const approval = { now: meanOf(expected.now), draft: meanOf(expected.draft) };
  return {
    payments: past.length,
    from: past.at(-1)?.createdAt.toISOString() ?? null,
    to: past[0]?.createdAt.toISOString() ?? null,
    /** Payments that another MID would get, and those for which the rules leave no MID. */
    moved,
    without,
    /** Payments that could not be evaluated because a rule uses more than six digits of the card. */
    undecided,
    /** The approval rate, 0 to 1, from each MID's approvals; null with too few payments. */
    approval: approval.now === null || approval.draft === null ? null : (approval as Record<'now' | 'draft', number>),
    mids: rules.mids
      .map(({ id, name }) => ({ id, name, now: 0, draft: 0, ...counts.get(id) }))
      .sort((one, other) => other.now - one.now || other.draft - one.draft),
    /** Payments that each rule of the draft decided; payments without a rule are under ''. */
    rules: byRule,
    moves,
  };
}

/** A payment that another MID would get. Null means no MID. */
function moveOf({ id, orderNumber, wanted }: PastPayment, from: string | null, to: string | null) {
  const { amountMinor, currency } = wanted;
  return { id, orderNumber, amount: formatAmount(amountMinor, currency), currency, from, to };
}

/** The first MID by the published rules and by the draft, and the draft's deciding rule; '' for none. */
function chosenFor(payment: PastPayment, rules: Rules): { now: string | null; draft: string | null; rule: string } {
  const wanted = { ...payment.wanted, binCountries: rules.binCountries };
  const preferred = payment.isBound ? payment.midId : undefined;
  const choose = (list: SavedRule[], drawn: number) =>
    chooseMids({ mids: rules.mids, mapping: { rules: list } }, wanted, preferred, () => drawn);
  const draw = drawsOf(payment.id);
  let drawn = draw();
  const first = drawn;
  let now = choose(rules.now, drawn);
  // If the published rules could have chosen the payment's real MID, they are assumed to have done so.
  if (now.mids.some(({ id }) => id === payment.midId)) {
    for (let made = 1; now.mids[0]?.id !== payment.midId && made < drawsMost; made++) {
      drawn = draw();
      now = choose(rules.now, drawn);
    }
    if (now.mids[0]?.id !== payment.midId) {
      drawn = first;
      now = choose(rules.now, drawn);
    }
  }
  const draft = choose(rules.draft, drawn);
  const rule = rules.draft.find(({ name }) => draft.why === `rule: ${name}`);
  return { now: now.mids[0]?.id ?? null, draft: draft.mids[0]?.id ?? null, rule: rule?.id ?? '' };
}

/** Numbers from 0 up to 1 that depend on the id alone, as many as requested. */
function drawsOf(id: string): () => number {
  let state = createHash('sha256').update(id).digest().readUInt32LE(0);
  // Mulberry32: 32 bits of state are sufficient here, and it is fast.
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Whether an enabled rule needs card digits that are unknown, and matches those that are known. */
function needsMoreDigits({ wanted: { cardNumber } }: PastPayment, { now, draft }: Rules): boolean {
  if (cardNumber === undefined) return false;
  return [...now, ...draft].some(
    ({ enabled, conditions }) =>
      enabled && conditions.bins?.some((bin) => bin.length > cardNumber.length && bin.startsWith(cardNumber)),
  );
}

/** The approval rate of a MID: of its payments in the same currency, otherwise of all; null if unknown. */
function approvalsOf(past: readonly PastPayment[]): (payment: PastPayment, midId: string | null) => number | null {
  const counts = new Map<string, { approved: number; all: number }>();
  for (const { approved, midId, wanted } of past) {
    if (approved === null) continue;
    for (const key of [midId, `${midId} ${wanted.currency}`]) {
      const count = counts.get(key) ?? { approved: 0, all: 0 };
      counts.set(key, { approved: count.approved + (approved ? 1 : 0), all: count.all + 1 });
    }
  }
  return ({ wanted }, midId) => {
    if (midId === null) return 0;
    for (const key of [`${midId} ${wanted.currency}`, midId]) {
      const count = counts.get(key);
      if (count && count.all >= approvalLeast) return count.approved / count.all;
    }
    return null;
  };
}

/** The mean of the approval rates; null if there are none or one is unknown. */
function meanOf(rates: readonly (number | null)[]): number | null {
  if (rates.length === 0 || rates.includes(null)) return null;
  const sum = rates.reduce<number>((total, rate) => total + (rate ?? 0), 0);
  return Math.round((sum / rates.length) * 10_000) / 10_000;
}

/** One past payment: its routing inputs, and the MID of its first attempt. */
export type PastPayment = {
  id: string;
  orderNumber: string;
  createdAt: Date;
  wanted: MidRequirements & { method: string; cardNumber?: string };
  midId: string;
  /** The outcome of the first attempt; null while it is open. */
  approved: boolean | null;
  /** A subsequent recurring charge, which stays with the MID of the initial payment whatever the rules say. */
  isBound: boolean;
};

type Scope = { merchantId: string; protocol: Protocol; since: Date };

type PastRow = Pick<PastPayment, 'id' | 'orderNumber' | 'createdAt' | 'midId' | 'isBound'> &
  Pick<MidRequirements, 'operation' | 'authorizeOnly' | 'recurringInit' | 'currency' | 'amountMinor'> &
  Pick<Payment, 'digitalWallet' | 'parameters'> &
  Pick<Transaction, 'method' | 'status'> & { first6: string | null };

const newestAttempted = `from payments
  where merchant_id = :merchantId::uuid and protocol = :protocol::"Protocol" and created_at >= :since::timestamptz
    and attempts > 0
  order by created_at desc, id desc limit :most::int`;

const readPast = unprepared<Scope & { most: number }, PastRow>(
  `select p.id, p.order_number as "orderNumber", p.created_at as "createdAt", p.operation::text,
          p.authorize_only as "authorizeOnly", p.recurring_init as "recurringInit", p.currency,
          p.amount_minor as "amountMinor", p.digital_wallet as "digitalWallet", p.parameters,
          p.recurring_first_id is not null as "isBound", t.mid_id as "midId", t.method, t.status::text, k.first6
     from (select * ${newestAttempted}) p
     join lateral (select * from transactions
                    where payment_id = p.id
                      and kind in ${attemptKindsSql()}
                    order by created_at, number limit 1) t on true
     left join cards k on k.id = t.card_id
    order by p.created_at desc, p.id desc`,
);

/** The newest attempted payments since `since`, at most `most`, newest first. */
export async function pastPayments(
  { merchantId, protocol, since }: Scope,
  { mids, mapping }: { mids: Mid[]; mapping: Pick<Mapping, 'protocol' | 'rules'> },
  most: number,
): Promise<PastPayment[]> {
  const rows = await readPast({ merchantId, protocol, since, most });
  const past: PastPayment[] = [];
  const context = { merchant: { id: merchantId }, mids, mapping };
  for (const row of rows) past.push(toPast(row, await missingParameterSets(context, row, row.method)));
  return past;
}

function toPast({ digitalWallet, first6, status, ...row }: PastRow, missingSets: CardSetId[]): PastPayment {
  const { id, orderNumber, createdAt, midId, isBound, parameters: _parameters, ...wanted } = row;
  const walletToken = row.method === 'applepay' || row.method === 'googlepay';
  return {
    id,
    orderNumber,
    createdAt,
    midId,
    isBound,
    wanted: {
      ...wanted,
      walletToken,
      missingSets,
      cardNumber: first6 ?? undefined,
      digitalWallet: walletToken ? null : digitalWallet,
    },
    approved: status === 'success' ? true : status === 'fail' ? false : null,
  };
}

const readDecided = unprepared<Scope & { most: number }, { why: string | null; payments: number }>(
  `with past as (select id, trace ${newestAttempted})
   select step ->> 'why' as why, count(distinct past.id)::int as payments
     from past, jsonb_array_elements(past.trace) step where (step ->> 'taken')::boolean group by 1
    union all select null, count(*)::int from past`,
);

/**
 * Counts the newest payments since `since`, at most `most`, by routing log reason, as `rule: Japan` or `priority`; a
 * payment with several attempts may count twice.
 */
export async function countDecisions({ merchantId, protocol, since }: Scope, most: number) {
  const rows = await readDecided({ merchantId, protocol, since, most });
  const by = new Map(rows.flatMap(({ why, payments }) => (why === null ? [] : [[why, payments] as const])));
  return { payments: rows.find(({ why }) => why === null)?.payments ?? 0, by };
}
