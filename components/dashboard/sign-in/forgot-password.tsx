'use client';
// Asking for a link to a new password. What is said afterwards is the same for every address.
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { DashboardClient } from '../shell/client';
import { request } from '../ui/request';
import { emailRules } from './sign-in';
import styles from './sign-in.module.css';
import { TextField } from './text-field';

type Props = {
  /** Whether a form that was sent without script was wrong. */
  fault: boolean;
  /** Whether a form that was sent without script has arrived. */
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
        If somebody has an account with this e-mail, a link is on its way. It works once, within the hour.
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
      aria-label="New password"
      onSubmit={handleSubmit((form) => send.mutate(form))}
    >
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        spellCheck={false}
        field={register('email', emailRules)}
        fault={wrong ?? (fault && send.isIdle ? emailRules.pattern.message : null)}
      />
      <button type="submit" className={`button primary tall ${styles.submit}`} aria-busy={send.isPending || undefined}>
        Send the link
      </button>
    </form>
  );
}
