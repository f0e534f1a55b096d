'use client';
// A dialog: 460 px wide, 148 px from the top; a bottom sheet on a phone. Ctrl Enter confirms.
import { Dialog as Radix } from 'radix-ui';
import type { KeyboardEvent, ReactNode } from 'react';
import { IconButton } from './button.tsx';

type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  about?: ReactNode;
  children: ReactNode;
  /** Buttons, the primary one last; to their left a note such as what is logged. */
  foot?: ReactNode;
  onConfirm?: () => void;
  wide?: boolean;
  /** Esc and a press outside do not close it, because its input would be lost. */
  keep?: boolean;
  /** It stays visible while the session is locked. */
  unlocks?: boolean | undefined;
};

export function Dialog({ open, onClose, title, about, children, foot, onConfirm, wide, keep, unlocks }: DialogProps) {
  const confirm = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !onConfirm) return;
    event.preventDefault();
    onConfirm();
  };
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next || keep ? undefined : onClose())}>
      <Radix.Portal>
        {/* On the level of the content: it also covers a dialog below. */}
        <Radix.Overlay
          data-unlocks={unlocks || undefined}
          className="fixed inset-0 z-40 bg-veil motion-safe:animate-appear"
        />
        <Radix.Content
          data-unlocks={unlocks || undefined}
          onKeyDown={confirm}
          onOpenAutoFocus={focusFirst}
          {...(about ? {} : { 'aria-describedby': undefined })}
          className={`fixed top-[148px] left-1/2 z-40 flex max-h-[calc(100dvh-164px)] -translate-x-1/2 flex-col rounded-dialog bg-raised text-sm text-ink shadow-over outline-none motion-safe:animate-rise phone:inset-x-0 phone:top-auto phone:bottom-0 phone:left-0 phone:max-h-[calc(100dvh-24px)] phone:w-full phone:max-w-full phone:translate-x-0 phone:rounded-b-none [@media(height<720px)]:top-4 [@media(height<720px)]:max-h-[calc(100dvh-32px)] ${wide ? 'w-[680px]' : 'w-[460px]'} max-w-[calc(100vw-32px)]`}
        >
          <div className="flex items-start justify-between gap-3 px-5 pt-[18px]">
            <div className="grid min-w-0">
              <Radix.Title className="text-bar font-semibold">{title}</Radix.Title>
              {about ? <Radix.Description className="text-ink2">{about}</Radix.Description> : null}
            </div>
            <IconButton label="Close" icon="cross" onClick={onClose} className="-mt-1 -mr-2" />
          </div>
          <div data-fields="" className="grid gap-4 overflow-y-auto px-5 py-4">
            {children}
          </div>
          {foot ? (
            <div className="flex flex-wrap items-center justify-end gap-2 rounded-b-dialog border-t border-line bg-sub px-5 py-3 text-xs text-ink3 phone:rounded-none [&>span:first-child]:mr-auto phone:[&>span:first-child]:basis-full phone:[&>button]:flex-1">
              {foot}
            </div>
          ) : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The focus starts in the first field, or on the dialog itself, never on the close button. */
function focusFirst(event: Event): void {
  event.preventDefault();
  const dialog = event.currentTarget as HTMLElement;
  const field = dialog.querySelector<HTMLElement>('[data-fields] :is(input, select, textarea):not([type="hidden"])');
  (field ?? dialog).focus();
  if (field instanceof HTMLInputElement && field.type === 'text') field.select();
}

type SheetProps = { open: boolean; onClose: () => void; title: string; className: string; children: ReactNode };

/** A window over the page without a frame of its own; its title is for screen readers. */
export function Sheet({ open, onClose, title, className, children }: SheetProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-30 bg-veil motion-safe:animate-appear" />
        <Radix.Content aria-describedby={undefined} className={className}>
          <Radix.Title className="unseen">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
