// A subscription of a history.
import { type Draw, oneOf } from '../chaos/seeded-random.ts';
import { signCard } from '../support/signatures.ts';
import { amountOf, type Customer } from './customer.ts';
import type { Merchant } from './merchants.ts';
import type { MerchantSchedule, Plan } from './plan.ts';
import type { Body, Fields } from './requests.ts';
import { type Sold, sell, settled } from './sale.ts';

const day = 86_400_000;
/** A request that was answered within this time was sent once: a client repeats it later than that. */
const onceMilliseconds = 300;

/** A subscription, whose schedule is edited while it runs. */
export async function schedule(customer: Customer) {
  const { draw, order, world } = customer;
  const plan = { ...newPlan(draw), ...newFirstPayment(draw) };
  const id = (await ask(customer, 'CREATE_SCHEDULE', { name: 'Plan', ...plan }))?.schedule_id;
  if (!id) return;
  const order_amount = amountOf(draw);
  // By the last digit a charge is approved, declined, or decided later.
  const own =
    draw() < 0.5 ? { payment_schedule_amount: `${10 + Math.floor(draw() * 90)}.1${oneOf(draw, [...'0557'])}` } : {};
  const made: MerchantSchedule = { id, order, plan, amount: own.payment_schedule_amount ?? order_amount, edits: [] };
  world.schedules.push(made);
  const edits = ['SCHEDULE_INFO', 'PAUSE_SCHEDULE', 'DELETE_SCHEDULE'];
  world.belongings.push({
    owner: customer.merchant,
    requests: (as) => edits.map((action) => ['card', signed(as, action, { schedule_id: id })]),
  });
  const sold = await settled(
    customer,
    await sell(customer, { order_amount, recurring_init: 'Y', schedule_id: id, ...own }),
  );
  if (sold) await editSchedule(customer, made, sold);
}

const newPlan = (draw: Draw): Plan => ({
  interval_length: 1 + Math.floor(draw() ** 2 * 3),
  interval_unit: draw() < 0.6 ? 'day' : 'month',
  payments_count: 2 + Math.floor(draw() * 6),
});

const newFirstPayment = (draw: Draw): Partial<Plan> =>
  oneOf(draw, [
    {},
    { delayed_first_payment: 'none' },
    {
      delayed_first_payment: 'delay_by_interval',
      first_payment_interval_length: 1 + Math.floor(draw() * 3),
      first_payment_interval_unit: 'day',
    },
    { delayed_first_payment: 'day_of_week', first_payment_day_of_week: 1 + Math.floor(draw() * 7) },
  ]);

const ask = ({ ask, order, merchant }: Customer, action: string, fields: Fields): Promise<Body> =>
  ask(order, signed(merchant, action, fields));

function signed({ credentials }: Merchant, action: string, fields: Fields): Fields {
  const values = { scheduleId: fields.schedule_id as string | undefined };
  const hash = signCard(action === 'CREATE_SCHEDULE' ? 3 : 4, values, credentials);
  return { action, client_key: credentials.key, hash, ...fields };
}

const actions = ['UPDATE_SCHEDULE', 'PAUSE_SCHEDULE', 'RUN_SCHEDULE', 'UPDATE_SCHEDULE', 'DELETE_SCHEDULE'];

/** Changes and reads the schedule for some days; at the end it runs, or the subscription is ended. */
async function editSchedule(customer: Customer, made: MerchantSchedule, { answer }: Sold) {
  const { draw, world } = customer;
  await world.sleep(draw() ** 3 * 40 * day);
  for (let edits = Math.floor(draw() * 4); edits > 0; edits -= 1) {
    const action = oneOf(draw, actions);
    await edit(customer, made, action, action === 'UPDATE_SCHEDULE' ? someOf(draw, newPlan(draw)) : {});
    await readSchedule(customer, made);
    await world.sleep(draw() * 4 * day);
  }
  await edit(customer, made, 'RUN_SCHEDULE');
  if (!answer.recurring_token || draw() < 0.6) return;
  await world.sleep(draw() * 3 * day);
  await edit(customer, made, 'DESCHEDULE', {}, { recurring_token: answer.recurring_token });
  await edit(customer, made, 'DELETE_SCHEDULE');
  await readSchedule(customer, made);
}

/** An update has all fields of the plan, or only the number of payments. */
const someOf = (draw: Draw, plan: Plan): Partial<Plan> =>
  draw() < 0.7 ? plan : { payments_count: plan.payments_count };

async function edit(
  customer: Customer,
  made: MerchantSchedule,
  action: string,
  changes: Partial<Plan> = {},
  more: Fields = {},
) {
  const { now } = customer.world.scheduler;
  const sent = now();
  const answer = await ask(customer, action, { schedule_id: made.id, ...changes, ...more });
  const isSure = answer !== null && (customer.world.chance.isCalm() || now() - sent < onceMilliseconds);
  made.edits.push({ action, at: answer ? now() : sent, isSure, isAccepted: answer?.result === 'SUCCESS', changes });
}

/** What SCHEDULE_INFO returns is the first plan with its changes; a deleted schedule is not found. */
async function readSchedule(customer: Customer, { id, plan, edits }: MerchantSchedule) {
  const answer = await ask(customer, 'SCHEDULE_INFO', { schedule_id: id });
  if (!answer || edits.some(({ isSure }) => !isSure)) return;
  // A key that has ended, by the clock of a process that is ahead: checks/keys.ts decides whether it may.
  if (answer.error_message === 'Hash is not valid') return;
  const accepted = edits.filter(({ isAccepted }) => isAccepted);
  const last = accepted.findLast(({ action }) => /^(PAUSE|RUN)_/.test(action));
  const expected = accepted.some(({ action }) => action === 'DELETE_SCHEDULE')
    ? { error_message: 'Schedule not found' }
    : {
        ...Object.assign({}, plan, ...accepted.map(({ changes }) => changes)),
        paused: last?.action === 'PAUSE_SCHEDULE' ? 'Y' : 'N',
      };
  for (const [field, value] of Object.entries(expected))
    if (String(answer[field]) !== String(value))
      customer.world.report(`SCHEDULE_INFO has ${field} ${answer[field]}, expected ${value}`);
}
