/**
 * The job of reconciliation: completes reports that are read and not matched, and looks at each MID again, because a payment may
 * be approved after it was reported, and a day may have ended without a report.
 */
import { now as clock } from '../db/clock.ts';
import { statement } from '../db/index.ts';
import { runInBackground } from '../jobs/index.ts';
import { log } from '../telemetry/index.ts';
import { complete, explainLater, leaseEnd } from './import.ts';
import { findMapping } from './mapping.ts';
import { claimReport } from './reports.ts';

const everyMs = 15 * 60_000;

// One process takes a MID; the next time is in the database.
const claimMid = statement<{ now: Date; dueAt: Date }, { mid: string; merchant: string }>(
  'claim-settlement-mid',
  `update settlement_progress p set due_at = :dueAt::timestamptz
     from mids m
    where m.id = p.mid_id
      and p.mid_id = (select mid_id from settlement_progress where due_at <= :now::timestamptz
                       order by due_at limit 1 for update skip locked)
   returning m.id as mid, m.merchant_id as merchant`,
);

/** Does one piece of work that is due; null if nothing is. A failure is logged, and does not stop the others. */
type Work = () => Promise<boolean>;

const completeNext: Work = async () => {
  const [report] = await claimReport({ now: clock(), dueAt: leaseEnd() });
  if (!report) return false;
  await logged({ report: report.id, mid: report.midId }, async () =>
    complete(report, (await findMapping(report.midId)).settings),
  );
  return true;
};

const explainNext: Work = async () => {
  const [next] = await claimMid({ now: clock(), dueAt: new Date(clock().getTime() + everyMs) });
  if (!next) return false;
  const { mid: midId, merchant: merchantId } = next;
  await logged({ mid: midId }, async () => explainLater({ midId, merchantId }, (await findMapping(midId)).settings));
  return true;
};

async function logged(about: object, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (err) {
    log.error({ err, ...about }, 'ALERT: settlement reports could not be matched');
  }
}

let isRunning = false;

const isAnyDue = statement<{ now: Date }, { due: number }>(
  'settlement-work-due',
  `select 1 as due from settlement_reports where state = 'read' and due_at <= :now::timestamptz
   union all
   select 1 from settlement_progress where due_at <= :now::timestamptz
   limit 1`,
);

/** Begins what is due, in the background, because it can take minutes; returns whether there is any as 1 or 0. */
export async function reconcileDue(): Promise<number> {
  if (isRunning || (await isAnyDue({ now: clock() })).length === 0 || isRunning) return 0;
  isRunning = true;
  runInBackground('reconciliation', () =>
    workThrough().finally(() => {
      isRunning = false;
    }),
  );
  return 1;
}

/** Reports first: what they have explains differences. */
async function workThrough(): Promise<void> {
  while ((await completeNext()) || (await explainNext()));
}
