// What must hold after every step of a history.
import type { World } from '../world.ts';
import { watchClaims } from './claims.ts';
import { watchLedger } from './ledger.ts';
import { watchDowntimes } from './slots.ts';

/** Checks what can be said at every step: a key moves money once, and a claimed row belongs to one process. */
export function watch(world: World) {
  watchClaims(world);
  watchDowntimes(world);
  watchLedger(world);
  world.statements.push((name, [made]) => {
    if (name !== 'callback-attempt') return undefined;
    const { id } = JSON.parse(String(made)) as { id: string };
    return () => void world.recordedTries.push({ callback: id, at: world.scheduler.now() });
  });
  const moved = new Map<string, string>();
  world.moved.push(({ key, kind, status }) => {
    if (status !== 'approved') moved.delete(key);
    if (kind === 'chargeback' || status !== 'approved') return;
    if (kind === 'refund' && moved.has(key)) world.report(`refund ${key} was approved twice`);
    moved.set(key, kind);
  });
}
