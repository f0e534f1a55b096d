/** Records of what payers agreed to besides their payments: later charges of the card, or its storage (protocol.md 7a). */
import { newId } from '../core/ids.ts';
import { statement } from '../db/index.ts';

type RecordParams = { id: string; paymentId: string; text: string; language: string; ticked: boolean; now: Date };
const record = statement<RecordParams>(
  'agreement-record',
  `insert into agreements (id, payment_id, text, language, ticked, created_at)
   select :id::uuid, :paymentId::uuid, :text::text, :language::text, :ticked::boolean, :now::timestamptz
    where coalesce(
            (select (text, ticked) is distinct from (:text::text, :ticked::boolean) from agreements
              where payment_id = :paymentId::uuid order by created_at desc, id desc limit 1),
            :text::text <> '')`,
);

/**
 * Records what the payer has agreed to, once for repeated attempts. `ticked`: the payer ticked a box. An empty text
 * withdraws what was agreed with an earlier attempt.
 */
export async function recordAgreement(agreed: Omit<RecordParams, 'id'>): Promise<void> {
  await record({ id: newId(), ...agreed });
}

export type RecordedAgreement = { id: string; text: string; language: string; ticked: boolean; createdAt: Date };

const ofPayment = statement<{ paymentId: string }, RecordedAgreement>(
  'agreements-of',
  `select id, text, language, ticked, created_at as "createdAt" from agreements where payment_id = :paymentId
    order by created_at, id`,
);

/** What the payer of a payment has agreed to, oldest first. */
export const agreementsOf = (paymentId: string): Promise<RecordedAgreement[]> => ofPayment({ paymentId });
