// The final states of a payment page: paid, authorised, returned, expired, cancelled, and the two pages without a
// session. One column; the state is the first heading.
import type { ReactNode } from 'react';
import { isolate } from '../../lib/core/bidi.ts';
import type { PageShell, WayBack } from '../../lib/payer/contract.ts';
import { receiptRows, receiptTexts } from '../../lib/payer/receipt-texts.ts';
import { Icon, type IconName } from './icons.tsx';
import { SendForm } from './send-form.tsx';
import {
  Amount,
  Facts,
  Instant,
  MerchantLine,
  OneColumn,
  type PartProps,
  type SheetProps,
  ShopLink,
  withNodes,
} from './shell.tsx';

function Head(props: { glyph: IconName; tone?: 'ok' | 'still'; heading: string; children: ReactNode }) {
  return (
    <>
      <span className={`sign ${props.tone ?? 'still'}`}>
        <Icon name={props.glyph} />
      </span>
      <h1 className="state">{props.heading}</h1>
      <p className="intro">{props.children}</p>
    </>
  );
}

function Return({ page, label }: { page: WayBack; label: string }) {
  return (
    <ShopLink way={page} className="filled" data-return="">
      <span>{label}</span>
    </ShopLink>
  );
}

/**
 * The receipt, the same whenever the link is opened. After the payment itself the script counts down to the shop, and
 * "Stay on this page" stops the countdown for good.
 */
export function ReceiptSheet({ page, words }: SheetProps<'receipt'>) {
  const { t } = words;
  const merchant = isolate(page.merchant.name, words);
  const { heading, text } = receiptTexts(page, words, merchant);
  const rows = receiptRows(page, words).map(([name, value]): [string, ReactNode] => [
    name,
    typeof value === 'string' ? value : <Instant key="at" at={value} form="dateTime" words={words} />,
  ]);
  return (
    <OneColumn page={page} words={words}>
      <div className="step">
        <Head
          glyph={page.result === 'returned' ? 'renew' : 'tick'}
          tone={page.result === 'returned' ? 'still' : 'ok'}
          heading={heading}
        >
          {text}
        </Head>
        <p className="amount">
          <Amount text={words.amount(page.order.amount)} />
        </p>
        <div className="rule" />
        <Facts rows={rows} />
        <MerchantLine text={page.texts?.receipt} />
        <Return page={page} label={t('receipt.return', { merchant })} />
        <button type="button" className="plain print" hidden>
          {t('receipt.print')}
        </button>
        <SendForm page={page} words={words} send={page.email} what="receipt" />
        {page.returnUrl && page.isNew ? (
          <div className="countdown" hidden>
            <p role="timer" />
            <button type="button" className="plain">
              {t('receipt.stay')}
            </button>
          </div>
        ) : null}
      </div>
      <p className="quiet" role="status" />
    </OneColumn>
  );
}

type EndProps = PartProps<PageShell & WayBack> & Parameters<typeof Head>[0] & { label?: string };

/** An end without a payment on this page: what happened, the order, and the way back to the shop. */
function EndSheet({ page, words, label, ...head }: EndProps) {
  const { t } = words;
  const rows: [string, ReactNode][] = [
    [t('summary.order'), page.order.number],
    [t('summary.amount'), words.amount(page.order.amount).text],
  ];
  const back = label ?? t('receipt.return', { merchant: isolate(page.merchant.name, words) });
  return (
    <OneColumn page={page} words={words}>
      <div className="step">
        <Head {...head} />
        <Facts rows={rows} className="facts lined" />
        <Return page={page} label={back} />
      </div>
    </OneColumn>
  );
}

/** The session has expired; if an attempt is in progress, the page makes no promise about the money. */
export function ExpiredSheet({ page, words }: SheetProps<'expired'>) {
  const { t } = words;
  const merchant = isolate(page.merchant.name, words);
  const time = <Instant at={page.expiredAt} form="dateTime" words={words} />;
  const isKnown = page.money === 'none';
  const label = isKnown ? t('expired.back') : undefined;
  return (
    <EndSheet page={page} words={words} label={label} glyph="clock" heading={t('expired.heading')}>
      {withNodes(words, isKnown ? 'expired.text' : 'expired.textUnknown', { time }, { merchant })}
    </EndSheet>
  );
}

/** Cancelled by the payer or by the limit of declines. */
export function CancelledSheet({ page, words }: SheetProps<'cancelled'>) {
  const { t } = words;
  const merchant = isolate(page.merchant.name, words);
  const byPayer = page.reason === 'payer';
  if (page.late) {
    return (
      <EndSheet page={page} words={words} glyph="clock" heading={t('decline.methodLate.heading')}>
        {t('decline.methodLate.text', { merchant })}
      </EndSheet>
    );
  }
  const heading = t(byPayer ? 'cancelled.heading' : 'cancelled.headingDeclines');
  return (
    <EndSheet page={page} words={words} glyph="cross" heading={heading}>
      {t(byPayer ? 'cancelled.text' : 'cancelled.textDeclines', { merchant })}
    </EndSheet>
  );
}

/** The payer is back from the bank. The shop reports the outcome: it gets the callback, and the state may change. */
export function ReturnedSheet({ page, words }: SheetProps<'returned'>) {
  const { t } = words;
  return (
    <EndSheet page={page} words={words} label={t('continue.button')} glyph="tick" heading={t('challenge.returned')}>
      {t('waiting.close', { merchant: isolate(page.merchant.name, words) })}
    </EndSheet>
  );
}

/** The link has no session. The page does not reveal whether there ever was one. */
export function UnknownLinkSheet({ page, words }: SheetProps<'unknownLink'>) {
  return (
    <OneColumn page={page} words={words}>
      <div className="step">
        <Head glyph="cross" heading={words.t('unknownLink.heading')}>
          {words.t('unknownLink.text')}
        </Head>
      </div>
    </OneColumn>
  );
}

/** An internal error, with a warning not to pay again while a payment may be in progress. */
export function ErrorSheet({ page, words }: SheetProps<'error'>) {
  const { t } = words;
  return (
    <OneColumn page={page} words={words}>
      <div className="step">
        <Head glyph="error" heading={t('failure.heading')}>
          {t('failure.text')}
        </Head>
        {page.reference ? <Facts rows={[[t('failure.reference'), page.reference]]} className="facts lined" /> : null}
        <a className="filled" href={page.pageUrl}>
          <span>{t('failure.reload')}</span>
        </a>
      </div>
    </OneColumn>
  );
}
