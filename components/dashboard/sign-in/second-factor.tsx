'use client';
// The second step of the sign-in: the code of the authenticator in six boxes, or a recovery code. Plain forms, so that
// both work without script.
import { useEffect, useRef } from 'react';
import { OneTimeCode, useProof } from '../one-time-code.tsx';
import { request } from '../ui/request.ts';
import { FormError } from './forms.tsx';
import styles from './sign-in.module.css';

type Props = {
  way: 'totp' | 'recovery';
  /** The page afterwards; a path of the dashboard. */
  next: string;
  /** The error of a form sent without script. */
  error: string | null;
};

export function SecondFactorForm({ way, next, error: before }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const { error, busy, round, prove } = useProof(async (code: string) => {
    const answer = await request<{ next: string }>('/sign-in/code', { body: { way, code, next } });
    await new Promise(() => location.assign(answer.next));
  }, before);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field has the focus again after a wrong code
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input[name=code]')?.focus(), [round]);
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
        void prove(String(new FormData(event.currentTarget).get('code') ?? ''));
      }}
    >
      <input type="hidden" name="next" value={next} />
      <input type="hidden" name="way" value={way} />
      <div>
        <label className="unseen" htmlFor="code">
          {way === 'totp' ? 'Code' : 'Recovery code'}
        </label>
        {way === 'totp' ? (
          <OneTimeCode {...shared} round={round} onFilled={prove} />
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
        <FormError id="code-fault" text={error} />
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
