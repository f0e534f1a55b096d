/**
 * Card numbers that providers present to payers, such as that of a recipient. The whole presentation is encrypted in its
 * transaction until that is final; everything else about the payment has the masked one.
 */
import { withPlainDigits } from '../core/card-text.ts';
import { maskedNumber } from '../core/masked-presentation.ts';
import type { Transaction } from '../core/payment.ts';
import type { Presentation } from '../core/presentation.ts';
import { statement } from '../db/index.ts';
import { SealError, seal, unseal } from './seal.ts';

type Owned = Pick<Transaction, 'id' | 'midId'>;

const rowOf = ({ id, midId }: Owned) => ({ id, owner: midId });

/** Encrypts a presentation for its transaction. */
export const sealPresentation = (present: Presentation, transaction: Owned): Promise<Buffer> =>
  seal(JSON.stringify(present), 'presentation', rowOf(transaction));

const sealedPresentation = statement<{ id: string }, { sealed: Uint8Array | null }>(
  'presentation-sealed',
  'select sealed_present as sealed from transactions where id = :id::uuid',
);

/**
 * A transaction with its whole presentation, for the payer and the response to the merchant. One without a masked
 * presentation is returned as it is, without a statement; so is one whose encrypted presentation is gone, or was altered or
 * moved.
 */
export async function withWholePresentation<Shown extends Owned & Pick<Transaction, 'status' | 'providerData'>>(
  transaction: Shown,
): Promise<Shown> {
  const { id, status, providerData } = transaction;
  if (status !== 'waiting' || !providerData.present?.masked) return transaction;
  const [row] = await sealedPresentation({ id });
  const present = row?.sealed ? await openPresentation(row.sealed, transaction) : null;
  return present ? { ...transaction, providerData: { ...providerData, present } } : transaction;
}

/** Null for bytes that were altered or moved from another transaction; the vault has logged them. */
async function openPresentation(sealed: Uint8Array, transaction: Owned): Promise<Presentation | null> {
  try {
    return JSON.parse(await unseal(sealed, 'presentation', rowOf(transaction)));
  } catch (err) {
    if (err instanceof SealError) return null;
    throw err;
  }
}

/** A transaction whose payer is shown a card number, here masked. */
export type FoundPresentation = { id: string; merchantId: string; merchant: string; masked: string };

const presentedLike = statement<
  { masked: string },
  Omit<FoundPresentation, 'masked'> & { midId: string; sealed: Uint8Array }
>(
  'vault-find-presented',
  `select t.id, t.mid_id as "midId", t.sealed_present as sealed, p.merchant_id as "merchantId", m.name as merchant
     from transactions t join payments p on p.id = t.payment_id join merchants m on m.id = p.merchant_id
    where t.status = 'waiting' and t.sealed_present is not null
      and position(:masked::text in t.facts ->> 'present') > 0 order by m.name, t.id`,
);

/** The transactions of all merchants that present this number (digits only) to a payer. */
export async function findPresentations(number: string): Promise<FoundPresentation[]> {
  const masked = maskedNumber(number);
  const found: FoundPresentation[] = [];
  for (const { id, midId, sealed, merchantId, merchant } of await presentedLike({ masked })) {
    const digits = withPlainDigits(JSON.stringify(await openPresentation(sealed, { id, midId }))).replace(
      /[^0-9]+/g,
      '',
    );
    if (digits.includes(number)) found.push({ id, merchantId, merchant, masked });
  }
  return found;
}
