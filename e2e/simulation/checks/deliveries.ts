// When callbacks were sent: the times between their tries, and how long one waits for another.
import type { Arrival } from '../receiver.ts';
import type { World } from '../world.ts';

const second = 1000;
/** The times between tries (docs/guide/callbacks.md), with a spread of ten per cent. */
const waits = [5, 30, 120, 600, 1800, 3600, 7200, 18_000, 36_000, 36_000, 72_000, 86_400];
const spread = 0.1;
/** A try ends after this time. */
const timeout = 10 * second;
/** A try whose end was not recorded is repeated within this time. */
const leaseMost = 60 * second;
/** How long a callback that failed holds later ones of its payment back. */
const holdBack = 60 * second;
/** A round that found nothing is repeated after at most 39 seconds (history.ts). */
const slack = 50 * second;
/** Callbacks that are recorded with a small delay: statements take at most 2 ms each way. */
const tolerance = second;
/** A callback that a user sends again is sent within this time. */
const resentWithin = leaseMost + slack;
/** A merchant's server accepts signatures of this age (Standard Webhooks). */
const signedWithin = 300;

/** While one of these happened, a process may send a callback later than it believes, or too early. */
const disturbances = /^(clock off|process paused|statement slow|answer slow|turn long)#/;
/** The longest of them (chance.ts), and the round after it. */
const disturbedMost = 630 * second;

type Row = { id: string; payment: string; merchant: string; at: string; attempts: string };

/** The tries follow the documented schedule, none runs beside another, and none waits for another for long. */
export async function checkDeliveries({ base, tries, recordedTries, chance, calmSince, resent, report }: World) {
  const isDisturbed = chance.met.some((fault) => disturbances.test(fault));
  // A claim whose answer was lost, or whose process was killed, keeps the callback until its lease ends.
  const steadySince = calmSince + (isDisturbed ? disturbedMost : leaseMost);
  const isSteady = ({ at }: Arrival) => at > steadySince || !isDisturbed;
  const pauses = await base.rows<{ merchant: string }>(
    'select merchant_id as merchant from callback_pauses where paused_until is not null',
  );
  const rows = await base.rows<Row & { made: string }>(
    `select c.id, c.payment_id as payment, c.merchant_id as merchant, c.attempts, (extract(epoch from c.created_at) * 1000)::bigint as at,
            coalesce((select string_agg((extract(epoch from a.at) * 1000)::bigint::text, ' ' order by a.at)
                        from callback_attempts a where a.callback_id = c.id), '') as made
       from callbacks c order by c.payment_id, c.sequence`,
  );
  /** Reports what came later than it had to; a receiver that is paused gets nothing. */
  const isLate = (merchant: string, at: number, due: number) =>
    at > Math.max(due, steadySince) + slack && !pauses.some((each) => each.merchant === merchant);
  let ready = 0;
  for (const [place, { id, payment, merchant, at, attempts, made }] of rows.entries()) {
    const own = tries.filter((each) => each.id === id);
    const recorded = made.split(' ').filter(Boolean).map(Number);
    const again = resent.filter(({ callback }) => callback === id || callback === '*');
    if (recorded.length !== Number(attempts) || recorded.length > own.length)
      report(`callback ${id} was sent ${own.length} times, recorded are ${recorded.length}, counted are ${attempts}`);
    for (const [turn, next] of own.entries()) {
      const previous = own[turn - 1];
      const age = Math.abs(next.at / second - Number(next.headers['webhook-timestamp']));
      if (isSteady(next) && age > signedWithin) report(`callback ${id}: the signature is ${Math.round(age)} s old`);
      if (!previous || !isSteady(previous)) continue;
      const request = again.find(({ from, to }) => from < next.at && to + resentWithin > previous.at);
      if (request && !recordedTries.some((each) => each.callback === id && isBetween(each.at, previous, next)))
        checkResent(id, previous, next, report);
      if (request) continue;
      const { least, most } = waitAfter(previous, next, recorded);
      const wait = `callback ${id} was sent again after ${(next.at - previous.at) / second} s`;
      if (next.at < previous.at + least - tolerance) report(`${wait}, ${least / second} s is the least`);
      if (isLate(merchant, next.at, previous.at + most)) report(`${wait}, ${most / second} s is the most`);
    }
    // The first try waits for those of the older callbacks, and for a failed one a minute.
    const [first] = own;
    if (rows[place - 1]?.payment !== payment) ready = 0;
    if (first && isLate(merchant, first.at, Math.max(Number(at) + holdBack, ready)))
      report(`callback ${id} was held back for ${Math.round((first.at - Number(at)) / second)} s`);
    ready = Math.max(ready, (first?.at ?? 0) + timeout);
  }
}

const isBetween = (at: number, previous: Arrival, next: Arrival) => at >= previous.at && at <= next.at;

/** A callback that a user sends again is not sent beside a try whose end is not recorded and that may still run. */
function checkResent(id: string, previous: Arrival, next: Arrival, report: World['report']) {
  if (next.at < previous.at + timeout - tolerance) report(`callback ${id} was sent again while a try was running`);
}

/** How long after a try the next one may begin. */
function waitAfter(previous: Arrival, next: Arrival, recorded: number[]) {
  // The time of a try is recorded from its claim, a little before it was sent.
  const before = recorded.filter((at) => at < next.at - tolerance);
  // The end of the earlier try was not recorded, or not yet: it may still run.
  if (!before.some((at) => at >= previous.at - tolerance)) return { least: timeout, most: leaseMost };
  const wait = (waits[before.length - 1] ?? 0) * second;
  return { least: wait * (1 - spread), most: wait * (1 + spread) + timeout };
}
