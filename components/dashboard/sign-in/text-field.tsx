'use client';
// A text field with its error, for the pages before the dashboard.
import type { ComponentProps } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { ErrorIcon } from '../../ui/icons';

type Props = { label: string; field: UseFormRegisterReturn; fault: string | null } & Pick<
  ComponentProps<'input'>,
  'type' | 'autoComplete' | 'defaultValue' | 'readOnly' | 'spellCheck'
>;

export function TextField({ label, field, fault, ...input }: Props) {
  const id = field.name;
  return (
    <div>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="input"
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
        {...input}
        {...field}
      />
      {fault ? (
        <p role="alert" className="fault" id={`${id}-fault`}>
          <ErrorIcon />
          {fault}
        </p>
      ) : null}
    </div>
  );
}
