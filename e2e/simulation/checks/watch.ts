// What must hold after every step of a history.
import type { Reply } from '../clients.ts';
import type { World } from '../world.ts';
import { watchClaims } from './claims.ts';
import { watchDowntimes } from './slots.ts';

/** Checks what can be said at every step: a key moves money once, and no answer contradicts an earlier one. */
export function watch(world: World, replies: Reply[]) {
  watchClaims(world);
  watchDowntimes(world);
  const moved = new Map<string, string>();
  world.moved.push(({ key, kind, status }) => {
    if (status !== 'approved') moved.delete(key);
    if (kind === 'chargeback' || status !== 'approved') return;
    if (kind === 'refund' && moved.has(key)) world.report(`refund ${key} was approved twice`);
    moved.set(key, kind);
  });
  let seen = 0;
  const said = new Map<string, string>();
  world.afterStep.push(() => {
    for (; seen < replies.length; seen += 1) {
      const { action, transId, result = '' } = replies[seen] as Reply;
      if (!/^(SALE|RECURRING_SALE|CREDIT2CARD)$/.test(action) || !['SUCCESS', 'DECLINED'].includes(result)) continue;
      const before = said.get(transId);
      if (before && before !== result)
        world.report(`${action} ${transId} was answered with ${before}, then with ${result}`);
      said.set(transId, result);
    }
  });
}
