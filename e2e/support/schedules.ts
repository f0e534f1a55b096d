// Schedules over S2S CARD, and their charges.
import { expect } from '@playwright/test';
import { type CardMerchant, isSignedCardCallback } from './card-merchant.ts';
import type { Clock } from './clock.ts';
import type { Changes } from './merchant.ts';
import { describeS2sCallback } from './s2s-flows.ts';
import type { Sold } from './s2s-merchant.ts';
import { messagesOf } from './shop-server.ts';

export const hour = 3600;
export const day = 24 * hour;

/** Creates a schedule, by default daily with three payments; returns its id. */
export async function schedule(shop: CardMerchant, plan: Changes): Promise<string> {
  const base = { name: 'Plan', interval_length: 1, interval_unit: 'day', payments_count: 3 };
  const { status, body } = await shop.schedule('CREATE_SCHEDULE', { ...base, ...plan });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.schedule_id;
}

/** Makes a sale that is the initial payment of a subscription to the schedule. */
export const subscribe = (shop: CardMerchant, scheduleId: string, changes: Changes = {}): Promise<Sold> =>
  shop.sell({ recurring_init: 'Y', schedule_id: scheduleId, ...changes });

/** The callbacks of a subscription's charges, once there are `count`; verifies each hash. */
export async function chargesOf(shop: CardMerchant, sold: Sold, count: number, clock: Clock) {
  const charges = () =>
    messagesOf(shop.shopServer.arrived(sold.orderId)).filter(
      ({ fields }) => fields.recurring_init_trans_id === sold.transId && fields.trans_id !== sold.transId,
    );
  for (let round = 0; charges().length < count && round < 40; round += 1) {
    await clock.tick();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // Leaves time for surplus callbacks to arrive.
  await clock.tick();
  const found = charges();
  for (const { fields } of found) expect(isSignedCardCallback(fields, sold.email, shop.credentials)).toBe(true);
  return found.map(
    (delivery) => `${delivery.fields.order_id?.slice(sold.orderId.length)} ${describeS2sCallback(delivery)}`,
  );
}

export const settled = (slot: string) => `/${slot} RECURRING_SALE SUCCESS SETTLED`;
export const declined = (slot: string) => `/${slot} RECURRING_SALE DECLINED DECLINED`;
