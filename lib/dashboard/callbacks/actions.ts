/** Resends the callbacks of a filter, and pauses deliveries to an address. */
import { z } from 'zod';
import { audit } from '../../auth';
import { isUuid } from '../../core/ids';
import { DashboardError } from '../errors';
import type { DashboardRequest } from '../guard';
import { readFilter } from '../lists/resource';
import { parseBody } from '../parse-body';
import { callbacks } from './list';
import { isKnownAddress, pauseAddress, resumeAddress } from './paused-addresses';
import { countResendable, resendFound, resendMax } from './queries';

const bulk = z.object({ query: z.string().max(4000), dry: z.boolean().optional() });

/** Resends every callback that the list's filter finds, up to a limit; with `dry` it only counts them. */
export async function resendAll({
  viewer,
  scope,
  body,
  zone,
  now,
}: DashboardRequest): Promise<{ found: number; most: number; resent: number }> {
  const { query, dry = false } = parseBody(bulk, body);
  const filter = readFilter(callbacks, { query: new URLSearchParams(query), scope, zone });
  const count = await countResendable(filter);
  if (dry || count === 0) return { found: count, most: resendMax, resent: 0 };
  const after = { filter: query, found: count };
  const entry = {
    actor: `user:${viewer.id}`,
    action: 'callbacks.resend',
    subject: `merchant:${scope ?? 'all'}`,
    after,
  };
  await audit(entry, now);
  return { found: count, most: resendMax, resent: await resendFound(filter, now) };
}

const pauseInput = z.object({
  address: z.string().max(300),
  merchantId: z.string().refine(isUuid).optional(),
  held: z.boolean(),
});

/** Pauses or resumes deliveries to an address, for one merchant: other merchants may use the same address. */
export async function pauseAction({ viewer, scope, body, now }: DashboardRequest): Promise<{ held: boolean } | null> {
  const { address, merchantId, held } = parseBody(pauseInput, body);
  if (scope !== null && merchantId !== undefined && merchantId !== scope) return null;
  const owner = scope ?? merchantId;
  if (owner === undefined) throw new DashboardError(400, 'Choose the merchant of the address.');
  if (!(await isKnownAddress(owner, address))) return null;
  const action = held ? 'callbacks.hold' : 'callbacks.release';
  await audit(
    {
      actor: `user:${viewer.id}`,
      action,
      subject: `merchant:${owner}`,
      before: { held: !held },
      after: { held, address },
    },
    now,
  );
  if (held) await pauseAddress(owner, address, `user:${viewer.id}`, now);
  else await resumeAddress(owner, address);
  return { held };
}
