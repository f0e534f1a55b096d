// What the merchant has asked for, compared with what was done and with what was answered.
import { orderSql } from '../merchants.ts';
import { type Asked, orderedBy } from '../requests.ts';
import type { World } from '../world.ts';
import { isUnsigned } from './keys.ts';

/** Faults after which a request may have read the settings long before its attempt is recorded. */
const slow = /^(clock off|process paused|statement slow|answer slow|outage of days)#/;
const minute = 60_000;

type Row = Record<'payment' | 'order' | 'operation' | 'kind' | 'status' | 'minor' | 'id' | 'at' | 'state', string> & {
  key: string | null;
};

const isAttempt = ({ kind }: Row) => !/^(capture|refund|reversal|void|chargeback)$/.test(kind);
const minorOf = (amount: string) => String(BigInt(amount.replace('.', '')));
/** What an answer says of an operation; null if it only accepts it. */
function outcomeOf({ result = '', trans_status: transStatus = '' }: Record<string, string>): 'success' | 'fail' | null {
  if (result === 'SUCCESS' || transStatus === 'SUCCESS') return 'success';
  return result === 'DECLINED' || transStatus === 'FAIL' ? 'fail' : null;
}

/** Every payment and every change was asked for, with its amount; every answer is recorded as it was given. */
export async function checkRequests({ base, asked, chance, report }: World) {
  const rows = await base.rows<Row>(
    `select p.id as payment, ${orderSql} as order, p.operation::text, p.state::text, t.kind::text, t.status::text, t.amount_minor::text as minor,
            t.id, t.idempotency_key as key, (extract(epoch from t.created_at) * 1000)::bigint::text as at
       from transactions t join payments p on p.id = t.payment_id`,
  );
  const changes = new Map(asked.filter(({ key }) => key !== undefined).map((each) => [each.key, each]));
  for (const row of rows) {
    const { order, kind, minor, key } = row;
    if (kind === 'chargeback') continue;
    if (kind === 'refund' && row.operation === 'debit') report(`the debit of order ${order} was refunded in part`);
    // Orders of schedules have the number of their slot.
    if (isAttempt(row) && order.includes('/')) continue;
    const wanted = isAttempt(row) ? orderedBy(asked, order) : changes.get(key ?? '');
    if (wanted?.order !== order) report(`${kind} ${row.id} of order ${order} was not asked for`);
    else if (wanted.amount !== undefined && minorOf(wanted.amount) !== minor)
      report(`${kind} ${row.id} of order ${order} has ${minor}, asked for were ${wanted.amount}`);
  }
  for (const each of asked) checkAnswer(each, rows, { chance, report });
}

const hasMet = (chance: World['chance'], fault: string) => chance.met.some((each) => each.startsWith(fault));

function checkAnswer(each: Asked, rows: Row[], { chance, report }: Pick<World, 'chance' | 'report'>) {
  const { order, action, key, tries, answer, at } = each;
  if (!answer) return;
  const ofOrder = rows.filter((row) => row.order === order);
  const { result } = answer.body;
  // The time of an attempt is that of its process.
  const skew = hasMet(chance, 'clock off') ? 300_000 : 0;
  if (key !== undefined) {
    const done = ofOrder.filter((row) => row.key === key);
    const isRejected = answer.status >= 400 || result === 'ERROR';
    // Another copy of the request may arrive when the reason for the rejection is gone, and go on much later.
    const hasCopies = tries > 1 || hasMet(chance, 'request twice');
    const isSlow = chance.met.some((fault) => slow.test(fault));
    // The repeat of a request may have a key that has ended meanwhile.
    const isKnown = !(hasCopies && isUnsigned(each));
    if (isRejected && isKnown && done.some((row) => !hasCopies || (!isSlow && Number(row.at) < answer.at)))
      report(`${action} of order ${order} was rejected, and is recorded`);
    if (!isRejected && done.length !== 1)
      report(`${action} of order ${order} was accepted, recorded are ${done.length}`);
    const outcome = outcomeOf(answer.body);
    const [row] = done;
    if (row && outcome && row.status !== outcome)
      report(`${action} of order ${order} was answered with ${outcome} and is recorded as ${row.status}`);
  } else if (action === 'RETRY' && result === 'ACCEPTED') {
    if (!ofOrder.some((row) => isAttempt(row) && Number(row.at) >= Math.floor(at - skew)))
      report(`RETRY of order ${order} was accepted, and nothing was attempted`);
  }
}

/** An account that is disabled takes part in nothing new, once the requests that had begun before have ended. */
export async function checkDisabledAccounts({ base, disabled, chance, report }: World) {
  const beganBefore = (chance.met.some((fault) => slow.test(fault)) ? 15 : 0.5) * minute;
  const attempts = await base.rows<{ id: string; mid: string; at: string }>(
    `select id, mid_id as mid, (extract(epoch from created_at) * 1000)::bigint as at
       from transactions where kind not in ('capture', 'refund', 'reversal', 'void', 'chargeback')`,
  );
  for (const { id, mid, at } of attempts)
    for (const { account, from, to } of disabled)
      if (mid === account && Number(at) > from + beganBefore && Number(at) < to - beganBefore)
        report(`attempt ${id} was made at a disabled account`);
}
