// Replaces texts on pages whose payer does not pay: a payout and a card-to-card transfer have texts of their own for
// some keys. All other keys use the text of a payment.
import type { Translations } from '../core/translations.ts';

const payout: Readonly<Record<string, string>> = {
  'pay.title': 'payout.title',
  'pay.titleErrors': 'payout.titleErrors',
  'decline.title': 'payout.titleDeclined',
  'waiting.title': 'payout.title',
  'receipt.title': 'payout.title',
  'pay.amount': 'payout.amount',
  'pay.heading': 'payout.heading',
  'pay.headingCard': 'payout.headingCard',
  'pay.headingAnotherWay': 'payout.anotherWay',
  'pay.more': 'payout.more',
  'pay.find': 'payout.find',
  'waiting.anotherWay': 'payout.anotherWay',
  'pay.button': 'payout.button',
  'pay.busy': 'payout.busy',
  'pay.retry': 'payout.retry',
  'decline.bank.heading': 'payout.declinedHeading',
  'decline.bank.text': 'payout.declinedText',
  'decline.bank.textCard': 'payout.declinedText',
  'decline.funds.heading': 'payout.declinedHeading',
  'decline.funds.text': 'payout.declinedText',
  'decline.funds.textCard': 'payout.declinedText',
  'decline.unconfirmed.heading': 'payout.declinedHeading',
  'decline.unconfirmed.text': 'payout.declinedText',
  'decline.unconfirmed.textCard': 'payout.declinedText',
  'decline.method.heading': 'payout.declinedHeading',
  'decline.method.text': 'payout.declinedTextMethod',
  'decline.methodUnconfirmed.heading': 'payout.declinedHeading',
  'cancelled.headingDeclines': 'payout.declinedHeading',
  'waiting.unknown.text': 'payout.waitingText',
  'waiting.unknown.textMethod': 'payout.waitingTextMethod',
  'receipt.method': 'payout.method',
  'receipt.heading': 'payout.receiptHeading',
  'receipt.text': 'payout.receiptText',
  'receipt.to': 'payout.receiptFrom',
};

const transfer: Readonly<Record<string, string>> = {
  'pay.title': 'transfer.title',
  'pay.titleErrors': 'transfer.titleErrors',
  'decline.title': 'transfer.titleDeclined',
  'waiting.title': 'transfer.title',
  'receipt.title': 'transfer.title',
  'pay.amount': 'transfer.amount',
  'pay.heading': 'transfer.headingCard',
  'pay.headingCard': 'transfer.headingCard',
  'field.card_number': 'transfer.card_number',
  'pay.button': 'transfer.button',
  'pay.busy': 'payout.busy',
  'pay.retry': 'transfer.retry',
  'receipt.heading': 'transfer.receiptHeading',
  'receipt.text': 'transfer.receiptText',
  'receipt.to': 'field.payee_card_number',
};

/** The translations for a purpose. */
export function translationsFor(purpose: string | undefined, words: Translations): Translations {
  const own = purpose === 'credit' ? payout : purpose === 'transfer' ? transfer : null;
  return own ? { ...words, t: (key, values) => words.t(own[key] ?? key, values) } : words;
}
