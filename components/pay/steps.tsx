// The states between the form and the end: the bank's frame, waiting, and the pages that lead on to a
// provider. The summary stays in place; only the sheet changes.
import type { Words } from '../../lib/core/words';
import { AlertBox } from './alert-box';
import { Glyph } from './glyphs';
import type { ChallengePage, ContinuePage, Frame, LinkTarget, RedirectingPage, WaitingPage } from './model';
import { HiddenFields, TwoColumns } from './shell';
import { isolated } from './text';

type Props<Page> = { page: Page; words: Words };

/** Leaves the current attempt for the list of ways to pay. */
function AnotherWay({ page, url, label, words }: { page: Frame; url: string; label: string; words: Words }) {
  return (
    <form method="post" action={url}>
      <HiddenFields page={page} words={words} />
      <button type="submit" className="plain">
        {label}
      </button>
    </form>
  );
}

/** The one polite live region of the page, which the script fills. */
function Status() {
  return <p className="quiet" role="status" />;
}

/** The bank's own window inside the page. */
export function ChallengeSheet({ page, words }: Props<ChallengePage>) {
  const { t } = words;
  return (
    <TwoColumns page={page} words={words}>
      <div className="head">
        <h2>{t('challenge.heading')}</h2>
        <p className="intro">{t('challenge.text', { merchant: isolated(page.merchant.name, words) })}</p>
      </div>
      <div className="frame">
        <iframe
          src={page.frameUrl}
          title={t('challenge.frame')}
          name="challenge"
          allow="payment *; publickey-credentials-get *"
        />
        <p hidden>{t('challenge.elsewhere')}</p>
      </div>
      <div className="below-frame">
        <AnotherWay page={page} url={page.abandonUrl} label={t('challenge.anotherWay')} words={words} />
        <a className="plain" href={page.frameUrl} target="_blank" rel="noopener" data-elsewhere="">
          {t('challenge.newWindow')}
        </a>
      </div>
      <Status />
    </TwoColumns>
  );
}

function CheckNow({ page, words, filled }: Props<Frame> & { filled?: boolean }) {
  return (
    <a className={filled ? 'filled' : 'outlined'} href={page.pageUrl}>
      {words.t('waiting.check')}
    </a>
  );
}

/** Nobody knows yet what became of the money: no form, no red, and a plain reload that asks again. */
function UnknownSheet({ page, words }: Props<WaitingPage>) {
  const { t } = words;
  // What nobody knows the end of cannot be given up, so there is no way back either.
  const fixed = { ...page, cancelUrl: undefined };
  return (
    <TwoColumns page={fixed} words={words}>
      <AlertBox kind="unknown" heading={t('waiting.unknown.heading')} text={t('waiting.unknown.text')} />
      <div className="step">
        <p className="line">
          <span className="ring" aria-hidden="true" />
          <span>{t('waiting.unknown.line')}</span>
        </p>
        <p className="help">{t('waiting.close', { merchant: isolated(page.merchant.name, words) })}</p>
        <CheckNow page={page} words={words} filled />
      </div>
      <Status />
    </TwoColumns>
  );
}

/** The payer confirms in an app. */
function ConfirmationSheet({ page, words }: Props<WaitingPage>) {
  const { t } = words;
  const text = page.sentTo
    ? t('waiting.confirmation.textTo', { to: `\u2066${page.sentTo}\u2069` })
    : t('waiting.confirmation.text');
  return (
    <TwoColumns page={page} words={words}>
      <div className="step">
        <span className="sign">
          <Glyph name="app" />
        </span>
        <h2 className="state">{t('waiting.confirmation.heading')}</h2>
        <p className="intro">{text}</p>
        <p className="line">
          <span className="ring" aria-hidden="true" />
          <span>{t('waiting.confirmation.line')}</span>
          <span className="left" role="timer" data-left={t('waiting.left', { time: '{time}' })} />
        </p>
        <p className="help">{t('waiting.confirmation.help')}</p>
        <p className="help">{t('waiting.close', { merchant: isolated(page.merchant.name, words) })}</p>
        <CheckNow page={page} words={words} />
        {page.abandonUrl ? (
          <AnotherWay page={page} url={page.abandonUrl} label={t('waiting.anotherWay')} words={words} />
        ) : null}
      </div>
      <Status />
    </TwoColumns>
  );
}

/** The sheet while an answer is awaited. */
export function WaitingSheet(props: Props<WaitingPage>) {
  return props.page.reason === 'unknown' ? <UnknownSheet {...props} /> : <ConfirmationSheet {...props} />;
}

type Action = { url: string; method: 'GET' | 'POST'; params: Record<string, string> };

/** A form that the script sends at once and that a press sends without script. */
export function ActionForm(props: { action: Action; target?: LinkTarget; label: string; auto: boolean }) {
  const { action } = props;
  return (
    <form
      method={action.method === 'POST' ? 'post' : 'get'}
      action={action.url}
      target={props.target}
      data-auto={props.auto ? '' : undefined}
    >
      {Object.entries(action.params).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" className="filled">
        <span>{props.label}</span>
      </button>
    </form>
  );
}

/** Leads on to a provider. A new window needs the payer's own press, so only the same window is automatic. */
export function RedirectingSheet({ page, words }: Props<RedirectingPage>) {
  const { t } = words;
  const heading = page.to ? t('redirecting.headingTo', { to: page.to }) : t('redirecting.heading');
  const stays = !page.target || page.target === '_self';
  return (
    <TwoColumns page={page} words={words}>
      <div className="step">
        <h2 className="state">{heading}</h2>
        <p className="intro">{t('redirecting.text')}</p>
        <ActionForm action={page.action} target={page.target} label={t('redirecting.button')} auto={stays} />
      </div>
      <Status />
    </TwoColumns>
  );
}

/** Out of a shop's frame: a press opens the next page where it may be shown. */
export function ContinueSheet({ page, words }: Props<ContinuePage>) {
  const { t } = words;
  return (
    <TwoColumns page={page} words={words}>
      <div className="step">
        <h2 className="state">{t('continue.heading')}</h2>
        <p className="intro">{t('continue.text', { merchant: isolated(page.merchant.name, words) })}</p>
        <a
          className="filled"
          href={page.url}
          target={page.target}
          rel={page.target === '_blank' ? 'noopener' : undefined}
        >
          <span>{t('continue.button')}</span>
        </a>
      </div>
      <Status />
    </TwoColumns>
  );
}
