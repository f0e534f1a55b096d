/** The rows of payment data: their names, the one that identifies the payment, and the order's amount among them. */
import { formatAmount, type Money } from './money.ts';
import type { DetailRow } from './presentation.ts';
import type { Translations } from './translations.ts';

/** Names that are the same in every language. */
const properNames: { [name: string]: string } = {
  bic: 'BIC',
  cbu: 'CBU',
  cci: 'CCI',
  clabe: 'CLABE',
  cvu: 'CVU',
  iban: 'IBAN',
  ifsc: 'IFSC',
  pix: 'PIX',
  upi: 'UPI',
  upi_id: 'UPI ID',
};

/** The name of a row of payment data: translated if known, else the provider's own. */
export function detailName(name: string, words: Translations): string {
  const key = `details.${name}`;
  return properNames[name] ?? (words.has(key) ? words.t(key) : name);
}

/** The rows that identify a payment, the best one first; money without it cannot be matched. */
const findsPayment: readonly string[] = ['reference', 'voucher', 'agreement'];

/** The name of the row that identifies the payment. */
export const decisiveOf = (rows: readonly DetailRow[]) =>
  findsPayment.find((known) => rows.some(({ name }) => name === known));

/** A row's value to copy and, if another text is displayed, that one: the order's own amount as on the rest of the page. */
export function detailValue({ name, value }: DetailRow, amount: Money, words: Translations) {
  const digits = formatAmount(amount.minor, amount.currency);
  const isTotal = name === 'amount' && value === `${digits} ${amount.currency}`;
  return isTotal ? { value: digits, shown: words.amount(amount).text } : { value };
}
