/** The monthly payments into which a card payment is split (contract, card parameter set BNG), in words. */
import type { Money } from '../core/money.ts';
import type { Payment } from '../core/payment.ts';
import type { Translations } from '../core/translations.ts';
import type { Mid } from '../merchants/index.ts';
import { requiredCardSets } from '../methods/card-sets.ts';

/** `each` is absent where the bank adds interest; `isExact` is false where the amount has no equal parts. */
export type Installments = { count: number; each?: Money; isExact: boolean; isDelayed: boolean };

const withoutInterest = '03';
const withInterest = '05';

/**
 * What the merchant's request says about monthly payments; undefined without them, and where no account of the
 * merchant uses the parameters.
 */
export function installmentsOf(
  mids: readonly Pick<Mid, 'capabilities'>[],
  { parameters, amountMinor, currency }: Pick<Payment, 'parameters' | 'amountMinor' | 'currency'>,
): Installments | undefined {
  if (!mids.some(({ capabilities }) => requiredCardSets(capabilities).includes('BNG'))) return undefined;
  const card = (parameters.card ?? {}) as { [name: string]: unknown };
  const { bnrg_installm_months, bnrg_installm_plan, bnrg_installm_def } = card;
  const months = Number(bnrg_installm_months);
  const isSplit = (bnrg_installm_plan === withoutInterest || bnrg_installm_plan === withInterest) && months > 1;
  const count = isSplit ? months : 1;
  const isDelayed = bnrg_installm_plan !== undefined && bnrg_installm_def === '01';
  if (!isSplit && !isDelayed) return undefined;
  const parts = BigInt(count);
  const each =
    isSplit && bnrg_installm_plan === withoutInterest
      ? { minor: (amountMinor + parts - 1n) / parts, currency }
      : undefined;
  return { count, each, isExact: amountMinor % parts === 0n, isDelayed };
}

/** The words of monthly payments, and of a first payment that is due later. */
export function installmentsText({ count, each, isExact, isDelayed }: Installments, words: Translations): string {
  const { t } = words;
  const amount = each && `${isExact ? '' : '≈ '}${words.amount(each).text}`;
  const split = amount ? t('installments.free', { count, amount }) : t('installments.interest', { count });
  return [count > 1 ? split : null, isDelayed ? t('installments.delayed') : null].filter(Boolean).join(' ');
}
