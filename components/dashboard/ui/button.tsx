'use client';
// Buttons, one primary per view. Actions that the state forbids are hidden rather than disabled.
import clsx from 'clsx';
import Link from 'next/link';
import { Tooltip as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { Icon, type IconName } from '../icons.tsx';

export type ButtonKind = 'primary' | 'plain' | 'bare' | 'danger';
export type ButtonSize = 'normal' | 'small' | 'tall';

const base =
  'inline-flex shrink-0 items-center justify-center gap-[7px] rounded-control border border-solid text-sm font-medium whitespace-nowrap no-underline transition-colors duration-[120ms] ease-out motion-reduce:transition-none aria-busy:cursor-progress disabled:cursor-not-allowed disabled:border-line disabled:bg-sub disabled:text-off disabled:shadow-none';

const kinds: Record<ButtonKind, string> = {
  primary: 'border-pri bg-pri text-pri-ink hover:border-pri-hover hover:bg-pri-hover',
  plain: 'border-line2 bg-raised text-ink shadow-button hover:bg-hover aria-pressed:bg-sel',
  bare: 'border-transparent bg-transparent text-ink2 hover:bg-hover hover:text-ink',
  danger: 'border-danger bg-danger text-[#fff] hover:brightness-110',
};

const sizes: Record<ButtonSize, string> = {
  normal: 'min-h-8 px-3 phone:min-h-11 phone:px-4',
  small: 'min-h-7 px-[9px] phone:min-h-9',
  tall: 'min-h-10 px-4 phone:min-h-11',
};

/** The classes of a button, for other elements. */
export function buttonClass(kind: ButtonKind = 'plain', size: ButtonSize = 'normal', extra?: string): string {
  return clsx(base, kinds[kind], sizes[size], extra);
}

type ButtonStyle = {
  kind?: ButtonKind;
  size?: ButtonSize;
  icon?: IconName;
  /** Key cap at the right: `R`, `Ctrl S`. Decorative; the page handles the key. */
  keys?: string;
};

type ButtonProps = ButtonStyle & { busy?: boolean } & ComponentProps<'button'>;

export function Button({ kind, size, icon, keys, busy = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      // A second press while the action runs is ignored.
      onClick={busy ? undefined : onClick}
      aria-busy={busy || undefined}
      className={buttonClass(kind, size, className)}
    >
      {icon ? <Icon name={busy ? 'again' : icon} size={size === 'small' ? 14 : 16} /> : null}
      {children}
      {keys ? <KeyCap text={keys} inButton /> : null}
    </button>
  );
}

/** A link to a file, which the browser streams to disk. */
export function FileLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} download className={buttonClass('plain', 'small', 'justify-self-start')}>
      <Icon name="download" size={14} />
      <span>{children}</span>
    </a>
  );
}

/** A link to an exported list. `all`: `248` or `all`. */
export function ExportLink({ href, all }: { href: string; all: string }) {
  return (
    <FileLink href={href}>
      Export {all}
      <span className="phone:hidden"> as CSV</span>
    </FileLink>
  );
}

type LinkProps = ButtonStyle & ComponentProps<typeof Link>;

export function LinkButton({ kind, size, icon, keys, className, children, ...rest }: LinkProps) {
  return (
    <Link prefetch={false} {...rest} className={buttonClass(kind, size, className as string | undefined)}>
      {icon ? <Icon name={icon} size={size === 'small' ? 14 : 16} /> : null}
      {children}
      {keys ? <KeyCap text={keys} inButton /> : null}
    </Link>
  );
}

/** A button, or with `href` a link. */
type Action = Omit<ComponentProps<typeof Button>, 'children'> & { text: string; href?: string };

/** The actions of a place in their order; one that is not offered is false. */
export type Offers = readonly (Action | false)[];

export function Actions({ of, size }: { of: Offers; size?: ButtonSize }) {
  const offered = of.filter((action) => action !== false);
  return offered.map(({ text, href, icon, kind, ...rest }) => {
    const style = { size, icon, kind };
    return href === undefined ? (
      <Button key={text} {...style} {...rest}>
        {text}
      </Button>
    ) : (
      <LinkButton key={text} {...style} href={href}>
        {text}
      </LinkButton>
    );
  });
}

type IconProps = { label: string; icon: IconName; framed?: boolean; size?: ButtonSize } & ComponentProps<'button'>;

/** A button without visible text: its name is read by screen readers and shown as a tooltip. */
export function IconButton({ label, icon, framed = false, size = 'small', className, ...rest }: IconProps) {
  return (
    <Radix.Provider delayDuration={400}>
      <Radix.Root>
        <Radix.Trigger asChild>
          <button
            type="button"
            {...rest}
            aria-label={label}
            className={clsx(
              'inline-grid shrink-0 place-items-center rounded-control p-0 text-ink2 hover:bg-hover hover:text-ink phone:size-11',
              size === 'small' ? 'size-7' : 'size-8',
              framed ? 'border border-solid border-line2 bg-raised shadow-button' : 'border-0 bg-transparent',
              className,
            )}
          >
            <Icon name={icon} />
          </button>
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-[280px] rounded-tag bg-dock px-2 py-1 text-xs text-dock-ink shadow-lifted"
          >
            {label}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}

/** A key cap. Hidden on a phone, which has no keyboard. */
export function KeyCap({ text, inButton = false }: { text: ReactNode; inButton?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'inline-block min-w-[18px] rounded-tag border border-solid px-1 text-center font-sans text-11 leading-4 font-medium tracking-normal phone:hidden',
        inButton ? 'border-current/40' : 'border-line2 text-ink3',
      )}
    >
      {text}
    </span>
  );
}
