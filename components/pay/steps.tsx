// The states between the form and the end: the bank's frame, waiting, and the pages that lead to a provider. The
// summary stays in place; only the sheet changes.

import type { ReactNode } from 'react';
import { isolate } from '../../lib/core/bidi.ts';
import type { NextAction } from '../../lib/core/provider-data.ts';
import type { LinkTarget } from '../../lib/payer/contract.ts';
import { type SheetProps, TwoColumns } from './shell.tsx';
import { AlertBox, AskedChange, ChangeMethod, Head, Later } from './step-parts.tsx';

/** The bank's page in a frame. */
export function ChallengeSheet({ page, words }: SheetProps<'challenge'>) {
  const { t } = words;
  return (
    <TwoColumns page={page} words={words}>
      <Head
        heading={t('challenge.heading')}
        text={t('challenge.text', { merchant: isolate(page.merchant.name, words) })}
      />
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
        <ChangeMethod page={page} words={words} label={page.cardOnly ? 'pay.headingAnotherCard' : undefined} />
        <a className="plain" href={page.frameUrl} target="_blank" rel="noopener" data-elsewhere="">
          {t('challenge.newWindow')}
        </a>
      </div>
    </TwoColumns>
  );
}

/** The outcome is unknown: no form, no red, and a plain reload that polls the provider. */
export function WaitingSheet({ page, words }: SheetProps<'waiting'>) {
  const { t } = words;
  const method = page.method && isolate(page.method, words);
  return (
    <TwoColumns page={page} words={words}>
      <AlertBox
        kind="unknown"
        heading={method ? t('waiting.unknown.headingMethod', { method }) : t('waiting.unknown.heading')}
        text={t(method ? 'waiting.unknown.textMethod' : 'waiting.unknown.text')}
      />
      <div className="step">
        <Later
          page={page}
          words={words}
          line={method ? t('waiting.unknown.lineMethod', { method }) : t('waiting.unknown.line')}
          filled={!method}
        />
        {/* A payer who returns from a method's page knows whether they paid there; a card's bank may still charge. */}
        {method ? <AskedChange page={page} words={words} /> : null}
      </div>
    </TwoColumns>
  );
}

/** A form that the script submits at once; without script the payer presses its button. */
export function ActionForm(props: { action: NextAction; target?: LinkTarget; label: string; auto: boolean }) {
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

/**
 * Leads to a provider, by itself in the same window after the payer's choice. A payer who comes back finds the way on, and
 * to another method.
 */
export function RedirectingSheet({ page, words }: SheetProps<'redirecting'>) {
  const { t } = words;
  const heading = page.to ? t('redirecting.headingTo', { to: page.to }) : t('redirecting.heading');
  const isAuto = page.auto && (!page.target || page.target === '_self');
  return (
    <TwoColumns page={page} words={words}>
      <div className="step">
        <h2 className="state">{heading}</h2>
        <p className="intro">{t('redirecting.text')}</p>
        <ActionForm action={page.action} target={page.target} label={t('redirecting.button')} auto={isAuto} />
        <AskedChange page={page} words={words} />
      </div>
    </TwoColumns>
  );
}

/** Leaves a shop's frame: the button opens the next page in a window that may show it. */
export function ContinueSheet({ page, words }: SheetProps<'continue'>) {
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
    </TwoColumns>
  );
}

function BareFrame({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <main className="bare">
      <h1 className="line">
        <span className="ring" aria-hidden="true" />
        <span>{heading}</span>
      </h1>
      {children}
    </main>
  );
}

/** Inside the challenge frame: sends the browser to the card's bank, by the script or by the button. */
export function FrameLeave({ page, words }: SheetProps<'frameLeave'>) {
  const { t } = words;
  return (
    <BareFrame heading={t('challenge.loading')}>
      <ActionForm action={page.action} label={t('challenge.continue')} auto />
    </BareFrame>
  );
}

/** Inside the challenge frame after the bank's return: reloads the page around the frame, by the script or the link. */
export function FrameReturn({ page, words }: SheetProps<'frameReturn'>) {
  return (
    <BareFrame heading={words.t('challenge.returned')}>
      <a className="filled" href={page.pageUrl} target="_parent">
        <span>{words.t('continue.button')}</span>
      </a>
    </BareFrame>
  );
}
