'use client';
// Form controls. Each accepts the result of react-hook-form's `register`, and its ids from its row.
import clsx from 'clsx';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import type { Option } from '../../../lib/dashboard/lists/contract.ts';
import { Icon } from '../icons.tsx';
import { Button } from './button.tsx';
import { useRow } from './form.tsx';

const box =
  'w-full rounded-control border border-solid border-field bg-raised text-sm text-ink placeholder:text-ink3 placeholder:opacity-100 field-focus disabled:border-line2 disabled:bg-sub disabled:text-off aria-invalid:border-bad phone:text-[16px]';

/** The props that a control has from its row. */
export function useControl() {
  const row = useRow();
  return row
    ? { id: row.id, 'aria-describedby': row.describedBy, 'aria-invalid': row.invalid || undefined }
    : undefined;
}

type TextProps = Omit<ComponentProps<'input'>, 'size'> & {
  /** For contract names and identifiers. */
  mono?: boolean;
  /** Inside the field at the right: a currency, `seconds`. */
  unit?: ReactNode;
  /** Narrower than the row: about 12 or 24 characters. */
  size?: 'short' | 'middle' | 'full';
};

const widths = { short: 'max-w-[154px]', middle: 'max-w-[254px]', full: '' };

export function TextInput({ mono, unit, size = 'full', className, ...rest }: TextProps) {
  const control = useControl();
  return (
    <span className={clsx('relative block', widths[size])}>
      <input
        type="text"
        autoComplete="off"
        spellCheck={false}
        {...control}
        {...rest}
        className={clsx(
          box,
          'h-8 px-2.5 read-only:bg-sub phone:h-11',
          mono && 'font-mono text-xs',
          unit && 'pr-16',
          className,
        )}
      />
      {unit ? (
        <span className="pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-ink3">{unit}</span>
      ) : null}
    </span>
  );
}

/** An input with its label at its left, for small windows. */
export function InlineInput({ label, className, ...rest }: { label: string } & ComponentProps<'input'>) {
  return (
    <label className="grid grid-cols-[72px_1fr] items-center gap-2 text-ink2">
      {label}
      <input
        autoComplete="off"
        spellCheck={false}
        {...rest}
        className={clsx(
          'h-8 rounded-control border border-solid border-field bg-raised px-2.5 text-ink field-focus phone:h-11 phone:text-[16px]',
          className,
        )}
      />
    </label>
  );
}

/** Whole numbers, for counts and seconds; amounts are TextInputs with a currency as unit. */
export function NumberInput(props: TextProps) {
  return <TextInput inputMode="numeric" size="short" {...props} className={clsx('figures', props.className)} />;
}

export function TextArea({ mono, className, ...rest }: ComponentProps<'textarea'> & { mono?: boolean }) {
  const control = useControl();
  return (
    <textarea
      rows={3}
      spellCheck={false}
      {...control}
      {...rest}
      className={clsx(box, 'block px-2.5 py-1.5 leading-5 read-only:bg-sub', mono && 'font-mono text-xs', className)}
    />
  );
}

export type { Option };

type SelectProps = Omit<ComponentProps<'select'>, 'size'> & {
  options: readonly Option[];
  mono?: boolean;
  size?: 'short' | 'middle' | 'full';
};

export function Select({ options, mono, size = 'middle', className, ...rest }: SelectProps) {
  const control = useControl();
  return (
    <span className={clsx('relative block', widths[size])}>
      <select
        {...control}
        {...rest}
        className={clsx(
          box,
          'h-8 appearance-none pr-8 pl-2.5 [unicode-bidi:plaintext] phone:h-11',
          mono && 'font-mono text-xs',
          className,
        )}
      >
        {options.map(({ value, label, disabled }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
      </select>
      <span className="pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-ink3">
        <Icon name="updown" size={14} />
      </span>
    </span>
  );
}

type BoxProps = Omit<ComponentProps<'input'>, 'type'> & { children?: ReactNode };

/** A switch that applies immediately, with a label. */
export function Switch({ children, className, ...rest }: BoxProps) {
  const control = useControl();
  return (
    <label className={clsx('inline-flex min-h-8 items-center gap-2.5 phone:min-h-11', className)}>
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox reports its state itself
        role="switch"
        {...control}
        {...rest}
        className="relative m-0 h-4 w-7 shrink-0 cursor-pointer appearance-none rounded-full bg-field transition-colors duration-[120ms] before:absolute before:top-0.5 before:left-0.5 before:size-3 before:rounded-full before:bg-bg before:transition-transform before:duration-[120ms] checked:bg-accent checked:before:translate-x-3 disabled:cursor-not-allowed disabled:bg-line2 motion-reduce:transition-none motion-reduce:before:transition-none forced-colors:appearance-auto"
      />
      {children}
    </label>
  );
}

/** A checkbox without label, for tables and matrices. */
export function Tick({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <span className={clsx('relative inline-grid size-[15px] shrink-0', className)}>
      <input
        type="checkbox"
        {...rest}
        className="peer m-0 size-[15px] cursor-pointer appearance-none rounded-tag border border-solid border-field bg-raised checked:border-accent checked:bg-accent disabled:cursor-not-allowed disabled:border-line2 disabled:bg-line2 aria-invalid:border-bad forced-colors:appearance-auto"
      />
      <svg
        viewBox="0 0 15 15"
        fill="none"
        aria-hidden="true"
        className="pointer-events-none absolute inset-0 size-[15px] text-bg opacity-0 peer-checked:opacity-100 peer-disabled:text-ink3 forced-colors:hidden"
      >
        <path
          d="m3.8 7.8 2.6 2.6 4.8-5.6"
          stroke="currentColor"
          strokeWidth="1.8"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    </span>
  );
}

export function Checkbox({ children, className, ...rest }: BoxProps) {
  const control = useControl();
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: Tick is a checkbox
    <label className={clsx('inline-flex min-h-7 items-center gap-2.5 phone:min-h-11', className)}>
      <Tick {...control} {...rest} />
      {children}
    </label>
  );
}

type RadioProps = Omit<ComponentProps<'input'>, 'type'> & {
  options: readonly Option[];
  /** Side by side as cards with help inside, for two to four options; otherwise a vertical list. */
  wide?: boolean;
};

/** One of a few options. Use it in a FormRow with `group`. */
export function RadioList({ options, wide = false, className, ...rest }: RadioProps) {
  const row = useRow();
  const own = useId();
  const list = options.map(({ value, label, help, disabled }, at) => (
    <label
      key={value}
      className={
        wide
          ? 'relative grid flex-1 border border-solid border-line2 px-3 py-2 first:rounded-l-control last:rounded-r-control not-first:-ml-px phone:not-first:mt-[-1px] phone:not-first:ml-0 has-checked:z-1 has-checked:border-accent has-checked:bg-sel has-checked:shadow-[inset_0_0_0_1px_var(--accent)] has-focus-visible:z-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent has-disabled:text-off'
          : 'flex min-h-7 items-start gap-2.5 py-1 phone:min-h-11'
      }
    >
      <input
        type="radio"
        {...rest}
        id={row && at === 0 ? row.id : `${own}-${value}`}
        value={value}
        disabled={disabled || rest.disabled}
        aria-describedby={row?.describedBy}
        className={wide ? 'unseen' : 'mt-[3px] mb-0 size-[15px] shrink-0 accent-accent'}
      />
      <span className="grid">
        <span className={wide ? 'font-medium' : ''}>{label}</span>
        {help ? <span className="text-xs text-ink3">{help}</span> : null}
      </span>
    </label>
  ));
  return (
    <div className={clsx(wide ? 'flex phone:flex-col phone:[&>label]:rounded-none' : 'grid', className)}>{list}</div>
  );
}

type SecretProps = TextProps & {
  /** The stored state as text: `Set on 3 Mar 2026` or the last four characters. Empty if nothing is stored. */
  stored?: ReactNode;
};

/** A write-only field. If left empty, the stored value stays. */
export function SecretInput({ stored, ...rest }: SecretProps) {
  const [open, setOpen] = useState(!stored);
  if (!open) {
    return (
      <span className="flex flex-wrap items-center gap-2">
        <span className="flex h-8 min-w-[254px] items-center gap-2 rounded-control border border-solid border-line2 bg-sub px-2.5 text-ink2 phone:h-11">
          <span aria-hidden="true">••••••••••</span> {stored}
        </span>
        <Button onClick={() => setOpen(true)}>Replace</Button>
      </span>
    );
  }
  return (
    <TextInput
      mono
      type="password"
      autoComplete="new-password"
      {...rest}
      placeholder={stored ? 'Leave empty to keep the stored one' : undefined}
    />
  );
}
