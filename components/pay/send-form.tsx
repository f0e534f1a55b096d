// Sends a receipt or payment data to the payer: to the known address by one press, else to one that the payer types.
import type { SendForm as Sending } from '../../lib/payer/contract.ts';
import { Field } from './field.tsx';
import { Icon } from './icons.tsx';
import { HiddenFields, type PartProps } from './shell.tsx';
import { latin, PostButton } from './step-parts.tsx';

const texts = {
  receipt: { to: 'receipt.emailTo', sent: 'receipt.emailSent' },
  reminder: { to: 'reminder.button', sent: 'reminder.sent' },
} as const;

type Props = PartProps & { send?: Sending; what: keyof typeof texts };

export function SendForm({ page, words, send, what }: Props) {
  const { t } = words;
  if (!send) return null;
  const sent = send.sentTo ? (
    // biome-ignore lint/a11y/noAutofocus: the answer to the payer's press is in view and read first
    <p className="help" tabIndex={-1} autoFocus>
      {t(texts[what].sent, { to: latin(send.sentTo) })}
    </p>
  ) : null;
  // Payment data is sent once; a receipt can go to another address too.
  if (sent && (send.to || what === 'reminder')) return <div className="send">{sent}</div>;
  if (send.to) {
    return (
      <div className="send">
        <PostButton page={page} words={words} url={send.url} className={what === 'receipt' ? 'plain' : 'outlined'}>
          {what === 'reminder' ? <Icon name="mail" /> : null}
          <span>{t(texts[what].to, { to: latin(send.to) })}</span>
        </PostButton>
      </div>
    );
  }
  return (
    <div className="send">
      {sent}
      <TypedAddress page={page} words={words} send={send} />
    </div>
  );
}

function TypedAddress({ page, words, send }: PartProps & { send: Sending }) {
  const { t } = words;
  const error = send.error && t(send.error.key, send.error.values);
  return (
    <details className="asked" open={error !== undefined}>
      <summary className="plain">{t('receipt.email')}</summary>
      <form method="post" action={send.url} noValidate>
        <HiddenFields page={page} words={words} />
        <Field
          name="email"
          prefix="receipt"
          words={words}
          value={send.typed}
          error={error}
          autoFocus={error !== undefined}
        />
        <button type="submit" className="outlined">
          {t('receipt.emailSend')}
        </button>
      </form>
    </details>
  );
}
