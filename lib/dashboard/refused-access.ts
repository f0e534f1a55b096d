/** Records what users tried to reach without the permission (PCI DSS 4.0.1, 10.2.1.4). */
import { audit, type Viewer } from '../auth/index.ts';
import { processWide } from '../core/process-wide.ts';
import { log } from '../telemetry/index.ts';

/** Further refusals of one user in a minute are in the log only, so that one user cannot fill the audit log. */
const recordedMax = 30;

const recent = processWide('refusedAccess', () => ({ minute: 0, counts: new Map<string, number>() }));

/** `target`: the method and the route, without ids: a user may have typed those of another merchant. */
export async function recordRefusedAccess(viewer: Viewer, target: string, now: Date): Promise<void> {
  const { id, merchantId } = viewer;
  log.warn({ user: id, target }, 'access was refused: the role does not allow it');
  const minute = Math.floor(now.getTime() / 60_000);
  if (recent.minute !== minute) Object.assign(recent, { minute, counts: new Map() });
  const count = (recent.counts.get(id) ?? 0) + 1;
  recent.counts.set(id, count);
  if (count > recordedMax) return;
  const subject = `user:${id}`;
  await audit({ actor: subject, action: 'access.refused', subject, after: { target }, merchantId }, now);
}
