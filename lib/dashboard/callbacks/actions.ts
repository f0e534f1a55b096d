/** Resends the callbacks of a filter, and pauses deliveries to a merchant's address. */
import { z } from 'zod';
import { isUuid } from '../../core/ids.ts';
import { logAction } from '../changes.ts';
import { DashboardError, parseBody } from '../errors.ts';
import type { DashboardRequest } from '../guard.ts';
import { readFilter } from '../lists/resource.ts';
import { callbacks } from './callbacks.ts';
import { countResendable, isKnownAddress, pauseAddress, resendFound, resendMax, resumeAddress } from './queries.ts';

const bulk = z.object({ query: z.string().max(4000), dry: z.boolean().optional() });

/** Resends every callback that the list's filter finds, up to a limit; with `dry` it only counts them. */
export async function resendAll(request: DashboardRequest) {
  const { scope, body, zone, now } = request;
  const { query, dry = false } = parseBody(bulk, body);
  const filter = readFilter(callbacks, { query: new URLSearchParams(query), scope, zone });
  const found = await countResendable(filter);
  if (dry || found === 0) return { found, most: resendMax, resent: 0 };
  await logAction(request, 'callbacks.resend', `merchant:${scope ?? 'all'}`, { after: { filter: query, found } });
  return { found, most: resendMax, resent: await resendFound(filter, now) };
}

const pauseInput = z.object({
  address: z.string().max(300),
  merchantId: z.string().refine(isUuid).optional(),
  held: z.boolean(),
});

/** Pauses or resumes deliveries to an address, for one merchant: other merchants may use the same address. */
export async function pauseAction(request: DashboardRequest) {
  const { viewer, scope, body, now } = request;
  const { address, merchantId, held } = parseBody(pauseInput, body);
  if (scope !== null && merchantId !== undefined && merchantId !== scope) return null;
  const owner = scope ?? merchantId;
  if (owner === undefined) throw new DashboardError(400, 'Choose the merchant of the address.');
  if (!(await isKnownAddress(owner, address))) return null;
  const difference = { before: { held: !held }, after: { held, address } };
  await logAction(request, held ? 'callbacks.hold' : 'callbacks.release', `merchant:${owner}`, difference);
  if (held) await pauseAddress(owner, address, `user:${viewer.id}`, now);
  else await resumeAddress(owner, address);
  return { held };
}
