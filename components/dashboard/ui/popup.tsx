'use client';
// A small window at a button: choices, filters, dates.
import clsx from 'clsx';
import { Popover } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';

type Props = {
  trigger: ReactNode;
  label?: string;
  /** Its width; with padding for a list of choices by default. */
  className?: string;
  children: ReactNode;
} & Pick<ComponentProps<typeof Popover.Content>, 'align' | 'sideOffset'> &
  Pick<ComponentProps<typeof Popover.Root>, 'open' | 'onOpenChange'>;

export function Popup({
  trigger,
  label,
  className = 'p-1.5',
  align = 'start',
  sideOffset = 4,
  children,
  ...root
}: Props) {
  return (
    <Popover.Root {...root}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align={align}
          sideOffset={sideOffset}
          collisionPadding={8}
          aria-label={label}
          className={clsx(
            'z-50 max-w-[calc(100vw-16px)] rounded-control bg-raised text-sm text-ink shadow-lifted motion-safe:animate-appear',
            className,
          )}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
