'use client';
// The button that asks for a passkey on the pages before the dashboard. Without script it is not shown, because a
// passkey needs one.
import { ErrorIcon } from '../../ui/icons.tsx';
import { useProof } from '../one-time-code.tsx';
import { askForPasskey, type PasskeyPurpose } from '../passkeys.ts';
import { Button, type ButtonKind } from '../ui/button.tsx';
import { request } from '../ui/request.ts';
import styles from './sign-in.module.css';

type Props = {
  purpose: PasskeyPurpose;
  action: '/sign-in/passkey' | '/sign-in/code' | '/unlock';
  /** The page afterwards; a path of the dashboard. */
  next: string;
  verb: string;
  kind?: ButtonKind;
};

export function PasskeyForm({ purpose, action, next, verb, kind }: Props) {
  const { error, busy, prove } = useProof(async () => {
    const passkey = await askForPasskey(purpose);
    const answer = await request<{ next: string }>(action, { body: { way: 'passkey', passkey, next }, reads: true });
    await new Promise(() => location.assign(answer.next));
  });
  return (
    <div className={styles.scripted}>
      <Button kind={kind} size="tall" icon="tokens" className={styles.submit} busy={busy} onClick={() => prove(null)}>
        {verb}
      </Button>
      <div role="alert">
        {error ? (
          <p className="fault">
            <ErrorIcon />
            {error}
          </p>
        ) : null}
      </div>
    </div>
  );
}
