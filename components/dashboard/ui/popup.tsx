'use client';
// A small window at a button: choices, filters, dates.
import clsx from 'clsx';
import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';

type Props = {
  trigger: ReactNode;
  label?: string;
  /** Its width; with padding for a list of choices by default. */
  className?: string;
  sideOffset?: number;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
};

export function Popup({ trigger, label, className = 'p-1.5', sideOffset = 4, children, ...root }: Props) {
  return (
    <Popover.Root {...root}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
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
