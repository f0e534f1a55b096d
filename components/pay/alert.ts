// A decline in words: heading, advice, and what the form below it says and empties. One table for the
// page and for the JSON that the page's script gets, so that both tell the same.
import type { AlertText } from '../../lib/core/page-data';
import type { Words } from '../../lib/core/words';
import type { CardBrand, DeclineAlert, FieldName, FormPage, Money } from './model';
import { isolated } from './text';

const cardFields: FieldName[] = ['card_number', 'card_expiry', 'card_cvv'];

const blamed = { card_cvv: 'cvv', card_number: 'number', card_expiry: 'expiry' } as const;

/** What an alert depends on beside the decline itself. */
export type AlertSurroundings = {
  merchantName: string;
  amount: Money;
  /** Whether anything but a card can be chosen. */
  cardOnly: boolean;
};

/** The surroundings of a form's alert. */
export function alertSurroundings(page: Pick<FormPage, 'merchant' | 'order' | 'methods'>): AlertSurroundings {
  return {
    merchantName: page.merchant.name,
    amount: page.order.amount,
    cardOnly: page.methods.every((method) => method.card),
  };
}

/** Words for a decline. Every class is a definite refusal; an unknown outcome never comes here. */
export function alertText(alert: DeclineAlert, around: AlertSurroundings, words: Words): AlertText {
  const { t } = words;
  const key = alert.kind === 'data' && alert.field ? blamed[alert.field] : alert.kind;
  const sameCard = alert.kind === 'data' || alert.kind === 'technical' || alert.kind === 'unconfirmed';
  const amount = words.amount(around.amount).text;
  const another = around.cardOnly ? 'pay.headingAnotherCard' : 'pay.headingAnotherWay';
  return {
    kind: alert.kind,
    heading: t(`decline.${key}.heading`),
    text: t(`decline.${key}.text`),
    formHeading: t(sameCard ? 'pay.headingRetry' : another),
    button: sameCard && around.amount.minor > 0n ? t('pay.retry', { amount }) : payButton(around.amount, words),
    title: t('decline.title', { merchant: isolated(around.merchantName, words) }),
    clears: sameCard ? [...new Set<FieldName>(['card_cvv', ...(alert.field ? [alert.field] : [])])] : cardFields,
  };
}

/** "Pay €84.50", or for an amount of zero, where nothing is paid, "Confirm this card". */
export function payButton(amount: Money, { t, amount: inWords }: Words): string {
  return amount.minor === 0n ? t('pay.confirmCard') : t('pay.button', { amount: inWords(amount).text });
}

/** The same button while the payment runs. */
export function busyButton(amount: Money, { t, amount: inWords }: Words): string {
  return amount.minor === 0n ? t('pay.confirmingCard') : t('pay.busy', { amount: inWords(amount).text });
}

/** Digits of the security code of a brand; 3 where the brand is unknown. */
export function codeLength(brand: CardBrand | undefined): 3 | 4 {
  return brand === 'amex' ? 4 : 3;
}
