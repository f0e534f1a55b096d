'use client';
// Requests a password reset link. The answer is the same for every address.
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { DashboardClient } from '../shell/client';
import { request } from '../ui/request';
import { emailRules } from './sign-in';
import styles from './sign-in.module.css';
import { TextField } from './text-field';

type Props = {
  /** Whether a form sent without script was invalid. */
  fault: boolean;
  /** Whether a form sent without script was accepted. */
  sent: boolean;
};

export function ForgotPasswordForm(props: Props) {
  return (
    <DashboardClient>
      <Fields {...props} />
    </DashboardClient>
  );
}

function Fields({ fault, sent }: Props) {
  const { register, handleSubmit, formState } = useForm<{ email: string }>();
  const send = useMutation({ mutationFn: (body: { email: string }) => request('/password/forgotten', { body }) });
  if (sent || send.isSuccess) {
    return (
      <p className={styles.note} role="status">
        If an account with this email exists, we have sent a link to it. The link works once, within one hour.
      </p>
    );
  }
  const wrong = formState.errors.email?.message ?? (send.isError ? send.error.message : null);
  return (
    <form
      noValidate
      method="post"
      action="/dashboard/api/password/forgotten"
      className={styles.form}
      aria-label="Reset password"
      onSubmit={handleSubmit((form) => send.mutate(form))}
    >
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        spellCheck={false}
        field={register('email', emailRules)}
        fault={wrong ?? (fault && send.isIdle ? emailRules.pattern.message : null)}
      />
      <button type="submit" className={`button primary tall ${styles.submit}`} aria-busy={send.isPending || undefined}>
        Send link
      </button>
    </form>
  );
}
