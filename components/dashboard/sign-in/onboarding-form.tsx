'use client';
// Onboarding by a link: a name and a password for an invitation, or a new password only. Plain forms, so that both work
// without script.
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { DashboardClient } from '../shell/client';
import { RequestFailed, request } from '../ui/request';
import { PasswordField } from './password-field';
import styles from './sign-in.module.css';
import { TextField } from './text-field';

type Form = { name: string; password: string };

type Props = {
  token: string;
  /** The invited user; null for a password reset. */
  invited: { name: string; email: string } | null;
  email: string;
  /** The invalid field of a form sent without script. */
  fault: string | null;
};

export function OnboardingForm(props: Props) {
  return (
    <DashboardClient>
      <Fields {...props} />
    </DashboardClient>
  );
}

const withoutScript: Record<string, string> = {
  name: 'Enter your name.',
  password: 'Enter at least 12 characters, but not your email address.',
};

function Fields({ token, invited, email, fault }: Props) {
  const path = invited ? '/invitation' : '/password/reset';
  const { register, handleSubmit, formState } = useForm<Form>({ defaultValues: { name: invited?.name ?? '' } });
  const send = useMutation({
    mutationFn: ({ name, password }: Form) =>
      request<{ next: string }>(path, { body: { token, password, ...(invited && { name }) } }),
    onSuccess: ({ next }) => location.assign(next),
  });
  const busy = send.isPending || send.isSuccess;
  const refused = send.error instanceof RequestFailed ? send.error : null;
  const faultOf = (name: keyof Form) =>
    formState.errors[name]?.message ??
    refused?.fields[name] ??
    (send.isIdle && fault === name ? (withoutScript[name] ?? null) : null);
  const whole = refused && Object.keys(refused.fields).length === 0 ? refused.message : null;
  return (
    <form
      noValidate
      method="post"
      action={`/dashboard/api${path}`}
      className={styles.form}
      aria-label={invited ? 'Your account' : 'New password'}
      onSubmit={handleSubmit((form) => {
        if (!busy) send.mutate(form);
      })}
    >
      <input type="hidden" name="token" value={token} />
      {/* Password managers save the password under it. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      {invited ? (
        <TextField
          label="Your name"
          autoComplete="name"
          field={register('name', { required: 'Enter your name.' })}
          fault={faultOf('name')}
        />
      ) : null}
      <PasswordField
        label={invited ? 'Password' : 'New password'}
        autoComplete="new-password"
        field={register('password', { required: 'Enter a password.' })}
        fault={faultOf('password') ?? whole}
        help="At least 12 characters. A sentence is easier to remember than symbols."
      />
      <button type="submit" className={`button primary tall ${styles.submit}`} aria-busy={busy || undefined}>
        {invited ? 'Create account' : 'Set password'}
      </button>
    </form>
  );
}
