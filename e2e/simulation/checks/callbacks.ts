// What callbacks report to the merchant: the outcome of every operation once, and nothing else.
import type { Arrival } from '../receiver.ts';
import { type Asked, orderedBy } from '../requests.ts';
import type { World } from '../world.ts';

/** A callback with its transaction and its payment. */
type Reported = {
  id: string;
  sequence: string;
  state: string;
  transaction: string;
  kind: string;
  status: string;
  minor: string;
  attempt: string;
  payment: string;
  payment_state: string;
  /** The amounts of the transaction's differences from the provider. */
  listed: string[];
};

const attemptKinds = /^(sale|authorize|debit|credit|transfer|recurring)$/;

/** The names of the contract for what a callback is about, by the kind of the transaction. */
const names: Record<string, RegExp> = {
  capture: /^capture$/i,
  refund: /^(refund|CREDITVOID)$/,
  // The mapping may call the reversal of an authorisation a void.
  reversal: /^(reversal|void|CREDITVOID)$/,
  void: /^void$/i,
  chargeback: /^chargeback$/i,
};
const attemptName =
  /^(sale|recurring|credit|3ds|redirect|init|SALE|DEBIT|CARD2CARD|RECURRING_SALE|RECURRING_DEBIT|CREDIT2CARD)$/;

/** The states of a payment after a success, by the kind of the transaction. Those of a dispute stay. */
const statesAfter: Record<string, RegExp> = {
  capture: /^settled$/,
  refund: /^(refund|settled|chargeback)$/,
  reversal: /^(reversal|void|chargeback)$/,
  void: /^(void|chargeback)$/,
  chargeback: /^chargeback$/,
};

/** What a callback says, in the words of Checkout. */
function meaningOf({ action, result, status = '', type = '', order_status }: Record<string, string>) {
  const isOnTheWay = action ? result === 'REDIRECT' : /^(3ds|redirect|init)$/.test(type);
  const outcomes: Record<string, string> = { SUCCESS: 'success', REDIRECT: 'success', DECLINED: 'fail' };
  return {
    name: action || type,
    outcome: action ? (outcomes[result ?? ''] ?? result?.toLowerCase() ?? '') : status,
    state: ((action ? status : order_status) ?? '').toLowerCase().replace(/^declined$/, 'decline'),
    isOnTheWay,
  };
}

/** The name of a state in callbacks. */
const stateName = (state: string) => ({ declined: 'decline', threeds: '3ds' })[state] ?? state;
/** The mapping may call a reversed payment of Checkout void. */
const isState = (reported: string, state: string) =>
  reported === stateName(state) || (reported === 'void' && state === 'reversal');

/** Compares all reports with the transactions, the payments and what was ordered. */
export async function checkReports(world: World) {
  const { base, tries, report } = world;
  const first = new Map<string, Arrival>();
  for (const each of tries) if (!first.has(each.id)) first.set(each.id, each);
  const rows = await base.rows<Reported & { listed: string }>(
    `select c.id, c.sequence, c.state::text, t.id as transaction, t.kind::text, t.status::text, t.amount_minor::text as minor,
            coalesce(t.attempt_id, t.id) as attempt, p.id as payment, p.state::text as payment_state,
            coalesce((select string_agg(u.amount_minor::text, ' ') from unresolved u where u.transaction_id = t.id), '') as listed
       from callbacks c join transactions t on t.id = c.transaction_id join payments p on p.id = c.payment_id
      order by c.payment_id, c.sequence`,
  );
  const all = rows.map((row) => ({ ...row, listed: row.listed.split(' ').filter(Boolean) }));
  const known = new Set(all.map(({ id }) => id));
  for (const id of first.keys()) if (!known.has(id)) report(`callback ${id} was sent and is not recorded`);
  const reported = all.flatMap((row) => {
    const sent = first.get(row.id);
    if (row.state !== 'delivered') report(`callback ${row.id} is ${row.state} at the end`);
    return sent ? [{ row, sent }] : [];
  });
  for (const each of reported) checkContent(each, world);
  for (const [place, { row, sent }] of reported.entries()) {
    if (reported[place + 1]?.row.payment === row.payment) continue;
    const { state } = meaningOf(sent.fields);
    if (!isState(state, row.payment_state))
      report(`payment ${row.payment} is ${row.payment_state}, the last callback says ${state}`);
  }
  await checkOutcomes(reported, world);
  await checkStored(world);
}

/** No row has a signature that a reader of the database could use, and every attempt sent the body of the first one. */
async function checkStored({ base, report }: World) {
  const signed = await base.rows<{ id: string }>(
    "select id from callbacks where body is not null or unsigned_body ~ '(^|&)hash=[^&]' order by id",
  );
  for (const { id } of signed) report(`callback ${id} is stored with its hash`);
  const attempts = await base.rows<{ callback: string; differs: string }>(
    'select callback_id as callback, differs from callback_attempts where differs or length(signature) > 8 order by callback_id, at',
  );
  for (const { callback, differs } of attempts)
    report(
      `callback ${callback}: ${differs === 't' ? 'an attempt sent another body' : 'the hash of an attempt is stored'}`,
    );
}

type Sent = { row: Reported; sent: Arrival };

/** The ids, the name, the state and the amount of one callback. */
function checkContent({ row, sent }: Sent, { asked, providers, report }: World) {
  const { fields, sequence } = sent;
  const { name, outcome, state, isOnTheWay } = meaningOf(fields);
  const about = `callback ${row.id} (${name} ${outcome} ${state}) of order ${sent.order}`;
  const isAttempt = attemptKinds.test(row.kind);
  if (sequence !== Number(row.sequence)) report(`${about}: the sequence is ${sequence}, recorded is ${row.sequence}`);
  if (fields.trans_id !== row.attempt)
    report(`${about}: the attempt is ${fields.trans_id}, recorded is ${row.attempt}`);
  if (fields.payment_id !== undefined && fields.payment_id !== row.payment) report(`${about}: another payment`);
  if (!(isAttempt ? attemptName : names[row.kind])?.test(name)) report(`${about} is about a ${row.kind}`);
  if (!isPossible(row.kind, outcome, state, isOnTheWay)) report(`${about}: the state does not follow`);
  const lines = providers.flatMap(({ journal }) => journal).filter(({ key }) => key === row.transaction);
  const reached = new Set(lines.map((line) => line.status));
  // Voids have keys of their own, and a chargeback is the bank's.
  const isMovement = !/^(void|reversal|chargeback)$/.test(row.kind);
  const needed = isAttempt && state === 'pending' ? 'authorized' : 'approved';
  if (isMovement && outcome === 'success' && !isOnTheWay && !reached.has(needed))
    report(`${about}: the provider has never ${needed} it`);
  const amount = fields.amount ?? fields.order_amount ?? '';
  const minor = String(Number(amount.replace('.', '')));
  const ordered = orderedBy(asked, sent.order);
  if (isAttempt && ordered?.protocol === 'card' && name !== actionOf(ordered, sent.order))
    report(`${about} was ordered by ${ordered.action}`);
  // A difference is reported with the provider's amount, which may have changed since.
  const isReported = row.listed.includes(minor) || lines.some((line) => line.minor === minor);
  if (minor !== row.minor && (outcome === 'success' || row.listed.length === 0 || !isReported))
    report(`${about}: the amount is ${amount}, recorded are ${row.minor}`);
  // Charges of schedules: slots.ts.
  if (isAttempt && outcome === 'success' && !sent.order.includes('/') && amount !== ordered?.amount)
    report(`${about}: the amount is ${amount}, ordered were ${ordered?.amount}`);
  const currency = fields.currency ?? fields.order_currency;
  if (currency !== undefined && currency !== ordered?.currency) report(`${about}: the currency is ${currency}`);
}

/** The action that callbacks of S2S CARD name: of a schedule's charge that of a subsequent one. */
function actionOf({ action }: Asked, order: string): string {
  if (!order.includes('/')) return action;
  return action === 'DEBIT' ? 'RECURRING_DEBIT' : 'RECURRING_SALE';
}

/** Whether a payment may have this state after the reported outcome of a transaction of this kind. */
function isPossible(kind: string, outcome: string, state: string, isOnTheWay: boolean): boolean {
  if (isOnTheWay) return /^(3ds|redirect|pending)$/.test(state);
  const isAttempt = attemptKinds.test(kind);
  // The provider's staff may capture an authorisation before its outcome is known.
  if (outcome === 'success' && isAttempt) return state === 'settled' || (kind === 'authorize' && state === 'pending');
  if (outcome === 'success') return statesAfter[kind]?.test(state) ?? false;
  if (outcome === 'fail' && isAttempt) return state === 'decline';
  return outcome === 'fail' || outcome === 'undefined' || outcome === 'waiting';
}

/**
 * The reports of a transaction in order: on the way (i), waiting (w) and unknown (u), each not twice in a row; then
 * success (S) or failure (F) once. Afterwards an authorisation may expire, a dispute be won, and a difference from the
 * provider be found and end.
 */
const order = /^[iwu]*(S(?<ended>F?)|F)?(?<differences>(uF?)*)$/;
const repeated = /^[iwu]*(ii|ww|uu)/;
const letters: Record<string, string> = { success: 'S', fail: 'F', waiting: 'w', undefined: 'u' };

/** Each final outcome was reported exactly once, as it is recorded, and nothing that contradicts it. */
async function checkOutcomes(reported: Sent[], { base, report }: World) {
  const said = new Map<string, string>();
  for (const { row, sent } of reported) {
    const { outcome, isOnTheWay } = meaningOf(sent.fields);
    said.set(row.transaction, (said.get(row.transaction) ?? '') + (isOnTheWay ? 'i' : (letters[outcome] ?? '?')));
  }
  type Final = { id: string; kind: string; status: string; ended: string; decides: string; listed: string };
  const rows = await base.rows<Final>(
    `select t.id, t.kind::text, t.status::text, t.kind = 'chargeback' or p.state = 'declined' as ended,
            t.number = max(t.number) filter (where t.kind::text ~ '${attemptKinds.source}') over (partition by p.id) as decides,
            exists (select 1 from unresolved u where u.transaction_id = t.id) as listed
       from transactions t join payments p on p.id = t.payment_id`,
  );
  for (const { id, kind, status, ended, decides, listed } of rows) {
    const text = said.get(id) ?? '';
    const about = `${kind} ${id} is ${status} and was reported as ${text || 'nothing'}`;
    const read = order.exec(text);
    // Of the attempts of a cascade only the last is reported; a difference may follow what was reported of an earlier one.
    const isPassedOn = attemptKinds.test(kind) && status === 'fail' && decides !== 't';
    const isRepeated = repeated.test(text) && !(isPassedOn && listed === 't');
    if (!read || isRepeated || (read.groups?.ended && ended !== 't') || (read.groups?.differences && listed !== 't')) {
      report(`${about}, which contradicts itself`);
      continue;
    }
    const final = { success: 'S', fail: 'F' }[status];
    const reportedFinal = /[SF]/.exec(text)?.[0];
    if (reportedFinal !== final && !(isPassedOn && !reportedFinal)) report(about);
  }
}
