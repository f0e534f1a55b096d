// Actions at the provider's portal and chargebacks, which the provider notifies afterwards.

import type { Environment } from './environment.ts';
import { notify } from './notify.ts';
import { type Draw, oneOf } from './seeded-random.ts';

const pause = (seconds: number) => new Promise((wake) => setTimeout(wake, seconds * 1000));

/**
 * Acts at the provider's portal about once a second until `isOver`; waits for the notifications. Returns the number of
 * actions by kind.
 */
export async function actAtPortal({
  environment,
  draw,
  isOver,
}: {
  environment: Environment;
  draw: Draw;
  isOver: () => boolean;
}): Promise<Record<string, number>> {
  const actions: Record<string, number> = {};
  const notifications: Promise<void>[] = [];
  while (!isOver()) {
    await pause(0.3 + draw());
    const { what, key, notifyUrl } = await environment.provider.control('portal');
    if (!key) continue;
    actions[what] = (actions[what] ?? 0) + 1;
    notifications.push(notifyUntilAcknowledged(environment, draw, key, new URL(notifyUrl).pathname));
  }
  await Promise.all(notifications);
  return actions;
}

/** Repeats an unacknowledged notification to any process, as a provider does. */
async function notifyUntilAcknowledged({ apps }: Environment, draw: Draw, key: string, path: string) {
  for (let attempts = 0; attempts < 120; attempts += 1) {
    const answer = await notify(oneOf(draw, apps).url + path, key).catch(() => null);
    if (answer?.status === 200) return;
    await pause(1);
  }
}
