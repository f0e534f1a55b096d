// The screens of a payment that the payer completes elsewhere. A code to scan: a payer on a phone cannot scan the phone's
// own screen, so a phone shows the code as a picture or the app's link. Data to pay with: a typing mistake costs money,
// so every value has a copy button, and the decisive one a note. Steps on the payer's phone or in their inbox: each
// names the masked destination and gives help for a missing message.
import { isolate } from '../../lib/core/bidi.ts';
import type { PresentPage, StepOf } from '../../lib/payer/contract.ts';
import { Field } from './field.tsx';
import { Icon } from './icons.tsx';
import { SendForm } from './send-form.tsx';
import { HiddenFields, type PartProps, TwoColumns } from './shell.tsx';
import {
  AskedChange,
  ByWidth,
  ChangeMethod,
  CodePlate,
  CopyRow,
  Foot,
  Head,
  IconHead,
  Later,
  latin,
  Note,
  PostButton,
  type StepProps,
  Steps,
  TimeLeft,
  WaitingLine,
} from './step-parts.tsx';

/** Schemes that every bank's app reads; other codes belong to one app, the method's own. */
const ofBanks: readonly string[] = ['ips', 'pix', 'promptpay', 'qris', 'duitnow', 'qrph'];

function Renew({ page, words, className }: StepProps<'qr'> & { className: string }) {
  const { step } = page;
  if (!step.renewUrl) return null;
  return (
    <PostButton page={page} words={words} url={step.renewUrl} className={className}>
      <Icon name="renew" />
      <span>{words.t('qr.renew')}</span>
    </PostButton>
  );
}

function Plaque(props: StepProps<'qr'>) {
  return (
    <div className="plaque">
      <p>{props.words.t('qr.expired')}</p>
      <Renew {...props} className="filled" />
    </div>
  );
}

/** What most payers do with a code on the phone that shows it: Pix is pasted, UPI opens an app, others are saved. */
function phoneWayOf({ scheme, copy }: StepOf<'qr'>): 'paste' | 'open' | 'save' {
  if (copy === undefined) return 'save';
  return scheme === 'upi' && /^upi:/i.test(copy) ? 'open' : 'paste';
}

const phoneTexts = { paste: 'qr.textPaste', open: 'app.textPhone', save: 'qr.textPhone' };

function PhoneActions(props: StepProps<'qr'>) {
  const { page, words } = props;
  const { step } = page;
  return (
    <div className="narrow actions">
      <a className={phoneWayOf(step) === 'save' ? 'filled' : 'outlined'} href={step.saveUrl} download="">
        <Icon name="save" />
        <span>{words.t('qr.save')}</span>
      </a>
      <Renew {...props} className="outlined" />
    </div>
  );
}

/** The code as text, under the name that its payers know. */
function PaymentCode({ page, words }: StepProps<'qr'>) {
  const { scheme, copy, expired } = page.step;
  if (copy === undefined || expired) return null;
  const name = scheme === 'pix' ? 'Pix Copia e Cola' : words.t('qr.copy');
  const way = phoneWayOf(page.step);
  return (
    <>
      {way === 'open' ? (
        <div className="narrow actions">
          <a className="filled" href={copy}>
            <span>{words.t('app.open', { method: isolate(page.method, words) })}</span>
          </a>
        </div>
      ) : null}
      <dl className="copies">
        <CopyRow
          name={name}
          value={copy}
          opaque
          main={way === 'paste' ? words.t('qr.copyCode') : undefined}
          words={words}
        />
      </dl>
    </>
  );
}

/** A scheme's code with its remaining time, and a button for a new one. */
export function QrSheet(props: StepProps<'qr'>) {
  const { page, words } = props;
  const { step } = page;
  const { t } = words;
  const method = isolate(page.method, words);
  const isBank = ofBanks.includes(step.scheme);
  const heading = isBank
    ? { wide: t('qr.heading'), phone: t('qr.headingPhone') }
    : { wide: t('qr.headingApp', { method }), phone: t('qr.headingPhoneApp', { method }) };
  const waiting = isBank ? t('waiting.unknown.line') : t('waiting.unknown.lineMethod', { method });
  const phone = t(phoneTexts[phoneWayOf(step)]);
  return (
    <TwoColumns page={page} words={words}>
      <Head heading={<ByWidth {...heading} />} text={<ByWidth wide={t('qr.text')} phone={phone} />} />
      <div className="copy-or-scan">
        <PaymentCode {...props} />
        <div className="scan">
          <div className="scanned">
            <CodePlate code={step.code} past={step.expired} words={words}>
              {step.expired ? <Plaque {...props} /> : null}
            </CodePlate>
            {step.expired ? null : (
              <TimeLeft until={step.expiresAt} sentence={t('qr.left', { time: '{time}' })} words={words} />
            )}
          </div>
          <Steps
            className="wide"
            texts={[isBank ? t('qr.open') : t('qr.openApp', { method }), t('qr.point'), t('qr.confirm')]}
          />
          {step.expired ? null : <PhoneActions {...props} />}
        </div>
      </div>
      <Foot page={page} words={words} text={step.expired ? t('qr.paid') : waiting} still={step.expired}>
        {step.expired ? null : (
          <div className="wide">
            <Renew {...props} className="plain" />
          </div>
        )}
        <AskedChange page={page} words={words} />
      </Foot>
    </TwoColumns>
  );
}

/** A link into an app: a button on the device with the app, and a code for a phone beside a desktop. */
export function AppSheet({ page, words }: StepProps<'app'>) {
  const { step } = page;
  const { t } = words;
  const method = isolate(page.method, words);
  const left = t('qr.left', { time: '{time}' });
  return (
    <TwoColumns page={page} words={words}>
      <Head
        heading={t('qr.headingPhoneApp', { method })}
        text={step.code ? <ByWidth wide={t('qr.text')} phone={t('app.textPhone')} /> : t('app.textPhone')}
      />
      <div className="scan">
        <div className="scanned wide">
          {step.code && <CodePlate code={step.code} words={words} />}
          <TimeLeft until={step.expiresAt} sentence={left} words={words} />
        </div>
        <Steps className="wide" texts={[...(step.code ? [t('app.scan')] : []), t('app.opens'), t('qr.confirm')]}>
          <a className="plain" href={step.url}>
            {t('app.here')}
          </a>
        </Steps>
        <div className="narrow actions">
          <a className="filled" href={step.url}>
            <span>{t('app.open', { method })}</span>
          </a>
          <TimeLeft until={step.expiresAt} sentence={t('waiting.left', { time: '{time}' })} words={words} />
        </div>
      </div>
      <Foot page={page} words={words} text={t('waiting.unknown.lineMethod', { method })}>
        <AskedChange page={page} words={words} />
      </Foot>
    </TwoColumns>
  );
}

/** A coin's address. The amount in coins is the main amount, and the price is a fact below it. */
export function CryptoSheet({ page, words }: StepProps<'crypto'>) {
  const { step } = page;
  const { t } = words;
  const { amount, currency, memo } = step;
  const coins = amount ? { amount, currency } : undefined;
  const network = isolate(step.network, words);
  const sentence = t(amount ? 'crypto.left' : 'crypto.leftAddress', { time: '{time}' });
  return (
    <TwoColumns page={page} words={words} coins={coins}>
      <Head heading={t('crypto.heading', { currency, network })} text={t(amount ? 'crypto.text' : 'crypto.textAny')} />
      <div className="copy-or-scan">
        <dl className="copies">
          {amount ? (
            <CopyRow name={t('crypto.amount')} value={amount} shown={`${amount} ${currency}`} decisive words={words} />
          ) : null}
          <CopyRow name={t('crypto.address', { network })} value={step.address} address words={words} />
          {memo ? <CopyRow name={t('details.memo')} value={memo} decisive words={words} /> : null}
        </dl>
        <div className="scan single">
          <CodePlate code={step.code} small words={words} />
          <TimeLeft until={step.expiresAt} sentence={sentence} words={words} />
        </div>
      </div>
      <div className="step tight">
        <Note
          first={t('crypto.note', { currency, network })}
          rest={memo ? `${t('crypto.noteMore')} ${t('crypto.noteMemo')}` : t('crypto.noteMore')}
        />
        <SendForm page={page} words={words} send={page.reminder} what="reminder" />
        <Later page={page} words={words} line={t('crypto.line')} />
        <AskedChange page={page} words={words} />
      </div>
    </TwoColumns>
  );
}

type ElsewhereProps = PartProps<PresentPage> & Parameters<typeof IconHead>[0] & { line: string; help: string };

/** A step that the payer takes on another device or in another app. */
function ElsewhereSheet({ page, words, line, help, ...head }: ElsewhereProps) {
  return (
    <TwoColumns page={page} words={words}>
      <div className="step">
        <IconHead {...head} />
        <WaitingLine text={line} until={page.step.expiresAt} words={words} />
        <p className="help">{help}</p>
        <Later page={page} words={words} />
        <AskedChange page={page} words={words} />
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
