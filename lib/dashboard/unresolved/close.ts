/** The decision about an unresolved item. */
import { z } from 'zod';
import { audit } from '../../auth';
import { findUnresolved, resolveManually } from '../../payments';
import { DashboardError } from '../errors';
import { textLine } from '../form-fields';
import type { DashboardRequest } from '../guard';
import { parseBody } from '../parse-body';
import { subjectOf } from '../payments/payment';

const closeInput = z.object({
  decision: z.enum(['closed', 'approved', 'declined'], 'Choose the outcome.'),
  note: textLine(200).min(3, 'Enter what was done.'),
});

/** Closes an item with a user's decision; the note is stored with it. */
export async function closeAction(request: DashboardRequest): Promise<{ closed: true } | null> {
  const { viewer, scope, now, params } = request;
  const { decision, note } = parseBody(closeInput, request.body);
  const item = await findUnresolved(params.id ?? '', scope);
  if (!item) return null;
  if (item.closedAt !== null) throw new DashboardError(409, 'This item is closed already.');
  if (item.action !== 'task') throw new DashboardError(409, 'Florin is still working on this item.');
  const entry = { actor: `user:${viewer.id}`, action: 'unresolved.close', subject: subjectOf(item.paymentId) };
  const { merchantId } = item;
  const after = { item: item.reason, decision, reason: note };
  await audit({ ...entry, after, merchantId }, now);
  if (await resolveManually(item, decision, { by: `user:${viewer.id}`, note }, now)) return { closed: true };
  const message = 'The operation was changed by someone else. Reload the list.';
  await audit({ ...entry, action: `${entry.action}.refused`, after: { ...after, message }, merchantId }, now);
  throw new DashboardError(409, message);
}
