/** Records what users tried to reach without the permission (PCI DSS 4.0.1, 10.2.1.4), and refused files. */
import { type AuditAction, audit, type Viewer } from '../auth/index.ts';
import { processWide } from '../core/process-wide.ts';
import { now } from '../db/clock.ts';
import type { ScanResult } from '../http/index.ts';
import { log } from '../telemetry/index.ts';

/** Further refusals of one user in a minute are in the log only, so that one user cannot fill the audit log. */
const recordedMax = 30;

const recent = processWide('refusedAccess', () => ({ minute: 0, counts: new Map<string, number>() }));

/** `target`: the method and the route, without ids: a user may have typed those of another merchant. */
export async function recordRefusedAccess(viewer: Viewer, target: string): Promise<void> {
  log.warn({ user: viewer.id, target }, 'access was refused: the role does not allow it');
  await record(viewer, 'access.refused', { target });
}

/**
 * Records that an object does not exist for a user of a merchant: it may be another merchant's. A user who sees every
 * merchant has only mistyped an address.
 */
export async function recordUnknownObject(viewer: Viewer, target: string): Promise<void> {
  if (viewer.merchantId === null) return;
  log.warn({ user: viewer.id, target }, 'access was refused: the object does not exist or is of another merchant');
  await record(viewer, 'access.refused', { target, reason: 'unknown object' });
}

/** `field`: the member of the request that has the file. */
export async function recordRefusedUpload(
  viewer: Viewer,
  target: string,
  field: string,
  result: Exclude<ScanResult, { kind: 'clean' }>,
): Promise<void> {
  const { kind, ...cause } = result;
  log.warn({ user: viewer.id, target, field, ...cause }, 'an uploaded file was refused');
  await record(viewer, `upload.${kind}`, { target, field, ...cause });
}

async function record({ id, merchantId }: Viewer, action: AuditAction, after: Record<string, string>): Promise<void> {
  const at = now();
  const minute = Math.floor(at.getTime() / 60_000);
  if (recent.minute !== minute) Object.assign(recent, { minute, counts: new Map() });
  const count = (recent.counts.get(id) ?? 0) + 1;
  recent.counts.set(id, count);
  if (count > recordedMax) return;
  const subject = `user:${id}`;
  await audit({ actor: subject, action, subject, after, merchantId }, at);
}
