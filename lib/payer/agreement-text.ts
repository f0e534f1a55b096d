/** The words of what a payer agrees to by paying (lib/recurring/agreement.ts), for the page and for its record. */
import type { Agreement } from '../core/agreement.ts';
import { isolate } from '../core/bidi.ts';
import type { Translations } from '../core/translations.ts';

export type AgreementText = { rows: { name: string; value: string }[]; text: string };

type Shown = { merchant: { name: string }; legal?: { support?: string } };

/** The words of an agreement. The payer stops charges, or has a card removed, at the merchant's address. */
export function agreementText(agreement: Agreement, { merchant, legal }: Shown, words: Translations): AgreementText {
  const { t } = words;
  const contact = legal?.support ?? merchant.name;
  const names = { merchant: isolate(merchant.name, words), contact: isolate(contact, words) };
  const text = t(`agreement.${agreement.isFree ? 'kept.' : ''}${agreement.kind}`, names);
  if (agreement.kind !== 'schedule') return { rows: [], text };
  const { amount, every, first, count } = agreement;
  const day = new Intl.DateTimeFormat(words.intl, { dateStyle: 'long', timeZone: 'UTC' });
  const rows = [
    { name: t('agreement.amount'), value: words.amount(amount).text },
    { name: t('agreement.frequency'), value: t(`agreement.every.${every.unit}`, { count: every.count }) },
    { name: t('agreement.first'), value: day.format(first) },
    { name: t('agreement.count'), value: String(count) },
  ];
  return { rows, text };
}

/** The agreement, and the boxes that were ticked: the consent to later charges, and that to save the card. */
export type Agreed = { agreement: Agreement | undefined; isTicked: boolean; isSaved: boolean };

/** What the payer has agreed to, as one text. */
export function agreedText({ agreement, isTicked, isSaved }: Agreed, shown: Shown, words: Translations): string {
  const { rows, text } = agreement ? agreementText(agreement, shown, words) : { rows: [], text: null };
  const box = isTicked ? words.t('pay.consent', { merchant: shown.merchant.name }) : null;
  const saved = isSaved ? words.t('pay.save') : null;
  return [...rows.map(({ name, value }) => `${name}: ${value}`), text, saved, box].filter(Boolean).join('\n');
}
