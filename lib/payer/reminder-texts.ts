/** The payment data of a page as a message, so that a payer can pay without opening the page again. */
import { isolate } from '../core/bidi.ts';
import { isCardNumber } from '../core/cards.ts';
import { decisiveOf, detailName, detailValue } from '../core/detail-rows.ts';
import type { Translations } from '../core/translations.ts';
import type { PresentPage, StepOf } from './contract.ts';
import { translationsFor } from './payout-texts.ts';

/** `isKey`: the payment cannot be made, or not be matched, without it. */
type Row = { name: string; value: string; isKey: boolean };

type Data = { heading: string; steps: string[]; rows: Row[]; notes: string[]; deadline?: string };

/** More text would be sent as three messages or rejected by gateways. */
const textMessageMax = 320;
const merchantMax = 40;

/** A message never has a card number, such as that of a recipient. */
const isCard = (name: string, value: string) => name === 'card_number' || isCardNumber(value);

/** Amount, rows, deadline and link of payment data or coins; as a text message the rows that are needed to pay. */
export function reminderTexts(
  page: PresentPage,
  { channel, url }: { channel: 'email' | 'sms'; url: string },
  pageWords: Translations,
): { subject: string; text: string } {
  const words = translationsFor(page.purpose, pageWords);
  const { t } = words;
  const { name } = page.merchant;
  const amount = words.amount(page.order.amount).text;
  const subject = t('outbox.subject', { merchant: isolate(name, words), amount });
  const { heading, steps, rows, notes, deadline } = dataOf(page, words);
  if (channel === 'sms') {
    const letters = [...name];
    const short = letters.length > merchantMax ? `${letters.slice(0, merchantMax - 1).join('')}…` : name;
    const start = t('outbox.subject', { merchant: isolate(short, words), amount });
    const keys = linesOf(
      rows.filter(({ isKey }) => isKey),
      words,
    );
    return { subject, text: textMessage({ start, keys, deadline, url }) };
  }
  const parts = [
    [heading, ...steps],
    linesOf(rows, words),
    [...notes, ...(deadline ? [deadline] : [])],
    [t('outbox.text', { merchant: isolate(name, words), amount }), url],
    [t('outbox.unexpected')],
  ];
  const text = parts.flatMap((lines) => (lines.length > 0 ? [lines.join('\n')] : [])).join('\n\n');
  return { subject, text: `${text}\n` };
}

type TextMessage = { start: string; keys: string[]; deadline?: string; url: string };

/** What does not fit is left out as a whole, the deadline first: a part of a number would be a wrong one. */
function textMessage({ start, keys, deadline, url }: TextMessage): string {
  const all = [start, ...keys, ...(deadline ? [deadline] : []), url];
  const texts = [all, [start, ...keys, url], [start, url]].map((lines) => lines.join('\n'));
  return texts.find((text) => text.length < textMessageMax) ?? url;
}

/** In right-to-left languages a value has a line of its own: isolates around it would be copied with it. */
const linesOf = (rows: readonly Row[], { dir }: Translations) =>
  rows.map(({ name, value }) => `${name}:${dir === 'rtl' ? '\n' : ' '}${value}`);

function dataOf(page: PresentPage, words: Translations): Data {
  const { step } = page;
  if (step.kind === 'crypto') return coinData(page, step, words);
  if (step.kind === 'details') return step.voucher ? voucherData(page, step, words) : transferData(page, step, words);
  throw new Error(`a page of the kind ${step.kind} has no payment data`);
}

const until = (step: { expiresAt?: Date }, key: string, words: Translations) =>
  step.expiresAt && words.t(key, { time: words.dateTime(step.expiresAt) });

/** The amount, unless the provider names one, and the rows without card numbers. */
function detailRows(page: PresentPage, { rows }: StepOf<'details'>, words: Translations): Row[] {
  const key = decisiveOf(rows) ?? rows.find(({ name }) => name !== 'amount')?.name;
  const shown = rows
    .filter(({ name, value }) => !isCard(name, value))
    .map((row): Row => {
      const { value, shown: formatted = value } = detailValue(row, page.order.amount, words);
      return { name: detailName(row.name, words), value: formatted, isKey: row.name === key };
    });
  if (rows.some(({ name }) => name === 'amount')) return shown;
  return [{ name: words.t('details.amount'), value: words.amount(page.order.amount).text, isKey: false }, ...shown];
}

function transferData(page: PresentPage, step: StepOf<'details'>, words: Translations): Data {
  const { t } = words;
  const isMatched = decisiveOf(step.rows) === 'reference';
  return {
    heading: t(page.kind === 'bank' ? 'instructions.headingBank' : 'instructions.heading'),
    steps: [t(isMatched ? 'instructions.textReference' : 'instructions.text')],
    rows: detailRows(page, step, words),
    notes: isMatched ? [`${t('instructions.note')} ${t('instructions.noteMore')}`] : [],
    deadline: until(step, 'present.until', words),
  };
}

function voucherData(page: PresentPage, step: StepOf<'details'>, words: Translations): Data {
  const { t } = words;
  const { places, barcode } = step.voucher ?? {};
  const rows = detailRows(page, { ...step, rows: step.rows.filter(({ name }) => name !== 'beneficiary') }, words);
  const code = barcode?.text ?? '';
  const isListed = code === '' || isCard('', code) || rows.some(({ value }) => bare(value) === bare(code));
  const barcodeRow = { name: t('voucher.barcode'), value: code, isKey: !rows.some(({ isKey }) => isKey) };
  return {
    heading: t('voucher.heading'),
    steps: [
      places
        ? t('voucher.places', { places: isolate(places, words) })
        : t('voucher.shops', { method: isolate(page.method, words) }),
      t('voucher.tell'),
      t('voucher.pay', { amount: words.amount(page.order.amount).text }),
    ],
    rows: isListed ? rows : [...rows, barcodeRow],
    notes: [],
    deadline: until(step, 'ticket.due', words),
  };
}

const bare = (text: string) => text.replace(/\s/g, '');

function coinData(page: PresentPage, step: StepOf<'crypto'>, words: Translations): Data {
  const { t } = words;
  const { amount, currency, address, memo } = step;
  const network = isolate(step.network, words);
  const row = (name: string, value: string): Row => ({ name, value, isKey: true });
  const memoNote = memo ? ` ${t('crypto.noteMemo')}` : '';
  return {
    heading: t('crypto.heading', { currency, network }),
    steps: [],
    rows: [
      { name: t('summary.price'), value: words.amount(page.order.amount).text, isKey: false },
      ...(amount ? [row(t('crypto.amount'), `${amount} ${currency}`)] : []),
      row(t('crypto.address', { network }), address),
      ...(memo ? [row(t('details.memo'), memo)] : []),
    ],
    notes: [`${t('crypto.note', { currency, network })} ${t('crypto.noteMore')}${memoNote}`],
    deadline: until(step, 'present.until', words),
  };
}
