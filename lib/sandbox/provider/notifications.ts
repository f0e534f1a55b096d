// The sandbox provider's jobs: complete due operations, and notify the gateway, signed and with retries. Both are due
// rows, so that a restart loses nothing.
import { request } from 'undici';
import { env } from '../../config/index.ts';
import { signWebhook } from '../../core/webhooks.ts';
import { prisma, statement } from '../../db/index.ts';
import { log } from '../../telemetry/index.ts';
import { signingSecretOf } from './api-keys.ts';
import { completeDue } from './completion.ts';
import { findById, findDue } from './operation-queries.ts';
import { writeAnswer } from './wire.ts';

const attemptSeconds = 10;

type Claimed = { id: string; messageId: string; body: object | null; operationId: string; url: string };

/** Completes due operations and sends due notifications. Returns the number of rows. */
export async function simulatorTick(now: Date): Promise<number> {
  const due = await findDue(now);
  for (const operation of due) await completeDue(operation, now);
  const claimed = await claimDue({ now });
  await Promise.all(claimed.map((notification) => deliver(notification, now)));
  return due.length + claimed.length;
}

// Claiming sets the next attempt, which is also the lease: after 5 s, 20 s, 80 s, 5 min, 20 min; then it stops.
const claimDue = statement<{ now: Date }, Claimed>(
  'sim-notify-claim',
  `update sim_notifications n set attempts = attempts + 1,
      due_at = case when attempts < 5 then :now::timestamptz + interval '5 seconds' * power(4, attempts) end
    from sim_operations o
    where o.id = n.operation_id and n.id in (
      select id from sim_notifications where due_at <= :now::timestamptz order by due_at limit 50 for update skip locked)
    returning n.id, coalesce(n.message_id, n.id) as "messageId", n.body, n.operation_id as "operationId",
      o.notify_url as url`,
);

async function deliver({ id, messageId, body: said, operationId, url }: Claimed, now: Date): Promise<void> {
  const operation = await findById(operationId);
  if (!operation) return;
  const body = JSON.stringify(said ?? writeAnswer(operation, env.baseUrl));
  const headers = {
    'content-type': 'application/json',
    ...signWebhook(signingSecretOf(env.vaultKey, operation.account), messageId, now, body),
  };
  try {
    const signal = AbortSignal.timeout(attemptSeconds * 1000);
    const answer = await request(url, { method: 'POST', headers, body, signal });
    await answer.body.dump();
    if (answer.statusCode < 200 || answer.statusCode > 299) throw new Error(`http ${answer.statusCode}`);
    await prisma().simNotification.update({ where: { id }, data: { deliveredAt: now, dueAt: null } });
  } catch (err) {
    log.info(
      { notification: id, why: (err as Error).message },
      'the sandbox provider could not deliver a notification',
    );
  }
}
