// Data to pay with: an account and its reference, a voucher, or a coin's address. A typing mistake costs money, so
// every value has a copy button, and the decisive one has a note.

import { isolate } from '../../lib/core/bidi.ts';
import { formatAmount } from '../../lib/core/money.ts';
import type { Translations } from '../../lib/core/translations.ts';
import type { PresentPage } from '../../lib/payer/contract.ts';
import { CopyRow } from './copy-row.tsx';
import { Icon } from './icons.tsx';
import { TwoColumns } from './shell.tsx';
import {
  ChangeMethod,
  CheckNow,
  CloseHelp,
  CodePlate,
  Foot,
  Head,
  Note,
  type StepProps,
  TimeLeft,
  WaitingLine,
} from './step-parts.tsx';

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
function detailName(name: string, words: Translations): string {
  const key = `details.${name}`;
  return properNames[name] ?? (words.has(key) ? words.t(key) : name);
}

/** The rows that identify a payment, the best one first; money without it cannot be matched. */
const findsPayment: readonly string[] = ['reference', 'voucher', 'agreement'];

/** Whether a row is the order's own amount, which is then formatted as on the rest of the page. */
function isTotal({ name, value }: { name: string; value: string }, { order: { amount } }: PresentPage): boolean {
  return name === 'amount' && value === `${formatAmount(amount.minor, amount.currency)} ${amount.currency}`;
}

function totalOf({ order: { amount } }: PresentPage, words: Translations): { value: string; shown: string } {
  return { value: formatAmount(amount.minor, amount.currency), shown: words.amount(amount).text };
}

/** Account, reference or voucher, to pay with at a bank or a counter. */
export function DetailsSheet({ page, words }: StepProps<'details'>) {
  const { step } = page;
  const { t } = words;
  const isTransfer = page.kind === 'bank' && !step.voucherUrl;
  const names = step.rows.map((row) => row.name);
  const decisive = findsPayment.find((name) => names.includes(name));
  const hasReference = decisive === 'reference';
  return (
    <TwoColumns page={page} words={words}>
      <Head
        heading={t(isTransfer ? 'instructions.headingBank' : 'instructions.heading')}
        text={t(hasReference ? 'instructions.textReference' : 'instructions.text')}
      />
      <dl className="copies">
        {step.rows.map((row) => (
          <CopyRow
            key={row.name}
            name={detailName(row.name, words)}
            {...(isTotal(row, page) ? totalOf(page, words) : { value: row.value })}
            decisive={row.name === decisive}
            words={words}
          />
        ))}
      </dl>
      <div className="step tight">
        {hasReference ? <Note first={t('instructions.note')} rest={t('instructions.noteMore')} /> : null}
        <TimeLeft until={step.expiresAt} sentence={t('waiting.left', { time: '{time}' })} words={words} />
        {step.voucherUrl ? (
          <a className="filled" href={step.voucherUrl} download="">
            <Icon name="save" />
            <span>{t('instructions.ticket')}</span>
          </a>
        ) : (
          <a className="filled" href="#sent">
            <span>{t('instructions.sent')}</span>
          </a>
        )}
        {/* The address's fragment alone opens this part, so it works without script. */}
        <div className="sent" id="sent">
          <WaitingLine text={t('instructions.line')} words={words} />
          <CloseHelp page={page} words={words} />
          <CheckNow page={page} words={words} />
        </div>
        <ChangeMethod page={page} words={words} />
      </div>
    </TwoColumns>
  );
}

/** A coin's address. The amount in coins is the main amount, and the price is a fact below it. */
export function CryptoSheet({ page, words }: StepProps<'crypto'>) {
  const { step } = page;
  const { t } = words;
  const { amount, currency, memo } = step;
  const coins = amount ? { amount, currency } : undefined;
  const network = isolate(step.network, words);
  const sentence = t(amount ? 'crypto.left' : 'crypto.leftAddress', { time: '{time}' });
  return (
    <TwoColumns page={page} words={words} coins={coins}>
      <Head heading={t('crypto.heading', { currency, network })} text={t(amount ? 'crypto.text' : 'crypto.textAny')} />
      <div className="scan single">
        <CodePlate code={step.code} small words={words} />
        <TimeLeft until={step.expiresAt} sentence={sentence} words={words} />
      </div>
      <dl className="copies">
        {amount ? (
          <CopyRow name={t('crypto.amount')} value={amount} shown={`${amount} ${currency}`} decisive words={words} />
        ) : null}
        <CopyRow name={t('crypto.address', { network })} value={step.address} address words={words} />
        {memo ? <CopyRow name={t('details.memo')} value={memo} decisive words={words} /> : null}
      </dl>
      <div className="step tight">
        <Note
          first={t('crypto.note', { currency, network })}
          rest={memo ? `${t('crypto.noteMore')} ${t('crypto.noteMemo')}` : t('crypto.noteMore')}
        />
      </div>
      <Foot page={page} words={words} text={t('crypto.line')}>
        <ChangeMethod page={page} words={words} />
      </Foot>
    </TwoColumns>
  );
}
