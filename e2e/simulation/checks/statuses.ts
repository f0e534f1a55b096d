// What the service answers about the state of a payment.
import { type State, transitions } from '../../../lib/core/states.ts';
import { orderSql } from '../merchants.ts';
import { type Asked, isSale, type Question } from '../requests.ts';
import type { World } from '../world.ts';

// Two states have another name in answers.
const names: Record<string, State> = { '3ds': 'threeds', decline: 'declined' };
const stateOf = (status = '') => names[status.toLowerCase()] ?? (status.toLowerCase() as State);

/** Asks for the state of every payment again. */
export async function checkStates({ base, questions, report }: World) {
  const read = async ({ order, transId }: Question) => {
    const rows = await base.rows<{ state: string }>(
      `select state::text from payments p
        where ${orderSql} = $1 and ($2::uuid is null or id = (select payment_id from transactions where id = $2))
        order by created_at desc, id desc limit 1`,
      [order, transId ?? null],
    );
    return rows[0]?.state;
  };
  for (const question of questions) {
    const { order, ask } = question;
    const before = await read(question);
    const status = await ask();
    if (before !== (await read(question))) continue;
    if (before && stateOf(status) !== before) report(`order ${order} is ${before}, and its status says ${status}`);
  }
}

/** Of two answers about one payment, the later one is a state that the earlier one leads to. */
export function checkAnswers({ asked, report }: World) {
  const byPayment = Map.groupBy(asked.filter(saysState), ({ answer }) => answer?.body.trans_id as string);
  for (const answers of byPayment.values()) {
    const results = new Set(answers.filter(isSale).map(({ answer }) => answer?.body.result));
    if (results.has('SUCCESS') && results.has('DECLINED'))
      report(`order ${answers[0]?.order} was answered with SUCCESS and DECLINED`);
    // A repeated attempt leaves the declined state.
    const isRepeated = asked.some(({ action, order }) => action === 'RETRY' && order === answers[0]?.order);
    for (const later of answers) {
      for (const earlier of answers) {
        if ((earlier.answer?.at ?? 0) >= later.at) continue;
        const [from, to] = [stateOf(earlier.answer?.body.status), stateOf(later.answer?.body.status)];
        if (!isReachable(from, to, isRepeated)) report(`order ${later.order} was ${from}, then ${to}`);
      }
    }
  }
}

// The status of an attempt without an outcome is not the state of its payment.
const saysState = ({ answer }: Asked) =>
  answer?.body.trans_id !== undefined && answer.body.status !== undefined && answer.body.result !== 'UNDEFINED';

const reachable = new Map<string, Set<State>>();

function isReachable(from: State, to: State, isRepeated: boolean): boolean {
  const name = `${from} ${isRepeated}`;
  let found = reachable.get(name);
  if (!found) {
    found = new Set([from]);
    for (const state of found) {
      if (state === 'declined' && !isRepeated) continue;
      for (const next of Object.values(transitions[state])) found.add(next as State);
    }
    reachable.set(name, found);
  }
  return found.has(to);
}
