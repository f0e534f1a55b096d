// A subscription of a history.
import { oneOf } from '../chaos/seeded-random.ts';
import { signCard } from '../support/signatures.ts';
import type { Customer, Fields } from './customer.ts';
import { sell } from './sale.ts';
import { merchant as credentials } from './settings.ts';

const day = 86_400_000;

/** A subscription, whose schedule is edited while it runs. */
export async function schedule(customer: Customer) {
  const { draw, ask, order, world } = customer;
  const act = (action: string, fields: Fields) => {
    const values = { scheduleId: fields.schedule_id as string | undefined };
    const hash = signCard(action === 'CREATE_SCHEDULE' ? 3 : 4, values, credentials);
    return ask(order, { action, client_key: credentials.key, hash, ...fields });
  };
  const plan = () => ({
    name: 'Plan',
    interval_length: 1 + Math.floor(draw() ** 2 * 3),
    interval_unit: draw() < 0.6 ? 'day' : 'month',
    payments_count: 2 + Math.floor(draw() * 6),
  });
  const made = await act('CREATE_SCHEDULE', plan());
  if (!made?.schedule_id) return;
  const sold = await sell(customer, { recurring_init: 'Y', schedule_id: made.schedule_id });
  if (!sold) return;
  const { schedule_id } = made;
  await world.sleep(draw() ** 2 * 40 * day);
  for (let edits = Math.floor(draw() * 4); edits > 0; edits -= 1) {
    const action = oneOf(draw, ['UPDATE_SCHEDULE', 'PAUSE_SCHEDULE', 'RUN_SCHEDULE', 'UPDATE_SCHEDULE']);
    await act(action, { schedule_id, ...(action === 'UPDATE_SCHEDULE' ? plan() : {}) });
    await world.sleep(draw() * 3 * day);
  }
  await act('RUN_SCHEDULE', { schedule_id });
}
