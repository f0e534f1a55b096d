'use client';
// Signing in. The form is a plain one, so that it works before its script has come; with script the answer stands at the
// fields without a new page.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type UseFormRegisterReturn, useForm } from 'react-hook-form';
import { FaultSign } from '../ui/icons';
import { ask, DashboardClient } from './client';
import { Glyph } from './glyphs';
import styles from './sign-in.module.css';

type Form = { email: string; password: string };

type Props = {
  /** Where to go afterwards; an address of the dashboard. */
  next: string;
  /** What was wrong with a form that was sent without script. */
  fault: string | null;
};

export function SignInForm(props: Props) {
  return (
    <DashboardClient>
      <Fields {...props} />
    </DashboardClient>
  );
}

function Fields({ next, fault }: Props) {
  const { register, handleSubmit, formState, setFocus } = useForm<Form>({ mode: 'onSubmit' });
  const signIn = useMutation({
    mutationFn: (form: Form) => ask<{ next: string }>('/sign-in', { ...form, next }),
    onSuccess: (answer) => location.assign(answer.next),
    onError: () => setFocus('password', { shouldSelect: true }),
  });
  const busy = signIn.isPending || signIn.isSuccess;
  const { email, password } = formState.errors;
  const refused = signIn.isError ? signIn.error.message : signIn.isIdle ? fault : null;
  const wrong = password?.message ?? refused;
  return (
    <form
      noValidate
      method="post"
      action="/dashboard/api/sign-in"
      className={styles.form}
      aria-label="Sign in"
      onSubmit={handleSubmit((form) => {
        if (!busy) signIn.mutate(form);
      })}
    >
      <input type="hidden" name="next" value={next} />
      <div>
        <label className="label" htmlFor="email">
          E-mail
        </label>
        <input
          id="email"
          type="email"
          className="input"
          autoComplete="username"
          spellCheck={false}
          aria-invalid={email ? true : undefined}
          aria-describedby={email ? 'email-fault' : undefined}
          {...register('email', {
            required: 'Write your e-mail address.',
            pattern: { value: /^\S+@\S+\.\S+$/, message: 'An e-mail address looks like name@example.com.' },
          })}
        />
        {email ? (
          <p className="fault" id="email-fault">
            <FaultSign />
            {email.message}
          </p>
        ) : null}
      </div>
      <PasswordField field={register('password', { required: 'Write your password.' })} fault={wrong} />
      <button type="submit" className={`button primary tall ${styles.submit}`} aria-busy={busy || undefined}>
        {busy ? 'Signing in' : 'Sign in'}
      </button>
    </form>
  );
}

type PasswordProps = { field: UseFormRegisterReturn; fault: string | null };

function PasswordField({ field, fault }: PasswordProps) {
  const [seen, setSeen] = useState(false);
  return (
    <div>
      <label className="label" htmlFor="password">
        Password
      </label>
      <div className={styles.secret}>
        <input
          id="password"
          type={seen ? 'text' : 'password'}
          className="input"
          autoComplete="current-password"
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? 'password-fault' : undefined}
          {...field}
        />
        <button type="button" aria-pressed={seen} onClick={() => setSeen(!seen)} title={seen ? 'Hide' : 'Show'}>
          <Glyph name="eye" />
          <span className="unseen">Show the password</span>
        </button>
      </div>
      <div role="alert">
        {fault ? (
          <p className="fault" id="password-fault">
            <FaultSign />
            {fault}
          </p>
        ) : null}
      </div>
    </div>
  );
}
