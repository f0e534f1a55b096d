// Steps on the payer's phone or in their inbox: a request to confirm, a link to open, a one-time code to enter here.
// Each names the masked destination and gives help for a missing message.

import { isolate } from '../../lib/core/bidi';
import type { Translations } from '../../lib/core/translations';
import type { PresentPage, PresentStep, StepOf } from '../../lib/payer/contract';
import { Field } from './field';
import { HiddenFields, TwoColumns } from './shell';
import { ChangeMethod, CheckNow, IconHead, Status, TimeLeft, WaitingLine } from './step-parts';

type Props<Kind extends PresentStep['kind']> = { page: PresentPage; step: StepOf<Kind>; words: Translations };

/** A masked address inside a sentence: left to right in every language. */
const latin = (text: string): string => `\u2066${text.replaceAll(' ', '\u00a0')}\u2069`;

function CloseHelp({ page, words }: { page: PresentPage; words: Translations }) {
  return <p className="help">{words.t('waiting.close', { merchant: isolate(page.merchant.name, words) })}</p>;
}

/** The payer confirms in an app or on a phone. */
export function ConfirmSheet({ page, step, words }: Props<'confirm'>) {
  const { t } = words;
  const text = step.sentTo
    ? t('waiting.confirmation.textTo', { to: latin(step.sentTo) })
    : t('waiting.confirmation.text');
  return (
    <TwoColumns page={page} words={words}>
      <div className="step">
        <IconHead glyph="app" heading={t('waiting.confirmation.heading')} text={text} />
        <WaitingLine text={t('waiting.confirmation.line')} until={step.expiresAt} words={words} />
        <p className="help">{t('waiting.confirmation.help')}</p>
        <CloseHelp page={page} words={words} />
        <CheckNow page={page} words={words} />
        <ChangeMethod page={page} url={page.abandonUrl} words={words} />
      </div>
      <Status />
    </TwoColumns>
  );
}

/** A link was sent by email or SMS. */
export function MessageSheet({ page, step, words }: Props<'message'>) {
  const { t } = words;
  const isMail = step.channel === 'email';
  return (
    <TwoColumns page={page} words={words}>
      <div className="step">
        <IconHead
          glyph={isMail ? 'mail' : 'message'}
          heading={t(isMail ? 'message.headingEmail' : 'message.headingSms')}
          text={t('message.sent', { to: latin(step.to) })}
        />
        <WaitingLine text={t('present.line')} until={step.expiresAt} words={words} />
        <p className="help">{t(isMail ? 'message.helpEmail' : 'message.helpSms')}</p>
        <CloseHelp page={page} words={words} />
        <CheckNow page={page} words={words} />
        <ChangeMethod page={page} url={page.abandonUrl} words={words} />
      </div>
      <Status />
    </TwoColumns>
  );
}

/** The payer enters a one-time code here. */
export function OneTimeCodeSheet({ page, step, words }: Props<'code'>) {
  const { t } = words;
  const text = step.sentTo ? t('otp.textTo', { to: latin(step.sentTo) }) : t('otp.text');
  return (
    <TwoColumns page={page} words={words}>
      <div className="step">
        <IconHead glyph="message" heading={t('otp.heading')} text={text} />
        <form method="post" action={step.codeUrl} className="otp" data-otp="">
          <HiddenFields page={page} words={words} />
          <Field
            name="code"
            prefix="otp"
            words={words}
            hint={t('message.helpSms')}
            error={step.wrong ? t('error.code.wrong') : undefined}
            autoFocus
          />
          <TimeLeft until={step.expiresAt} sentence={t('qr.left', { time: '{time}' })} words={words} />
          <button type="submit" className="filled" data-empty={t('error.code.empty')}>
            <span className="ring" aria-hidden="true" />
            <span>{t('otp.button')}</span>
          </button>
        </form>
        <ChangeMethod page={page} url={page.abandonUrl} words={words} />
      </div>
      <Status />
    </TwoColumns>
  );
}
