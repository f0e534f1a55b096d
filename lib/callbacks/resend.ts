/** Sends callbacks again. */
import { isUuid } from '../core/ids';
import { statement } from '../db';
import { idleSql } from './queue';

/** The result of sending a callback again; null if the merchant has no such callback. */
export type ResendResult = {
  paymentId: string;
  type: string;
  sequence: number;
  state: 'queued' | 'on its way' | 'no address';
};

type ResendRow = { paymentId: string; type: string; sequence: number; url: string | null; queued: boolean };
const resend = statement<{ id: string; merchantId: string | null; now: Date }, ResendRow>(
  'callback-resend',
  `with q as (
     update callbacks set state = 'waiting', due_at = :now::timestamptz, refused_at = null
      where id = :id::uuid and (:merchantId::uuid is null or merchant_id = :merchantId::uuid) and url is not null
        and ${idleSql('callbacks', ':now')}
     returning id
   )
   select payment_id as "paymentId", type, sequence, url, exists (select 1 from q) as queued from callbacks
    where id = :id::uuid and (:merchantId::uuid is null or merchant_id = :merchantId::uuid)`,
);

/**
 * Makes a callback due at once, independent of its earlier result: the same message with the same id. One that is being
 * delivered is left to that attempt. With `merchantId` only that merchant's.
 */
export async function resendCallback(
  callbackId: string,
  merchantId: string | null,
  now: Date,
): Promise<ResendResult | null> {
  if (!isUuid(callbackId)) return null;
  const [row] = await resend({ id: callbackId, merchantId, now });
  if (!row) return null;
  const { queued, url, ...resent } = row;
  return { ...resent, state: queued ? 'queued' : url === null ? 'no address' : 'on its way' };
}
