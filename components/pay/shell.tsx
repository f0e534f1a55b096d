// The parts around the sheet of every page: the merchant, the amount with its double rule, the link back, the footer
// with the language menu, and in the sandbox the test bar. Names keep their own direction on a page in another script.
import { type ComponentProps, Fragment, type ReactNode } from 'react';
import type { AmountText, MessageValues, Translations } from '../../lib/core/translations.ts';
import type { Language, Merchant, PageModel, PageShell, TestBar, WayBack } from '../../lib/payer/contract.ts';
import { Icon } from './icons.tsx';

export type PartProps<Page = PageShell> = { page: Page; words: Translations };

/** A page in one state. */
export type SheetProps<State extends PageModel['state']> = PartProps<Extract<PageModel, { state: State }>>;

/** Adds one parameter to an address of this application. */
export function withQuery(url: string, name: string, value: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;
}

/** The hidden fields of every form: the CSRF token, and the language of the response. */
export function HiddenFields({ page, words }: PartProps) {
  return (
    <>
      {Object.entries({ lang: words.code, ...page.hidden }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** Logo and name. Without a logo only the name is shown; initials are never invented. */
function MerchantName({ merchant, site }: { merchant: Merchant; site?: boolean }) {
  const { logo } = merchant;
  const classes = ['logo', logo?.square && 'square', logo?.plate && 'backed'].filter(Boolean).join(' ');
  return (
    <div className="merchant">
      {/* biome-ignore lint/performance/noImgElement: a document, no page of Next */}
      {logo ? <img className={classes} src={logo.src} alt="" /> : null}
      <div>
        <bdi className="name">{merchant.name}</bdi>
        {site && merchant.site ? <bdi className="site">{merchant.site}</bdi> : null}
      </div>
    </div>
  );
}

/** Rows of a name and a value. Values keep their own direction. */
export function Facts({ rows, className = 'facts' }: { rows: [name: string, value: ReactNode][]; className?: string }) {
  return (
    <dl className={className}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A link to the shop; empty without an address. */
export function ShopLink({ way, ...link }: ComponentProps<'a'> & { way?: WayBack; 'data-return'?: '' }) {
  const { returnUrl, target } = way ?? {};
  return returnUrl ? <a {...link} href={returnUrl} target={target === '_self' ? undefined : target} /> : null;
}

function Back({ page, words, short }: PartProps & { short?: boolean }) {
  const label = words.t('summary.back', { merchant: page.merchant.name });
  const shown = (
    <>
      <Icon name="back" className="mirrored" />
      {short ? null : <span>{label}</span>}
    </>
  );
  if (page.later)
    return (
      <p className={short ? 'back short' : 'back'}>
        <ShopLink way={page.later} aria-label={short ? label : undefined}>
          {shown}
        </ShopLink>
      </p>
    );
  if (!page.cancelUrl) return null;
  if (page.asksToLeave)
    return (
      <p className={short ? 'back short' : 'back'}>
        <a href="#leave" aria-label={short ? label : undefined}>
          {shown}
        </a>
      </p>
    );
  return (
    <form method="post" action={page.cancelUrl} className={short ? 'back short' : 'back'}>
      <HiddenFields page={page} words={words} />
      <button type="submit" aria-label={short ? label : undefined}>
        {shown}
      </button>
    </form>
  );
}

/** The amount to send if its currency is not the price's; decimal text. */
type Coins = { amount: string; currency: string };

/** Payee, amount and purpose: a column beside the sheet, a strip above it on phones. */
function Summary({ page, words, coins }: PartProps & { coins?: Coins }) {
  const { order } = page;
  const { t } = words;
  const amount = words.amount(order.amount);
  const rows: [string, ReactNode][] = [
    [t('summary.for'), order.description],
    [t('summary.order'), order.number],
  ];
  if (coins) rows.unshift([t('summary.price'), amount.text]);
  if (order.email) rows.push([t('summary.email'), order.email]);
  return (
    <aside aria-label={t('summary.label')}>
      <div className="strip">
        <Back page={page} words={words} short />
        <MerchantName merchant={page.merchant} site />
      </div>
      <h1>
        <span className="label">{t(coins ? 'transfer.amount' : 'pay.amount')}</span>{' '}
        {coins ? (
          <bdi>
            {coins.amount} <small>{coins.currency}</small>
          </bdi>
        ) : (
          <Amount text={amount} />
        )}
      </h1>
      <div className="rule" />
      <details className="fold">
        <summary>
          <span>{t('summary.folded', { number: order.number, description: order.description })}</span>
          <Icon name="down" />
        </summary>
        <Facts rows={rows} />
      </details>
      <Facts rows={rows} className="facts open" />
      <MerchantLine text={page.texts?.summary} />
      <Back page={page} words={words} />
    </aside>
  );
}

/** A text of the merchant. In another script than the page it keeps its direction, on the page's side. */
export function MerchantLine({ text, className }: { text?: string; className?: string }) {
  if (!text) return null;
  return (
    <p className={className ? `own ${className}` : 'own'}>
      <bdi>{text}</bdi>
    </p>
  );
}

function LanguageMenu({ pageUrl, languages, words }: { pageUrl: string; languages: Language[]; words: Translations }) {
  const current = languages.find((language) => language.code === words.code);
  if (languages.length < 2 || !current) return null;
  return (
    <details className="languages">
      <summary>
        <Icon name="globe" />
        <span className="quiet">{words.t('footer.language')}: </span>
        {current.name}
      </summary>
      <ul>
        {languages.map(({ code, lang, name }) => (
          <li key={code}>
            <a
              href={withQuery(pageUrl, 'lang', code)}
              lang={lang}
              hrefLang={lang}
              aria-current={code === words.code ? 'true' : undefined}
            >
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

type FooterModel = Pick<PageShell, 'pageUrl' | 'languages' | 'legal' | 'texts'>;

/** The merchant's own line, the service's name, the links and the language menu. */
function Footer({ page, words }: PartProps<FooterModel>) {
  const [before = '', after = ''] = words.t('footer.by', { name: '\ue000' }).split('\ue000');
  return (
    <footer>
      <MerchantLine text={page.texts?.footer} />
      <p>
        <Icon name="florin" />
        <span>
          {before}
          <b>Florin</b>
          {after}
        </span>
      </p>
      <nav>
        {page.legal?.privacy ? <a href={page.legal.privacy}>{words.t('footer.privacy')}</a> : null}
        {page.legal?.terms ? (
          <a href={page.legal.terms}>
            <bdi>{page.texts?.terms ?? words.t('footer.terms')}</bdi>
          </a>
        ) : null}
        {page.legal?.support ? (
          <a href={`mailto:${page.legal.support}`}>
            <bdi>{page.legal.support}</bdi>
          </a>
        ) : null}
        <LanguageMenu pageUrl={page.pageUrl} languages={page.languages} words={words} />
      </nav>
    </footer>
  );
}

/** The sandbox's test bar: an outcome fills in its test card, by script or by a page with `test=<outcome>`. */
export function TestBarRegion(props: { bar?: TestBar; playUrl?: string; pageUrl: string; words: Translations }) {
  const { bar, playUrl, pageUrl, words } = props;
  const { t } = words;
  if (!bar && !playUrl) return null;
  const chosen = bar?.chosen ? t('sandbox.outcome', { outcome: t(`sandbox.${bar.chosen}`) }) : t('sandbox.next');
  return (
    <section className="test-bar" aria-label={t('sandbox.label')}>
      <div>
        <p>
          <b>{t('sandbox.label')}</b> {t('sandbox.text')}
        </p>
        {playUrl ? (
          <a href={playUrl} target="_blank" rel="noopener">
            {t('sandbox.play')}
          </a>
        ) : null}
        {bar && bar.outcomes.length > 0 ? (
          <details>
            <summary data-outcome={t('sandbox.outcome', { outcome: '{outcome}' })}>{chosen}</summary>
            <form method="get" action={pageUrl}>
              <fieldset>
                <legend>{t('sandbox.next')}</legend>
                {bar.outcomes.map(({ id, number, expiry, cvv }) => (
                  <label key={id}>
                    <input
                      type="radio"
                      name="test"
                      value={id}
                      defaultChecked={id === bar.chosen}
                      data-number={number}
                      data-expiry={expiry}
                      data-cvv={cvv}
                    />
                    <span>{t(`sandbox.${id}`)}</span>
                  </label>
                ))}
              </fieldset>
              <input type="hidden" name="lang" value={words.code} />
              <button type="submit">{t('sandbox.fill')}</button>
            </form>
          </details>
        ) : null}
      </div>
    </section>
  );
}

/** Pages in progress: summary and sheet side by side. */
export function TwoColumns({ page, words, coins, children }: PartProps & { coins?: Coins; children: ReactNode }) {
  return (
    <div className="shell">
      <Summary page={page} words={words} coins={coins} />
      <main>
        {children}
        {/* The page's only polite live region; the script fills it. */}
        <p className="quiet" role="status" />
      </main>
      <Footer page={page} words={words} />
    </div>
  );
}

/** Final states, and pages without a session: one column, the merchant above the sheet. */
export function OneColumn(props: PartProps<FooterModel & { merchant?: Merchant }> & { children: ReactNode }) {
  const { page, words } = props;
  return (
    <div className="shell end">
      {page.merchant ? (
        <header>
          <MerchantName merchant={page.merchant} />
        </header>
      ) : null}
      <main>{props.children}</main>
      <Footer page={page} words={words} />
    </div>
  );
}

/** A message in which some arguments are elements, such as a time or a name in bold. */
export function withNodes(
  words: Translations,
  key: string,
  nodes: Record<string, ReactNode>,
  values: MessageValues = {},
): ReactNode {
  const names = Object.keys(nodes);
  // Private-use characters replace the elements while the message is formatted.
  const marks = Object.fromEntries(names.map((name, place) => [name, String.fromCharCode(0xe000 + place)]));
  const text = words.t(key, { ...values, ...marks });
  return text.split(/([\ue000-\ue00f])/).map((piece, place) => {
    const name = names[piece.charCodeAt(0) - 0xe000];
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces keep their order
    return <Fragment key={place}>{piece.length === 1 && name ? nodes[name] : piece}</Fragment>;
  });
}

/** A time; `form` is the format in which the script shows it again in the payer's zone. */
export function Instant({ at, form, words }: { at: Date; form: 'dateTime' | 'time'; words: Translations }) {
  return (
    <time dateTime={at.toISOString()} data-form={form}>
      {words[form](at)}
    </time>
  );
}

/** An amount with small letter codes and full-size symbols. */
export function Amount({ text }: { text: AmountText }) {
  return (
    <bdi>
      {text.parts.map((part) =>
        part.kind === 'code' ? (
          <small key="code">{part.text}</small>
        ) : (
          <Fragment key={`${part.kind}${part.text}`}>{part.text}</Fragment>
        ),
      )}
    </bdi>
  );
}
