// The form state: the list of ways to pay, each with a form of its own below its row. The radios belong
// to a separate, empty form, so that a press on one button never sends a field of another method; the
// style sheet alone opens the chosen row.
import type { ReactNode } from 'react';
import { brandById } from '../../lib/core/cards';
import type { Words } from '../../lib/core/words';
import { alertSurroundings, alertText, busyButton, payButton } from './alert';
import { AlertBox } from './alert-box';
import { CardFields, OtherFields } from './form-fields';
import { Glyph } from './glyphs';
import { Mark, MarkSheet } from './marks';
import type { FormPage, MethodRow, SavedCard } from './model';
import { HiddenFields, TwoColumns } from './shell';
import { isolated } from './text';

type Context = { page: FormPage; words: Words };

/** What all brands of a page are: those accepted and those of saved cards. */
function brandsOf(page: FormPage): string[] {
  const accepted = page.methods.flatMap((method) => method.card?.brands ?? []);
  return [...accepted, ...page.saved.map((card) => card.brand)];
}

/** One row per way to pay, saved cards first. An expired card cannot be chosen. */
type Row = { key: string } & ({ saved: SavedCard; method?: undefined } | { saved?: undefined; method: MethodRow });

function rowsOf(page: FormPage): Row[] {
  const hasCard = page.methods.some((method) => method.card);
  const saved = hasCard ? page.saved.map((card) => ({ key: card.id, saved: card })) : [];
  const open = page.methods.filter((method) => !method.card?.keptOnly);
  return [...saved, ...open.map((method) => ({ key: method.id, method }))];
}

const usable = (row: Row): boolean => !row.saved?.expired;

/** The key of the open row: the page's choice if it can be chosen, else the first that can. */
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
      <Glyph name="lock" />
      <span>{words.t('pay.encrypted', { merchant: isolated(page.merchant.name, words) })}</span>
    </p>
  );
}

/** The words of a button by what happens next. */
function buttonOf(method: MethodRow, { page, words }: Context): { label: string; busy: string } {
  const { t } = words;
  const pay = { label: payButton(page.order.amount, words), busy: busyButton(page.order.amount, words) };
  if (method.card) {
    if (!page.alert || chosenRow(page) !== method.id) return pay;
    return { ...pay, label: alertText(page.alert, alertSurroundings(page), words).button };
  }
  if (method.step === 'pay') return pay;
  const label = {
    leave: t('pay.leave', { method: method.name }),
    code: t('pay.showCode'),
    details: t('pay.showDetails'),
    request: t('pay.sendRequest'),
  }[method.step];
  return { label, busy: label };
}

function RowForm({ row, context }: { row: Row; context: Context }) {
  const { page, words } = context;
  const isOpen = row.key === chosenRow(page);
  const method = row.method ?? page.methods.find((candidate) => candidate.card);
  if (!method) return null;
  const { label, busy } = buttonOf(method, context);
  return (
    <form method="post" action={page.pageUrl} className="way" data-pay={row.key} autoComplete="on">
      <HiddenFields page={page} words={words} />
      <input type="hidden" name="method" value={method.id} />
      {row.saved ? <input type="hidden" name="saved_card" value={row.saved.id} /> : null}
      {method.card ? (
        <CardFields card={method.card} saved={row.saved} page={page} words={words} live={isOpen} />
      ) : (
        <OtherFields method={method} page={page} words={words} live={isOpen} />
      )}
      <PayButton label={label} busy={busy} />
      {method.card ? <Encrypted page={page} words={words} /> : null}
    </form>
  );
}

function SavedName({ card, words }: { card: SavedCard; words: Words }) {
  const name = brandById(card.brand)?.name ?? card.brand;
  const text = card.expired ? 'pay.expired' : 'pay.expires';
  return (
    <span className="method">
      <bdi dir="ltr">
        {name} <span aria-hidden="true">••••</span> {card.last4}
      </bdi>
      {card.asked.includes('card_expiry') ? null : <small>{words.t(text, { expiry: card.expiry })}</small>}
    </span>
  );
}

function Marks({ brands }: { brands: string[] }) {
  return (
    <span className="marks">
      {brands.slice(0, 4).map((brand) => (
        <Mark key={brand} brand={brand} label />
      ))}
    </span>
  );
}

function RowHead({ row, context: { page, words } }: { row: Row; context: Context }): ReactNode {
  if (row.saved) {
    return (
      <>
        <SavedName card={row.saved} words={words} />
        <Mark brand={row.saved.brand} />
      </>
    );
  }
  const { method } = row;
  if (method.card) {
    const isNew = page.saved.length > 0;
    return (
      <>
        <span className="method">{words.t(isNew ? 'pay.newCard' : 'pay.card')}</span>
        {isNew ? <Glyph name="card" /> : <Marks brands={method.card.brands} />}
      </>
    );
  }
  return (
    <>
      <span className="method">
        <bdi>{method.name}</bdi>
        {method.note ? <small>{method.note}</small> : null}
      </span>
      <Glyph name={method.kind} />
    </>
  );
}

function RowBlock({ row, context }: { row: Row; context: Context }) {
  if (!usable(row)) {
    return (
      <div className="row">
        <div className="pick past">
          <RowHead row={row} context={context} />
        </div>
      </div>
    );
  }
  return (
    <div className="row">
      <label className="pick">
        <input
          type="radio"
          name="way"
          value={row.key}
          form="ways"
          autoComplete="off"
          defaultChecked={row.key === chosenRow(context.page)}
        />
        <RowHead row={row} context={context} />
      </label>
      <RowForm row={row} context={context} />
    </div>
  );
}

/** More than six rows: the first five, then the rest behind a line. The chosen row is never hidden. */
function Rows({ context }: { context: Context }) {
  const rows = rowsOf(context.page);
  const shown = rows.length > 6 ? 5 : rows.length;
  const folded = rows.slice(shown);
  const isOpen = folded.some((row) => row.key === chosenRow(context.page));
  return (
    <>
      {rows.slice(0, shown).map((row) => (
        <RowBlock key={row.key} row={row} context={context} />
      ))}
      {folded.length > 0 ? (
        <details className="more" open={isOpen}>
          <summary>
            <span>{context.words.t('pay.more', { count: folded.length })}</span>
            <Glyph name="down" />
          </summary>
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
        <Marks brands={brands} />
      </div>
      {row.saved ? (
        <div className="row">
          <div className="pick">
            <RowHead row={row} context={context} />
          </div>
        </div>
      ) : null}
      <RowForm row={row} context={context} />
    </>
  );
}

function headingOf({ page, words }: Context, only: MethodRow | undefined): string {
  if (page.alert) return alertText(page.alert, alertSurroundings(page), words).formHeading;
  if (only?.card) return words.t('pay.headingCard');
  return only?.name ?? words.t('pay.heading');
}

/** The sheet of the form state. */
export function FormSheet({ page, words }: Context) {
  const context = { page, words };
  const rows = rowsOf(page);
  const only = rows.length === 1 ? rows[0] : undefined;
  const alert = page.alert ? alertText(page.alert, alertSurroundings(page), words) : undefined;
  const hasFieldFault = Boolean(page.errors && Object.keys(page.errors).length > 0) || Boolean(page.alert?.field);
  const heading = headingOf(context, only?.method);
  return (
    <TwoColumns page={page} words={words}>
      <MarkSheet brands={brandsOf(page)} />
      <AlertBox heading={alert?.heading} text={alert?.text} focus={!hasFieldFault}>
        <a className="check" href={page.pageUrl} hidden>
          {words.t('waiting.check')}
        </a>
      </AlertBox>
      <div className="closing" role="timer" hidden>
        <p />
        <progress max={300} value={0} />
      </div>
      {only ? (
        <SingleMethod row={only} context={context} heading={heading} />
      ) : (
        <fieldset className="ways" aria-labelledby="ways-heading">
          <div className="head">
            <h2 id="ways-heading">{heading}</h2>
          </div>
          <Rows context={context} />
        </fieldset>
      )}
      <form id="ways" />
      <p className="quiet" role="status" />
    </TwoColumns>
  );
}
