'use client';
// A menu of actions behind a button.
import clsx from 'clsx';
import Link from 'next/link';
import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { Icon, type IconName } from '../icons.tsx';
import { IconButton } from './button.tsx';

export type MenuItem =
  | {
      text: ReactNode;
      icon?: IconName;
      onSelect?: () => void;
      href?: string;
      keys?: string;
      danger?: boolean;
      checked?: boolean;
    }
  | 'line';

type Props = { items: readonly MenuItem[]; label?: string; align?: 'start' | 'end'; children?: ReactNode };

/** `children` is the button that opens it: three dots with the menu's label by default. */
export function Menu({ items, label = '', align = 'end', children }: Props) {
  // Looked up when it opens, because the page around it may have changed.
  const [place, setPlace] = useState<HTMLElement>();
  return (
    <DropdownMenu.Root onOpenChange={(isOpen) => isOpen && setPlace(landmark())}>
      <DropdownMenu.Trigger asChild>{children ?? <IconButton label={label} icon="dots" />}</DropdownMenu.Trigger>
      {/* Rendered inside a landmark, for users who navigate by landmarks. */}
      <DropdownMenu.Portal container={place}>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label || undefined}
          className="z-50 min-w-[180px] max-w-[320px] rounded-control bg-raised p-1 text-sm text-ink shadow-lifted motion-safe:animate-appear"
        >
          {items.map((item, at) =>
            item === 'line' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the items of a menu keep their places
              <DropdownMenu.Separator key={at} className="-mx-1 my-1 h-px bg-line" />
            ) : (
              <DropdownMenu.Item
                // biome-ignore lint/suspicious/noArrayIndexKey: the items of a menu keep their places
                key={at}
                asChild={item.href !== undefined}
                onSelect={item.onSelect}
                className={itemClass(item.danger)}
              >
                {item.href === undefined ? (
                  <Inside item={item} />
                ) : (
                  <Link href={item.href} prefetch={false}>
                    <Inside item={item} />
                  </Link>
                )}
              </DropdownMenu.Item>
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function landmark(): HTMLElement | undefined {
  return document.getElementById('main') ?? undefined;
}

function itemClass(danger = false): string {
  return clsx(
    'flex min-h-[30px] cursor-pointer items-center gap-2.5 rounded-tag px-2 no-underline outline-none data-highlighted:bg-hover phone:min-h-11',
    danger ? 'text-bad' : 'text-ink',
  );
}

function Inside({ item }: { item: Exclude<MenuItem, 'line'> }) {
  return (
    <>
      {item.icon ? (
        <span className={item.danger ? '' : 'text-ink3'}>
          <Icon name={item.icon} />
        </span>
      ) : null}
      <span className="min-w-0 flex-1 truncate">{item.text}</span>
      {item.checked ? <Icon name="tick" size={14} /> : null}
      {item.keys ? <span className="text-11 text-ink3">{item.keys}</span> : null}
    </>
  );
}
