// What the merchant was told by callbacks.
import type { World } from '../world.ts';

/** No callback reports a declined payment as successful. */
export function checkReports({ tries, report }: World) {
  for (const { order, fields } of tries) {
    const { action, result, status, type, order_status } = fields;
    const isSale = /SALE|CREDIT2CARD/.test(action ?? '')
      ? result === 'SUCCESS'
      : type === 'sale' && status === 'success';
    if (isSale && /^decline/i.test((action ? status : order_status) ?? ''))
      report(`order ${order} is declined and was reported as ${action ?? type} ${result ?? status}`);
  }
}
