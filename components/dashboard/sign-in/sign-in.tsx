'use client';
// The sign-in form. A plain form works without script; with script errors are shown at the fields without a new page.
import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useForm } from 'react-hook-form';
import { DashboardClient } from '../shell/client';
import { request } from '../ui/request';
import { PasswordField } from './password-field';
import styles from './sign-in.module.css';
import { TextField } from './text-field';

type Form = { email: string; password: string };

type Props = {
  /** The page afterwards; a path of the dashboard. */
  next: string;
  /** The error of a form sent without script. */
  fault: string | null;
};

export function SignInForm(props: Props) {
  return (
    <DashboardClient>
      <Fields {...props} />
    </DashboardClient>
  );
}

/** The form of an email address. */
export const emailRules = {
  required: 'Enter your email address.',
  pattern: { value: /^\S+@\S+\.\S+$/, message: 'Enter an email address such as name@example.com.' },
};

function Fields({ next, fault }: Props) {
  const { register, handleSubmit, formState, setFocus } = useForm<Form>({ mode: 'onSubmit' });
  const signIn = useMutation({
    mutationFn: (form: Form) => request<{ next: string }>('/sign-in', { body: { ...form, next } }),
    onSuccess: (answer) => location.assign(answer.next),
    onError: () => setFocus('password', { shouldSelect: true }),
  });
  const busy = signIn.isPending || signIn.isSuccess;
  const { email, password } = formState.errors;
  const refused = signIn.isError ? signIn.error.message : signIn.isIdle ? fault : null;
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
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        spellCheck={false}
        field={register('email', emailRules)}
        fault={email?.message ?? null}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        field={register('password', { required: 'Enter your password.' })}
        fault={password?.message ?? refused}
        aside={
          <Link href="/dashboard/sign-in/forgotten" prefetch={false}>
            Forgot password?
          </Link>
        }
      />
      <button type="submit" className={`button primary tall ${styles.submit}`} aria-busy={busy || undefined}>
        {busy ? 'Signing in' : 'Sign in'}
      </button>
    </form>
  );
}
