// Steps on the payer's phone or in their inbox: a request to confirm, a link to open, a one-time code to enter here.
// Each names the masked destination and gives help for a missing message.

import type { PresentPage } from '../../lib/payer/contract.ts';
import { Field } from './field.tsx';
import { HiddenFields, type PartProps, TwoColumns } from './shell.tsx';
import { ChangeMethod, CheckNow, CloseHelp, IconHead, type StepProps, TimeLeft, WaitingLine } from './step-parts.tsx';

/** A masked address inside a sentence: left to right in every language. */
const latin = (text: string): string => `\u2066${text.replaceAll(' ', '\u00a0')}\u2069`;

type ElsewhereProps = PartProps<PresentPage> & Parameters<typeof IconHead>[0] & { line: string; help: string };

/** A step that the payer takes on another device or in another app. */
function ElsewhereSheet({ page, words, line, help, ...head }: ElsewhereProps) {
  return (
    <TwoColumns page={page} words={words}>
      <div className="step">
        <IconHead {...head} />
        <WaitingLine text={line} until={page.step.expiresAt} words={words} />
        <p className="help">{help}</p>
        <CloseHelp page={page} words={words} />
        <CheckNow page={page} words={words} />
        <ChangeMethod page={page} words={words} />
      </div>
    </TwoColumns>
  );
}

/** The payer confirms in an app or on a phone. */
export function ConfirmSheet({ page, words }: StepProps<'confirm'>) {
  const { t } = words;
  const { sentTo } = page.step;
  return (
    <ElsewhereSheet
      page={page}
      words={words}
      glyph="app"
      heading={t('waiting.confirmation.heading')}
      text={sentTo ? t('waiting.confirmation.textTo', { to: latin(sentTo) }) : t('waiting.confirmation.text')}
      line={t('waiting.confirmation.line')}
      help={t('waiting.confirmation.help')}
    />
  );
}

/** A link was sent by email or SMS. */
export function MessageSheet({ page, words }: StepProps<'message'>) {
  const { t } = words;
  const isMail = page.step.channel === 'email';
  return (
    <ElsewhereSheet
      page={page}
      words={words}
      glyph={isMail ? 'mail' : 'message'}
      heading={t(isMail ? 'message.headingEmail' : 'message.headingSms')}
      text={t('message.sent', { to: latin(page.step.to) })}
      line={t('present.line')}
      help={t(isMail ? 'message.helpEmail' : 'message.helpSms')}
    />
  );
}

/** The payer enters a one-time code here. */
export function OneTimeCodeSheet({ page, words }: StepProps<'code'>) {
  const { step } = page;
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
        <ChangeMethod page={page} words={words} />
      </div>
    </TwoColumns>
  );
}
