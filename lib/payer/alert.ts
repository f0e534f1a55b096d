// A decline in words: heading, advice, and what the form below it says and empties. One table for the
// page and for the JSON that the page's script gets, so that both tell the same.

import { isolate } from '../core/bidi';
import type { AlertText } from '../core/page-data';
import type { Translations } from '../core/words';
import type { DeclineAlert, FieldName, FormPage, Money } from './contract';

const cardFields: FieldName[] = ['card_number', 'card_expiry', 'card_cvv'];

/** By the field to blame: the alert's texts, and what the field itself then says. */
const blamedFieldTexts = {
  card_cvv: { texts: 'cvv', error: 'error.card_cvv.again' },
  card_number: { texts: 'number', error: 'error.card_number.wrong' },
  card_expiry: { texts: 'expiry', error: 'error.card_expiry.wrong' },
} as const;

/** What an alert depends on beside the decline itself. */
export type AlertContext = {
  merchantName: string;
  amount: Money;
  /** Whether anything but a card can be chosen. */
  cardOnly: boolean;
  /** Digits of the card's security code; 3 where the card is not known. */
  codeDigits?: number;
};

/** The surroundings of a form's alert. */
export function alertContext(page: Pick<FormPage, 'merchant' | 'order' | 'methods' | 'wallets'>): AlertContext {
  return {
    merchantName: page.merchant.name,
    amount: page.order.amount,
    cardOnly: page.methods.every((method) => method.card) && !page.wallets?.length,
  };
}

/** The texts of a decline by a method that is no card, which knows no fields to blame and clears nothing. */
const byMethod = {
  data: { heading: 'decline.method.heading', text: 'decline.method.text' },
  funds: { heading: 'decline.method.heading', text: 'decline.method.text' },
  bank: { heading: 'decline.method.heading', text: 'decline.method.text' },
  technical: { heading: 'decline.methodTechnical.heading', text: 'decline.methodTechnical.text' },
  unconfirmed: { heading: 'decline.methodUnconfirmed.heading', text: 'decline.method.text' },
} as const;

function methodText(kind: DeclineAlert['kind'], method: string, around: AlertContext, words: Translations): AlertText {
  const { t } = words;
  return {
    kind,
    heading: t(byMethod[kind].heading, { method: isolate(method, words) }),
    text: t(byMethod[kind].text),
    formHeading: t('pay.headingRetry'),
    title: t('decline.title', { merchant: isolate(around.merchantName, words) }),
    clears: [],
    errors: {},
  };
}

/** Words for a decline. Every class is a definite refusal; an unknown outcome never comes here. */
export function alertText(alert: DeclineAlert, around: AlertContext, words: Translations): AlertText {
  const { t } = words;
  if (alert.method) return methodText(alert.kind, alert.method, around, words);
  const field = alert.kind === 'data' ? alert.field : undefined;
  const key = field ? blamedFieldTexts[field].texts : alert.kind;
  const sameCard = alert.kind === 'data' || alert.kind === 'technical' || alert.kind === 'unconfirmed';
  const amount = words.amount(around.amount).text;
  const another = around.cardOnly ? 'pay.headingAnotherCard' : 'pay.headingAnotherWay';
  return {
    kind: alert.kind,
    heading: t(`decline.${key}.heading`),
    text: t(`decline.${key}.text`),
    formHeading: t(sameCard ? 'pay.headingRetry' : another),
    button: sameCard && around.amount.minor > 0n ? t('pay.retry', { amount }) : payButton(around.amount, words),
    title: t('decline.title', { merchant: isolate(around.merchantName, words) }),
    clears: sameCard ? [...new Set<FieldName>(['card_cvv', ...(field ? [field] : [])])] : cardFields,
    errors: field ? { [field]: t(blamedFieldTexts[field].error, { count: around.codeDigits ?? 3 }) } : {},
  };
}

/** "Pay €84.50", or for an amount of zero, where nothing is paid, "Confirm this card". */
export function payButton(amount: Money, { t, amount: inWords }: Translations): string {
  return amount.minor === 0n ? t('pay.confirmCard') : t('pay.button', { amount: inWords(amount).text });
}

/** The same button while the payment runs. */
export function busyButton(amount: Money, { t, amount: inWords }: Translations): string {
  return amount.minor === 0n ? t('pay.confirmingCard') : t('pay.busy', { amount: inWords(amount).text });
}
