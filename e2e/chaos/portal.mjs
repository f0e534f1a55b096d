// The provider's own people and the payers' banks, who do something to a payment by themselves and tell it afterwards.

import { notify } from './notify.mjs';
import { oneOf } from './random.mjs';

const pause = (seconds) => new Promise((wake) => setTimeout(wake, seconds * 1000));

/**
 * Once a second or so something is done at the provider's portal, until `isOver` says so; waits for its notifications.
 * @returns {Promise<Record<string, number>>} how often what was done
 */
export async function actAtPortal({ environment, draw, isOver }) {
  const actions = {};
  const told = [];
  while (!isOver()) {
    await pause(0.3 + draw());
    const { what, key, notifyUrl } = await environment.provider.control('portal');
    if (!key) continue;
    actions[what] = (actions[what] ?? 0) + 1;
    told.push(notifyUntilAcknowledged(environment, draw, key, new URL(notifyUrl).pathname));
  }
  await Promise.all(told);
  return actions;
}

/** As a provider does: a notification that is not acknowledged comes again, at whichever process. */
async function notifyUntilAcknowledged({ apps }, draw, key, path) {
  for (let tries = 0; tries < 120; tries += 1) {
    const answer = await notify(oneOf(draw, apps).url + path, key).catch(() => null);
    if (answer?.status === 200) return;
    await pause(1);
  }
}
