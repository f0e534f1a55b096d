/** The receipt: its words and rows, the same on the page and by e-mail. */
import { isolate } from '../core/bidi.ts';
import { brandById } from '../core/cards.ts';
import type { Translations } from '../core/translations.ts';
import type { ReceiptPage } from './contract.ts';
import { translationsFor } from './payout-texts.ts';

/** The payment's id in a form that a payer can read out: its last twelve digits in capitals and groups of four. */
function paymentNumber(paymentId: string): string {
  const digits = paymentId.replace(/[^0-9a-z]/gi, '').toUpperCase();
  return (digits.slice(-12).match(/.{1,4}/g) ?? []).join(' ');
}

/** What has happened to the money. */
export function receiptTexts(
  page: ReceiptPage,
  { t }: Translations,
  merchant: string,
): { heading: string; text: string } {
  if (page.order.amount.minor === 0n) return { heading: t('receipt.headingZero'), text: t('receipt.textZero') };
  if (page.result === 'authorised') {
    return { heading: t('receipt.headingAuthorised'), text: t('receipt.textAuthorised', { merchant }) };
  }
  if (page.result === 'returned') {
    return { heading: t('receipt.headingReturned'), text: t('receipt.textReturned', { merchant }) };
  }
  const isPayout = page.purpose === 'credit' && page.how.kind === 'method';
  return {
    heading: t('receipt.heading'),
    text: t(isPayout ? 'payout.receiptTextMethod' : 'receipt.text', { merchant }),
  };
}

type Row = [name: string, value: string | Date];

/** The rows below the amount; the first names the payee. */
export function receiptRows(page: ReceiptPage, { t }: Translations): [Row, ...Row[]] {
  const { how, order } = page;
  return [
    [
      t(page.result === 'authorised' ? 'receipt.toAuthorised' : 'receipt.to'),
      page.payee ? `•••• ${page.payee}` : page.merchant.name,
    ],
    [t('summary.for'), order.description],
    [t('receipt.order'), order.number],
    how.kind === 'card'
      ? [t('receipt.card'), `${brandById(how.brand)?.name ?? how.brand} •••• ${how.last4}`]
      : [t('receipt.method'), how.name],
    [t('receipt.date'), page.at],
    [t('receipt.number'), paymentNumber(page.paymentId)],
  ];
}

/**
 * The receipt as an e-mail. To an address that the payer typed, it has no description of the order: shops put texts of
 * their payers there, and the form would send them to any address.
 */
export function receiptEmail(
  page: ReceiptPage,
  url: string,
  pageWords: Translations,
): { subject: string; text: string } {
  const words = translationsFor(page.purpose, pageWords);
  const { t } = words;
  const merchant = isolate(page.merchant.name, words);
  const { heading, text } = receiptTexts(page, words, merchant);
  const [payee, description, ...others] = receiptRows(page, words);
  const amount: Row = [t('summary.amount'), words.amount(page.order.amount).text];
  const rows = [payee, amount, ...(page.email?.to && description ? [description] : []), ...others];
  const textOf = (value: string | Date) => (typeof value === 'string' ? value : words.dateTime(value));
  const lines = rows.map(([name, value]) => `${name}: ${isolate(textOf(value).replace(/\s*\n\s*/g, ' '), words)}`);
  return {
    subject: `${heading}: ${merchant}`,
    text: [heading, text, '', ...lines, '', t('outbox.receiptLink'), url, '', t('outbox.receiptReason'), ''].join('\n'),
  };
}
