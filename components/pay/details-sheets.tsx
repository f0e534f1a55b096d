// Payment data for the payer's bank, and vouchers to pay in cash. A typing mistake costs money, so every value has a copy
// button, and the decisive one a note.
import { isolate } from '../../lib/core/bidi.ts';
import { decisiveOf, detailName, detailValue } from '../../lib/core/detail-rows.ts';
import type { Translations } from '../../lib/core/translations.ts';
import type { Barcode, StepOf } from '../../lib/payer/contract.ts';
import { Icon } from './icons.tsx';
import { SendForm } from './send-form.tsx';
import { Instant, TwoColumns, withNodes } from './shell.tsx';
import { AskedChange, CopyRow, Head, Later, Note, type StepProps, Steps, TimeLeft } from './step-parts.tsx';

type Row = StepOf<'details'>['rows'][number];

function CopyRows({ page, rows, decisive, words }: StepProps<'details'> & { rows: Row[]; decisive?: string }) {
  return (
    <dl className="copies">
      {rows.map((row) => (
        <CopyRow
          key={row.name}
          name={detailName(row.name, words)}
          {...detailValue(row, page.order.amount, words)}
          decisive={row.name === decisive}
          words={words}
        />
      ))}
    </dl>
  );
}

/** Account and reference for a transfer, or a voucher. */
export function DetailsSheet({ page, words }: StepProps<'details'>) {
  const { step } = page;
  const { t } = words;
  if (step.voucher) return <VoucherSheet page={page} voucher={step.voucher} words={words} />;
  const decisive = decisiveOf(step.rows);
  const hasReference = decisive === 'reference';
  return (
    <TwoColumns page={page} words={words}>
      <Head
        heading={t(page.kind === 'bank' ? 'instructions.headingBank' : 'instructions.heading')}
        text={t(hasReference ? 'instructions.textReference' : 'instructions.text')}
      />
      <CopyRows page={page} rows={step.rows} decisive={decisive} words={words} />
      <div className="step tight">
        {hasReference ? <Note first={t('instructions.note')} rest={t('instructions.noteMore')} /> : null}
        <TimeLeft until={step.expiresAt} sentence={t('waiting.left', { time: '{time}' })} words={words} />
        <a className="filled" href="#sent">
          <span>{t('instructions.sent')}</span>
        </a>
        {/* The address's fragment alone opens this part, so it works without script. */}
        <div className="sent" id="sent">
          <Later page={page} words={words} line={t('instructions.line')} />
        </div>
        <CalendarLink page={page} words={words} />
        <SendForm page={page} words={words} send={page.reminder} what="reminder" />
        <AskedChange page={page} words={words} />
      </div>
    </TwoColumns>
  );
}

/** Takes the deadline into the payer's calendar. */
function CalendarLink({ page: { step }, words }: StepProps<'details'>) {
  if (!step.calendarUrl) return null;
  return (
    <a className="outlined" href={step.calendarUrl}>
      <Icon name="calendar" />
      <span>{words.t('instructions.calendar')}</span>
    </a>
  );
}

/** The bars, never mirrored, and the text that a cashier can type. */
function BarcodePlate({ barcode, words }: { barcode: Barcode; words: Translations }) {
  const { bars, text } = barcode;
  return (
    <div className="plate barcode">
      {bars ? (
        <svg
          viewBox={`0 0 ${bars.modules} 1`}
          preserveAspectRatio="none"
          role="img"
          aria-label={words.t('voucher.barcode')}
        >
          <path d={bars.path} />
        </svg>
      ) : null}
      <p dir="ltr">{text}</p>
    </div>
  );
}

type VoucherProps = StepProps<'details'> & { voucher: NonNullable<StepOf<'details'>['voucher']> };

/** A voucher: where to pay it, what to show at the counter, and until when. */
function VoucherSheet({ page, voucher, words }: VoucherProps) {
  const { step } = page;
  const { t } = words;
  const { places, barcode } = voucher;
  const until = step.expiresAt && <Instant at={step.expiresAt} form="dateTime" words={words} />;
  const go = places
    ? t('voucher.places', { places: isolate(places, words) })
    : t('voucher.shops', { method: isolate(page.method, words) });
  return (
    <TwoColumns page={page} words={words}>
      <Head heading={t('voucher.heading')} text={until && withNodes(words, 'ticket.due', { time: until })} />
      <div className="scan single">
        <BarcodePlate barcode={barcode} words={words} />
        <Steps
          texts={[
            go,
            t(barcode.bars ? 'voucher.show' : 'voucher.tell'),
            t('voucher.pay', { amount: words.amount(page.order.amount).text }),
          ]}
        />
      </div>
      <CopyRows
        page={page}
        // The merchant is named beside the amount: an account holder means nothing at a counter.
        rows={step.rows.filter(({ name }) => name !== 'beneficiary')}
        decisive={decisiveOf(step.rows)}
        words={words}
      />
      <div className="step tight">
        <a className="outlined" href={voucher.url} download="">
          <Icon name="save" />
          <span>{t('instructions.ticket')}</span>
        </a>
        <CalendarLink page={page} words={words} />
        <SendForm page={page} words={words} send={page.reminder} what="reminder" />
        <Later page={page} words={words} line={t('present.line')} />
        <AskedChange page={page} words={words} />
      </div>
    </TwoColumns>
  );
}
