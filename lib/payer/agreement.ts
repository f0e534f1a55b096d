/** Records what a payer agrees to by paying before the attempt, in the words that the payer read (protocol.md 7a). */
import type { Translations } from '../core/translations.ts';
import { recordAgreement } from '../payments/index.ts';
import { type Agreed, agreedText } from './agreement-text.ts';
import type { View } from './view.ts';

/** The merchant as the words of an agreement name it. */
export function merchantOf({ caller }: Pick<View, 'caller'>) {
  const { name, supportEmail } = caller.merchant;
  return { merchant: { name }, legal: { support: supportEmail ?? undefined } };
}

/** Records what the payer has agreed to, in the words that the payer read, also that nothing is agreed to any more. */
export async function recordAgreedText(
  view: Pick<View, 'caller' | 'payment'>,
  agreed: Agreed,
  words: Translations,
  now: Date,
): Promise<void> {
  const text = agreedText(agreed, merchantOf(view), words);
  const ticked = agreed.isTicked || agreed.isSaved;
  await recordAgreement({ paymentId: view.payment.id, text, language: words.lang, ticked, now });
}
