// Decisions of users: each item is closed once, by the user who got that answer, and an outcome is the one that was chosen.
import type { World } from '../world.ts';

type Closed = Record<'item' | 'by' | 'note' | 'transaction' | 'status', string> & { code: string | null };

/** Compares the items that users have closed with their requests and answers. */
export async function checkDecisions({ base, decisions, report }: World) {
  if (decisions.length === 0) return;
  const closed = await base.rows<Closed>(
    `select u.id as item, u.closed_by as by, u.resolution as note, t.id as transaction, t.status::text, t.decline_code as code
       from unresolved u join transactions t on t.id = u.transaction_id where u.closed_by like 'user:%'`,
  );
  for (const { item, by, note } of closed)
    if (!decisions.some((each) => each.item === item && each.note === note && by === `user:${each.user}`))
      report(`item ${item} was closed by ${by} with "${note}", which was not asked for`);
  for (const { item, decision, note, status, isSure } of decisions) {
    const found = closed.find((each) => each.item === item);
    if (status === 200 && found?.note !== note) report(`${note}: item ${item} was closed, recorded is ${found?.note}`);
    if (isSure && status !== 200 && found?.note === note) report(`${note}: refused, and item ${item} is closed by it`);
    // An authorisation that a user has approved may expire.
    const outcomes = { closed: null, approved: 'success', declined: 'fail' };
    const hasExpired = decision === 'approved' && found?.code === 'hold_expired';
    if (status === 200 && found && outcomes[decision] !== null && found.status !== outcomes[decision] && !hasExpired)
      report(`${note}: ${decision} was accepted, and transaction ${found.transaction} is ${found.status}`);
  }
}
