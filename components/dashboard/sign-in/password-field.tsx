'use client';
// A password field that can show its value.
import { type ReactNode, useState } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { ErrorIcon } from '../../ui/icons';
import { Icon } from '../icons';
import styles from './sign-in.module.css';

type Props = {
  label: string;
  field: UseFormRegisterReturn;
  fault: string | null;
  autoComplete: 'current-password' | 'new-password';
  help?: string;
  /** To the right of the label. */
  aside?: ReactNode;
};

export function PasswordField({ label, field, fault, autoComplete, help, aside }: Props) {
  const [seen, setSeen] = useState(false);
  const id = field.name;
  const described = [help && !fault ? `${id}-help` : '', fault ? `${id}-fault` : ''].join(' ').trim();
  return (
    <div>
      <div className={styles.labelled}>
        <label className="label" htmlFor={id}>
          {label}
        </label>
        {aside}
      </div>
      <div className={styles.secret}>
        <input
          id={id}
          type={seen ? 'text' : 'password'}
          className="input"
          autoComplete={autoComplete}
          aria-invalid={fault ? true : undefined}
          aria-describedby={described || undefined}
          {...field}
        />
        <button type="button" aria-pressed={seen} onClick={() => setSeen(!seen)} title={seen ? 'Hide' : 'Show'}>
          <Icon name="eye" />
          <span className="unseen">Show password</span>
        </button>
      </div>
      {help && !fault ? (
        <p className={styles.help} id={`${id}-help`}>
          {help}
        </p>
      ) : null}
      <div role="alert">
        {fault ? (
          <p className="fault" id={`${id}-fault`}>
            <ErrorIcon />
            {fault}
          </p>
        ) : null}
      </div>
    </div>
  );
}
