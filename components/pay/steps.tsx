// The states between the form and the end: the bank's frame, waiting, and the pages that lead to a provider. The
// summary stays in place; only the sheet changes.

import { isolate } from '../../lib/core/bidi';
import type { Translations } from '../../lib/core/translations';
import type { ChallengePage, ContinuePage, LinkTarget, RedirectingPage, WaitingPage } from '../../lib/payer/contract';
import { AlertBox } from './alert-box';
import { TwoColumns } from './shell';
import { ChangeMethod, CheckNow, Status } from './step-parts';

type Props<Page> = { page: Page; words: Translations };

/** The bank's page in a frame. */
export function ChallengeSheet({ page, words }: Props<ChallengePage>) {
  const { t } = words;
  return (
    <TwoColumns page={page} words={words}>
      <div className="head">
        <h2>{t('challenge.heading')}</h2>
        <p className="intro">{t('challenge.text', { merchant: isolate(page.merchant.name, words) })}</p>
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
        <ChangeMethod page={page} url={page.abandonUrl} words={words} />
        <a className="plain" href={page.frameUrl} target="_blank" rel="noopener" data-elsewhere="">
          {t('challenge.newWindow')}
        </a>
      </div>
      <Status />
    </TwoColumns>
  );
}

/** The outcome is unknown: no form, no red, and a plain reload that polls the provider. */
export function WaitingSheet({ page, words }: Props<WaitingPage>) {
  const { t } = words;
  const method = page.method && isolate(page.method, words);
  // An attempt with an unknown outcome cannot be cancelled, so there is no link back either.
  const fixed = { ...page, cancelUrl: undefined };
  return (
    <TwoColumns page={fixed} words={words}>
      <AlertBox
        kind="unknown"
        heading={method ? t('waiting.unknown.headingMethod', { method }) : t('waiting.unknown.heading')}
        text={t(method ? 'waiting.unknown.textMethod' : 'waiting.unknown.text')}
      />
      <div className="step">
        <p className="line">
          <span className="ring" aria-hidden="true" />
          <span>{method ? t('waiting.unknown.lineMethod', { method }) : t('waiting.unknown.line')}</span>
        </p>
        <p className="help">{t('waiting.close', { merchant: isolate(page.merchant.name, words) })}</p>
        <CheckNow page={page} words={words} filled />
        {/* A payer who returns from a method's page knows whether they paid there; a card's bank may still charge. */}
        {method ? <ChangeMethod page={page} url={page.abandonUrl} words={words} /> : null}
      </div>
      <Status />
    </TwoColumns>
  );
}

type Action = { url: string; method: 'GET' | 'POST'; params: Record<string, string> };

/** A form that the script submits at once; without script the payer presses its button. */
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

/** Leads to a provider. A new window requires a click, so only the same window is automatic. */
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

/** Leaves a shop's frame: the button opens the next page in a window that may show it. */
export function ContinueSheet({ page, words }: Props<ContinuePage>) {
  const { t } = words;
  return (
    <TwoColumns page={page} words={words}>
      <div className="step">
        <h2 className="state">{t('continue.heading')}</h2>
        <p className="intro">{t('continue.text', { merchant: isolate(page.merchant.name, words) })}</p>
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
