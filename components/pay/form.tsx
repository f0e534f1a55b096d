// The form state: the method list, each method with a form below its row. The radios belong to a separate, empty form,
// so that a submit never includes a field of another method; the style sheet alone opens the chosen row.

import { isolate } from '../../lib/core/bidi.ts';
import { isFound } from '../../lib/core/method-search.ts';
import type { FormPage, MethodRow, WalletButton } from '../../lib/payer/contract.ts';
import { alertContext, alertText, busyButton, payButton } from '../../lib/payer/decline-alert.ts';
import { installmentsText } from '../../lib/payer/installments.ts';
import { CardLogoSheet } from './card-logos.tsx';
import { Agreement, CardFields, Consent, OtherFields } from './form-fields.tsx';
import { Icon } from './icons.tsx';
import { Finder, searchWords } from './method-search.tsx';
import { CardLogos, type Row, RowHead } from './row-head.tsx';
import { HiddenFields, MerchantLine, type PartProps, TwoColumns } from './shell.tsx';
import { AlertBox } from './step-parts.tsx';

type Context = PartProps<FormPage>;

/** All brands on a page: accepted ones and those of saved cards. */
function brandsOf(page: FormPage): string[] {
  const accepted = page.methods.flatMap((method) => method.card?.brands ?? []);
  return [...accepted, ...page.saved.map((card) => card.brand)];
}

/** One row per method, saved cards first. An expired card cannot be chosen. */
function rowsOf(page: FormPage): Row[] {
  const hasCard = page.methods.some((method) => method.card);
  const saved = hasCard ? page.saved.map((card) => ({ key: card.id, saved: card })) : [];
  const open = page.methods.filter((method) => !method.card?.savedOnly);
  return [...saved, ...open.map((method) => ({ key: method.id, method }))];
}

/** Whether a row has a form here: an expired card and a link have none. */
const usable = (row: Row): boolean => !row.saved?.expired && !linkOf(row);

const linkOf = ({ method }: Row): string | undefined => (method && !method.card ? method.href : undefined);

/** The key of the open row: the page's choice if it is usable, else the first usable row. */
function chosenRow(page: FormPage): string | undefined {
  const rows = rowsOf(page).filter(usable);
  return (rows.find((row) => row.key === page.chosen) ?? rows[0])?.key;
}

function PayButton({ label, busy }: { label: string; busy: string }) {
  return (
    <button type="submit" className="filled" data-busy={busy}>
      <span className="ring" aria-hidden="true" />
      <span>{label}</span>
    </button>
  );
}

function Encrypted({ page, words }: Context) {
  return (
    <p className="encrypted">
      <Icon name="lock" />
      <span>{words.t('pay.encrypted', { merchant: isolate(page.merchant.name, words) })}</span>
    </p>
  );
}

/** The button's texts, by the next step. */
function buttonOf(method: MethodRow, { page, words }: Context): { label: string; busy: string } {
  const { t } = words;
  const pay = {
    label: payButton(page.order.amount, words, page.texts?.button),
    busy: busyButton(page.order.amount, words),
  };
  if (method.card) {
    if (!page.alert || chosenRow(page) !== method.id) return pay;
    return { ...pay, label: alertText(page.alert, alertContext(page), words).button ?? pay.label };
  }
  if (method.step === 'pay') return pay;
  const label = {
    leave: t('pay.leave', { method: isolate(method.name, words) }),
    code: t('pay.showCode'),
    details: t('pay.showDetails'),
    address: t('pay.showAddress'),
    request: t('pay.sendRequest'),
    link: t('pay.sendLink'),
    next: t('continue.button'),
  }[method.step];
  return { label, busy: label };
}

/** The checkbox that remembers a method: for a method that does not open by itself, and for the remembered one. */
function Remember({ row: { method }, context: { page, words } }: { row: Row; context: Context }) {
  if (!page.remember || !method) return null;
  const isRemembered = page.remember.method === method.id;
  if (!isRemembered && rowsOf(page)[0]?.key === method.id) return null;
  return (
    <label className="check-line remember">
      <input type="hidden" name="remember" value="0" />
      <input type="checkbox" name="remember" value="1" defaultChecked={isRemembered} />
      <span>{words.t('pay.remember')}</span>
    </label>
  );
}

function RowForm({ row, context }: { row: Row; context: Context }) {
  const { page, words } = context;
  const isOpen = row.key === chosenRow(page);
  const method = row.method ?? page.methods.find((candidate) => candidate.card);
  if (!method) return null;
  const { label, busy } = buttonOf(method, context);
  return (
    <form
      method="post"
      action={page.pageUrl}
      className="way"
      data-pay={row.key}
      data-auto={page.auto ? '' : undefined}
      autoComplete="on"
    >
      <HiddenFields page={page} words={words} />
      <input type="hidden" name="method" value={method.id} />
      {row.saved ? <input type="hidden" name="saved_card" value={row.saved.id} /> : null}
      {method.card ? (
        <CardFields card={method.card} saved={row.saved} page={page} words={words} live={isOpen} />
      ) : (
        <OtherFields method={method} page={page} words={words} live={isOpen} />
      )}
      {method.card && page.installments ? (
        <p className="agreement">{installmentsText(page.installments, words)}</p>
      ) : null}
      {method.card ? <Agreement page={page} words={words} /> : null}
      <Consent page={page} words={words} live={isOpen} prefix={row.key} />
      <Remember row={row} context={context} />
      <PayButton label={label} busy={busy} />
      {method.card ? <Encrypted page={page} words={words} /> : null}
    </form>
  );
}

function WalletForm({ wallet, page, words }: Context & { wallet: WalletButton }) {
  return (
    <form method="post" action={page.pageUrl} data-wallet={wallet.id} hidden>
      <HiddenFields page={page} words={words} />
      <input type="hidden" name="method" value={wallet.id} />
      <button type="submit" className="wallet" lang={words.lang} aria-label={words.t(`wallet.${wallet.id}`)}>
        <span className="ring" aria-hidden="true" />
        <span dir="ltr">{wallet.name}</span>
      </button>
    </form>
  );
}

/** The wallet buttons, hidden until the device can pay. `isAlone`: a browser without these wallets needs a notice. */
export function Wallets({ page, words, isAlone = false }: Context & { isAlone?: boolean }) {
  const { wallets = [] } = page;
  if (wallets.length === 0) return null;
  const names = wallets.map(({ name }) => name).join(' / ');
  return (
    <>
      <div className="wallets" hidden>
        <Agreement page={page} words={words} />
        <Consent page={page} words={words} live={false} prefix="wallets" />
        <div className="buttons">
          {wallets.map((wallet) => (
            <WalletForm key={wallet.id} wallet={wallet} page={page} words={words} />
          ))}
        </div>
        {isAlone ? null : <p className="or">{words.t('wallet.or')}</p>}
      </div>
      {isAlone ? (
        <div className="no-wallet">
          <h3>{words.t('wallet.none.heading', { method: names })}</h3>
          <p className="intro">{words.t('wallet.none.text')}</p>
        </div>
      ) : null}
    </>
  );
}

/** The id of the row that is open on load; the address of a link row refers to it. */
const chosenId = 'chosen';

function RowBlock({ row, context }: { row: Row; context: Context }) {
  const link = linkOf(row);
  if (link) {
    const { find } = context.page;
    const words = find === undefined ? undefined : searchWords(row, context);
    return (
      <div className="row" data-words={words} hidden={words !== undefined && !isFound(words, find ?? '')}>
        <a className="pick" href={`${link}#${chosenId}`}>
          <RowHead row={row} page={context.page} words={context.words} />
        </a>
      </div>
    );
  }
  if (!usable(row)) {
    return (
      <div className="row">
        <div className="pick past">
          <RowHead row={row} page={context.page} words={context.words} />
        </div>
      </div>
    );
  }
  const isChosen = row.key === chosenRow(context.page);
  return (
    <div className="row" id={isChosen ? chosenId : undefined}>
      <label className="pick">
        <input type="radio" name="way" value={row.key} form="ways" autoComplete="off" defaultChecked={isChosen} />
        <RowHead row={row} page={context.page} words={context.words} />
      </label>
      <RowForm row={row} context={context} />
    </div>
  );
}

/** The rows with a form, then the folded ones, which are links. */
function Rows({ context }: { context: Context }) {
  const { page, words } = context;
  const rows = rowsOf(page);
  const folded = rows.filter((row) => linkOf(row) !== undefined);
  const query = page.find ?? '';
  return (
    <>
      {rows
        .filter((row) => linkOf(row) === undefined)
        .map((row) => (
          <RowBlock key={row.key} row={row} context={context} />
        ))}
      {folded.length > 0 ? (
        <details className="more" id="more" open={query !== ''}>
          <summary>
            <span>{words.t('pay.more', { count: folded.length })}</span>
            <Icon name="down" />
          </summary>
          {page.find === undefined ? null : (
            <Finder {...context} isEmpty={!rows.some((row) => isFound(searchWords(row, context), query))} />
          )}
          {folded.map((row) => (
            <RowBlock key={row.key} row={row} context={context} />
          ))}
        </details>
      ) : null}
    </>
  );
}

function SingleMethod({ row, context, heading }: { row: Row; context: Context; heading: string }) {
  const brands = row.method?.card?.brands ?? [];
  return (
    <>
      <div className="head">
        <h2 id="ways-heading">{heading}</h2>
        <CardLogos brands={brands} />
      </div>
      {row.saved ? (
        <div className="row">
          <div className="pick">
            <RowHead row={row} page={context.page} words={context.words} />
          </div>
        </div>
      ) : null}
      <RowForm row={row} context={context} />
    </>
  );
}

function headingOf({ page, words }: Context, only: MethodRow | undefined): string {
  if (page.alert) return alertText(page.alert, alertContext(page), words).formHeading;
  // The heading names the only method, unless the card's logos are beside it.
  if (only && !only.card) return only.name;
  const own = page.texts?.title;
  return own ? isolate(own, words) : words.t(only?.card ? 'pay.headingCard' : 'pay.heading');
}

/** The sheet of the form state. */
export function FormSheet({ page, words }: Context) {
  const context = { page, words };
  const rows = rowsOf(page);
  const only = rows.length === 1 ? rows[0] : undefined;
  const alert = page.alert ? alertText(page.alert, alertContext(page), words) : undefined;
  const hasFieldFault = Boolean(page.errors && Object.keys(page.errors).length > 0) || Boolean(page.alert?.field);
  const heading = headingOf(context, only?.method);
  return (
    <TwoColumns page={page} words={words}>
      <CardLogoSheet brands={brandsOf(page)} />
      <AlertBox
        kind={page.alert?.late ? 'unknown' : 'decline'}
        heading={alert?.heading}
        text={alert?.text}
        focus={!hasFieldFault}
      >
        <a className="check" href={page.pageUrl} hidden>
          {words.t('waiting.check')}
        </a>
      </AlertBox>
      <div className="closing" role="timer" hidden>
        <p />
        <progress max={300} value={0} />
      </div>
      {only ? (
        <>
          <Wallets page={page} words={words} />
          <SingleMethod row={only} context={context} heading={heading} />
        </>
      ) : (
        <fieldset className="ways" aria-labelledby="ways-heading">
          <div className="head">
            <h2 id="ways-heading">{heading}</h2>
          </div>
          <Wallets page={page} words={words} isAlone={rows.length === 0} />
          <Rows context={context} />
        </fieldset>
      )}
      <MerchantLine text={page.texts?.form} className="below" />
      <form id="ways" />
    </TwoColumns>
  );
}
