'use client';
// The forms before the dashboard: sign-in, its second step, password reset and invitation. Plain forms, so that they
// work without script; with script errors are shown at the fields without a new page.
import Link from 'next/link';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { type RegisterOptions, type UseFormRegisterReturn, useForm } from 'react-hook-form';
import { ErrorIcon } from '../../ui/icons.tsx';
import { Icon } from '../icons.tsx';
import { OneTimeCode, useProof } from '../one-time-code.tsx';
import { RequestFailed, request } from '../ui/request.ts';
import styles from './sign-in.module.css';

type Values = Record<string, string>;

type Field = Pick<ComponentProps<'input'>, 'type' | 'autoComplete' | 'spellCheck' | 'defaultValue'> & {
  name: string;
  label: string;
  rules: RegisterOptions<Values>;
  help?: string;
  aside?: ReactNode;
};

type Props = {
  label: string;
  /** Under /dashboard/api. */
  action: string;
  hidden?: Values;
  fields: Field[];
  verb: string;
  busyVerb?: string;
  /** The errors of a form sent without script, by field. */
  errors: Record<string, string | null | undefined>;
  /** Replaces the form when it was accepted, if the answer names no next page. */
  done?: ReactNode;
  children?: ReactNode;
};

function PlainForm({ label, action, hidden = {}, fields, verb, busyVerb = verb, errors, done, children }: Props) {
  const { register, handleSubmit, formState, setFocus } = useForm<Values>();
  const [state, setState] = useState<'first' | 'busy' | 'done' | RequestFailed>('first');
  const busy = state === 'busy' || state === 'done';
  const refused = state instanceof RequestFailed ? state : null;
  const last = fields.at(-1)?.name ?? '';
  const send = async (values: Values) => {
    if (busy) return;
    setState('busy');
    try {
      const { next } = await request<{ next?: string }>(action, { body: { ...hidden, ...values } });
      setState('done');
      if (next) location.assign(next);
    } catch (thrown) {
      if (!(thrown instanceof RequestFailed)) throw thrown;
      setState(thrown);
      setFocus(fields.find(({ name }) => thrown.fields[name])?.name ?? last, { shouldSelect: true });
    }
  };
  if (state === 'done' && done) return done;
  const errorOf = (name: string) => {
    const whole = refused && name === last && Object.keys(refused.fields).length === 0 ? refused.message : null;
    const before = state === 'first' ? errors[name] : null;
    return formState.errors[name]?.message ?? refused?.fields[name] ?? whole ?? before ?? null;
  };
  return (
    <form
      noValidate
      method="post"
      action={`/dashboard/api${action}`}
      className={styles.form}
      aria-label={label}
      onSubmit={handleSubmit(send)}
    >
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      {fields.map(({ rules, ...field }) => (
        <FieldRow key={field.name} {...field} bound={register(field.name, rules)} error={errorOf(field.name)} />
      ))}
      <button type="submit" className={`button primary tall ${styles.submit}`} aria-busy={busy || undefined}>
        {busy ? busyVerb : verb}
      </button>
    </form>
  );
}

type RowProps = Omit<Field, 'rules'> & { bound: UseFormRegisterReturn; error: string | null };

/** A field with its error; a password can show its value. */
function FieldRow({ name: id, label, type, help, aside, bound, error, ...input }: RowProps) {
  const [seen, setSeen] = useState(false);
  const isSecret = type === 'password';
  const control = (
    <input
      id={id}
      type={isSecret && seen ? 'text' : type}
      className="input"
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-fault` : help && `${id}-help`}
      {...input}
      {...bound}
    />
  );
  return (
    <div>
      <div className={styles.labelled}>
        <label className="label" htmlFor={id}>
          {label}
        </label>
        {aside}
      </div>
      {isSecret ? (
        <div className={styles.secret}>
          {control}
          <button type="button" aria-pressed={seen} onClick={() => setSeen(!seen)} title={seen ? 'Hide' : 'Show'}>
            <Icon name="eye" />
            <span className="unseen">Show password</span>
          </button>
        </div>
      ) : (
        control
      )}
      {help && !error ? (
        <p className={styles.help} id={`${id}-help`}>
          {help}
        </p>
      ) : null}
      {error || isSecret ? <FormError id={`${id}-fault`} text={error} /> : null}
    </div>
  );
}

/** The error of a field; screen readers read it when it appears. */
function FormError({ id, text }: { id: string; text: string | null }) {
  return (
    <div role="alert">
      {text ? (
        <p className="fault" id={id}>
          <ErrorIcon />
          {text}
        </p>
      ) : null}
    </div>
  );
}

const emailFormat = 'Enter an email address such as name@example.com.';

const email: Field = {
  name: 'email',
  label: 'Email',
  type: 'email',
  autoComplete: 'username',
  spellCheck: false,
  rules: { required: 'Enter your email address.', pattern: { value: /^\S+@\S+\.\S+$/, message: emailFormat } },
};

const password: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autoComplete: 'current-password',
  rules: { required: 'Enter your password.' },
  aside: (
    <Link href="/dashboard/sign-in/forgotten" prefetch={false}>
      Forgot password?
    </Link>
  ),
};

/** `next` is the page afterwards, a path of the dashboard; `error` that of a form sent without script. */
export function SignInForm({ next, error }: { next: string; error: string | null }) {
  // The filters of lists can contain payers' data; whatever ended the session leads here.
  useEffect(() => sessionStorage.clear(), []);
  return (
    <PlainForm
      label="Sign in"
      action="/sign-in"
      hidden={{ next }}
      fields={[email, password]}
      verb="Sign in"
      busyVerb="Signing in"
      errors={{ password: error }}
    />
  );
}

/** Requests a password reset link. A form sent without script was `invalid`, or accepted and `sent`. */
export function ForgotPasswordForm({ invalid, sent }: { invalid: boolean; sent: boolean }) {
  // The answer is the same for every address.
  const done = (
    <p className={styles.note} role="status">
      If an account with this email exists, we have sent a link to it. The link works once, within one hour.
    </p>
  );
  if (sent) return done;
  return (
    <PlainForm
      label="Reset password"
      action="/password/forgotten"
      fields={[email]}
      verb="Send link"
      errors={{ email: invalid ? emailFormat : null }}
      done={done}
    />
  );
}

const tooWeak =
  'Enter at least 12 characters with a letter and a digit, not easy to guess, and none of your last four passwords.';

type OnboardingProps = {
  token: string;
  /** The invited user's name; null for a password reset. */
  name: string | null;
  email: string;
  /** The invalid field of a form sent without script. */
  invalid: string | null;
};

/** Onboarding by a link: a name and a password for an invitation, or a new password only. */
export function OnboardingForm({ token, name, email: address, invalid }: OnboardingProps) {
  const invited = name !== null;
  const password: Field = {
    name: 'password',
    label: invited ? 'Password' : 'New password',
    type: 'password',
    autoComplete: 'new-password',
    rules: { required: 'Enter a password.' },
    help: 'At least 12 characters, with a digit. Several words are easier to remember than symbols.',
  };
  const ownName: Field = {
    name: 'name',
    label: 'Your name',
    autoComplete: 'name',
    defaultValue: name ?? '',
    rules: { required: 'Enter your name.' },
  };
  return (
    <PlainForm
      label={invited ? 'Your account' : 'New password'}
      action={invited ? '/invitation' : '/password/reset'}
      hidden={{ token }}
      fields={invited ? [ownName, password] : [password]}
      verb={invited ? 'Create account' : 'Set password'}
      errors={{
        name: invalid === 'name' ? 'Enter your name.' : null,
        password: invalid === 'password' ? tooWeak : null,
      }}
    >
      {/* Password managers save the password under it. */}
      <input type="hidden" name="username" autoComplete="username" value={address} />
    </PlainForm>
  );
}

/** Unlocks the session of a user without a second factor. */
export function UnlockForm({ next, error }: { next: string; error: string | null }) {
  return (
    <PlainForm
      label="Unlock"
      action="/unlock"
      hidden={{ next }}
      fields={[password]}
      verb="Unlock"
      busyVerb="Unlocking"
      errors={{ password: error }}
    />
  );
}

type SecondFactorProps = {
  way: 'totp' | 'recovery';
  /** What the code does: completes a sign-in (the default), or unlocks a session. */
  action?: '/sign-in/code' | '/unlock';
  /** The page afterwards; a path of the dashboard. */
  next: string;
  error: string | null;
};

export function SecondFactorForm({ way, action = '/sign-in/code', next, error: before }: SecondFactorProps) {
  const form = useRef<HTMLFormElement>(null);
  const { error, busy, round, prove } = useProof(async (code: string) => {
    const answer = await request<{ next: string }>(action, { body: { way, code, next } });
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
      action={`/dashboard/api${action}`}
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
