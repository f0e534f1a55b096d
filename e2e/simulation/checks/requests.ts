// What the merchant has asked for, compared with what was done.
import type { World } from '../world.ts';

/** Every recorded change of a payment was asked for. */
export async function checkChanges({ base, asked, report }: World) {
  const rows = await base.rows<{ order: string; capture: string; count: string }>(
    `select p.order_number as order, t.kind = 'capture' as capture, count(*) as count
       from transactions t join payments p on p.id = t.payment_id
      where t.kind in ('capture', 'refund', 'reversal', 'void') and t.status = 'success' group by 1, 2`,
  );
  for (const { order, capture, count } of rows) {
    const wanted = asked.filter((each) => each.order === order && /capture/i.test(each.action) === (capture === 't'));
    if (wanted.length < Number(count)) report(`order ${order} was changed ${count} times, asked for ${wanted.length}`);
  }
}
