// A code to scan: a scheme's payload, or the link that opens an app. A payer on a phone cannot scan the phone's own
// screen, so a phone shows another step than a desktop: the code as a picture, or the app's link.
import type { ReactNode } from 'react';
import { isolate } from '../../lib/core/bidi.ts';
import { CopyRow } from './copy-row.tsx';
import { Icon } from './icons.tsx';
import { TwoColumns } from './shell.tsx';
import { ByWidth, ChangeMethod, CodePlate, Foot, Head, PostButton, type StepProps, TimeLeft } from './step-parts.tsx';

/** Three numbered steps beside the code, and an alternative below. */
function Steps({ texts, children }: { texts: string[]; children?: ReactNode }) {
  return (
    <div className="steps wide">
      <ol>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ol>
      {children}
    </div>
  );
}

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

function PhoneActions(props: StepProps<'qr'>) {
  return (
    <div className="narrow actions">
      <a className="filled" href={props.page.step.saveUrl} download="">
        <Icon name="save" />
        <span>{props.words.t('qr.save')}</span>
      </a>
      <Renew {...props} className="outlined" />
    </div>
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
  return (
    <TwoColumns page={page} words={words}>
      <Head heading={<ByWidth {...heading} />} text={<ByWidth wide={t('qr.text')} phone={t('qr.textPhone')} />} />
      <div className="scan">
        <div className="scanned">
          <CodePlate code={step.code} past={step.expired} words={words}>
            {step.expired ? <Plaque {...props} /> : null}
          </CodePlate>
          {step.expired ? null : (
            <TimeLeft until={step.expiresAt} sentence={t('qr.left', { time: '{time}' })} words={words} />
          )}
        </div>
        <Steps texts={[isBank ? t('qr.open') : t('qr.openApp', { method }), t('qr.point'), t('qr.confirm')]} />
        {step.expired ? null : <PhoneActions {...props} />}
      </div>
      {step.copy && !step.expired ? (
        <dl className="copies">
          <CopyRow name={t('qr.copy')} value={step.copy} opaque words={words} />
        </dl>
      ) : null}
      <Foot page={page} words={words} text={step.expired ? t('qr.paid') : waiting} still={step.expired}>
        {step.expired ? null : (
          <div className="wide">
            <Renew {...props} className="plain" />
          </div>
        )}
        <ChangeMethod page={page} words={words} />
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
        text={<ByWidth wide={t('qr.text')} phone={t('app.textPhone')} />}
      />
      <div className="scan">
        <div className="scanned wide">
          <CodePlate code={step.code} words={words} />
          <TimeLeft until={step.expiresAt} sentence={left} words={words} />
        </div>
        <Steps texts={[t('app.scan'), t('app.opens'), t('qr.confirm')]}>
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
        <ChangeMethod page={page} words={words} />
      </Foot>
    </TwoColumns>
  );
}
