/** Records of what payers agreed to besides their payments: later charges of the card, or its storage (protocol.md 7a). */
import { newId } from '../core/ids.ts';
import { statement } from '../db/index.ts';
import { historyMax } from './related-records.ts';

type RecordParams = { id: string; paymentId: string; text: string; language: string; ticked: boolean; now: Date };
const record = statement<RecordParams>(
  'agreement-record',
  // The lock waits for an attempt that is being inserted: its record stays unchanged.
  `with p as (select id, attempts from payments where id = :paymentId::uuid for no key update)
   insert into agreements (id, payment_id, attempts, text, language, ticked, created_at)
   select :id::uuid, p.id, p.attempts, :text::text, :language::text, :ticked::boolean, :now::timestamptz from p
    where coalesce(
            (select (text, ticked) is distinct from (:text::text, :ticked::boolean) from agreements
              where payment_id = p.id order by created_at desc, id desc limit 1),
            :text::text <> '')
   on conflict (payment_id, attempts) do update
     set text = excluded.text, language = excluded.language, ticked = excluded.ticked, created_at = excluded.created_at`,
);

/**
 * Records what the payer has agreed to, once for repeated attempts; replaces a record that no attempt has used yet, so that
 * a payment has at most one for each attempt and the next. `ticked`: the payer ticked a box. An empty text withdraws what
 * was agreed before.
 */
export async function recordAgreement(agreed: Omit<RecordParams, 'id'>): Promise<void> {
  await record({ id: newId(), ...agreed });
}

export type RecordedAgreement = { id: string; text: string; language: string; ticked: boolean; createdAt: Date };

const ofPayment = statement<{ paymentId: string }, RecordedAgreement>(
  'agreements-of',
  `select * from (
     select id, text, language, ticked, created_at as "createdAt" from agreements where payment_id = :paymentId
      order by created_at desc, id desc limit ${historyMax}) a
    order by "createdAt", id`,
);

/** What the payer of a payment has agreed to, oldest first; the latest {@link historyMax}. */
export const agreementsOf = (paymentId: string): Promise<RecordedAgreement[]> => ofPayment({ paymentId });
