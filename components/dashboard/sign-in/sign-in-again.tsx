'use client';
// Signs the user in again over a form with unsaved changes, after the session has expired: the form and its values stay.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { OneTimeCode } from '../one-time-code';
import { useShell } from '../shell/context';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { errorText } from '../ui/error-text';
import { TextInput } from '../ui/fields';
import { FormRow } from '../ui/form';
import { onExpiredSession, request } from '../ui/request';

type Done = (signedIn: boolean) => void;

/** Listens for an expired session. Closing the dialog leads to the sign-in page. */
export function SignInAgain(): ReactNode {
  const [asking, setAsking] = useState<{ done: Done } | null>(null);
  useEffect(() => {
    onExpiredSession(() => new Promise((done) => setAsking({ done })));
    return () => onExpiredSession(null);
  }, []);
  const end = (signedIn: boolean) => {
    asking?.done(signedIn);
    setAsking(null);
  };
  return asking ? <SignInDialog end={end} /> : null;
}

function SignInDialog({ end }: { end: Done }) {
  const { person } = useShell();
  const [step, setStep] = useState<'password' | 'code'>('password');
  const [round, setRound] = useState(0);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | undefined>();
  const form = useRef<HTMLFormElement>(null);
  const send = async (path: string, body: object) => {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      const { next } = await request<{ next: string }>(path, { body, reads: true, signsIn: true });
      if (next.startsWith('/dashboard/sign-in/')) setStep('code');
      else end(true);
    } catch (thrown) {
      setError(errorText(thrown));
      setRound(round + 1);
    } finally {
      setBusy(false);
    }
  };
  const next = '/dashboard';
  return (
    <Dialog
      open
      onClose={() => end(false)}
      onConfirm={() => form.current?.requestSubmit()}
      title="Your session has expired"
      about="Sign in again to continue. Your changes on this page stay."
      foot={
        <>
          <span>{person.email}</span>
          {step === 'password' ? (
            <Button kind="primary" busy={busy} onClick={() => form.current?.requestSubmit()} keys="Ctrl ↵">
              Sign in
            </Button>
          ) : null}
        </>
      }
    >
      {step === 'password' ? (
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            const password = String(new FormData(event.currentTarget).get('password') ?? '');
            if (password === '') setError('Enter your password.');
            else void send('/sign-in', { email: person.email, password, next });
          }}
        >
          <FormRow stacked label="Password" name="password" error={error}>
            <TextInput type="password" name="password" autoComplete="current-password" />
          </FormRow>
        </form>
      ) : (
        <FormRow stacked label="Code from your authenticator app" name="code" error={error}>
          {({ id, describedBy, invalid }) => (
            <OneTimeCode
              id={id}
              autoFocus
              round={round}
              aria-describedby={describedBy}
              aria-invalid={invalid || undefined}
              onFilled={(code) => void send('/sign-in/code', { way: 'totp', code, next })}
            />
          )}
        </FormRow>
      )}
    </Dialog>
  );
}
