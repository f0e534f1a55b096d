'use client';
// The second step of the sign-in: the code of the authenticator in six boxes, or a recovery code. Plain forms, so that
// both work without script.
import { useEffect, useRef, useState } from 'react';
import { ErrorIcon } from '../../ui/icons';
import { OneTimeCode } from '../one-time-code';
import { errorText } from '../ui/error-text';
import { RequestFailed, request } from '../ui/request';
import styles from './sign-in.module.css';

type Props = {
  way: 'totp' | 'recovery';
  /** The page afterwards; a path of the dashboard. */
  next: string;
  /** The error of a form sent without script. */
  fault: string | null;
};

export function SecondFactorForm({ way, next, fault: before }: Props) {
  const [error, setError] = useState(before);
  const [busy, setBusy] = useState(false);
  const [round, setRound] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const send = async (code: string) => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      location.assign((await request<{ next: string }>('/sign-in/code', { body: { way, code, next } })).next);
    } catch (thrown) {
      setError(errorText(thrown));
      setBusy(false);
      setRound(round + 1);
      // Without a pending sign-in the form cannot continue.
      if (thrown instanceof RequestFailed && /^The sign-in took too long/.test(thrown.message)) {
        location.assign(`/dashboard/sign-in?${new URLSearchParams({ fault: 'gone', next })}`);
      }
      form.current?.querySelector<HTMLInputElement>('input[name=code]')?.focus();
    }
  };
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input[name=code]')?.focus(), []);
  const shared = {
    id: 'code',
    name: 'code',
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? 'code-fault' : 'code-help',
  } as const;
  return (
    <form
      ref={form}
      noValidate
      method="post"
      action="/dashboard/api/sign-in/code"
      className={styles.form}
      aria-label="Second step"
      onSubmit={(event) => {
        event.preventDefault();
        void send(String(new FormData(event.currentTarget).get('code') ?? ''));
      }}
    >
      <input type="hidden" name="next" value={next} />
      <input type="hidden" name="way" value={way} />
      <div>
        <label className="unseen" htmlFor="code">
          {way === 'totp' ? 'Code' : 'Recovery code'}
        </label>
        {way === 'totp' ? (
          <OneTimeCode {...shared} round={round} onFilled={send} />
        ) : (
          <input
            {...shared}
            key={round}
            type="text"
            className="input mono"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
        )}
        <div role="alert">
          {error ? (
            <p className="fault" id="code-fault">
              <ErrorIcon />
              {error}
            </p>
          ) : null}
        </div>
        {error ? null : (
          <p className={styles.help} id="code-help">
            {way === 'totp'
              ? 'Continues automatically after the last digit. A new code appears every 30 seconds.'
              : 'Ten characters, such as 7kq2m-x8h4w. Each code works once.'}
          </p>
        )}
      </div>
      <button
        type="submit"
        className={`button primary tall ${styles.submit} ${styles.whole}`}
        aria-busy={busy || undefined}
      >
        {busy ? 'Signing in' : 'Continue'}
      </button>
    </form>
  );
}
