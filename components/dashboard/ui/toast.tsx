'use client';
// A message at the bottom left after an action, with Undo if possible. Errors are never toasts.
import { Toast as Radix } from 'radix-ui';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';

type Toast = { id: number; text: string; undo?: () => void };
type ShowToast = (text: string, undo?: () => void) => void;

const ToastContext = createContext<ShowToast>(() => undefined);

/** `toast('Saved.')`, `toast('Filter removed.', () => put it back)`. */
export function useToast(): ShowToast {
  return useContext(ToastContext);
}

let last = 0;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  // The region has a style attribute, which the server must not render.
  const [mounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  const showToast = useCallback<ShowToast>((text, undo) => {
    last += 1;
    setToasts((now) => [...now.slice(-2), { id: last, text, undo }]);
  }, []);
  const drop = (id: number) => setToasts((now) => now.filter((each) => each.id !== id));
  return (
    <ToastContext value={showToast}>
      {children}
      {mounted ? (
        <Radix.Provider duration={6_000} swipeDirection="left">
          {toasts.map(({ id, text, undo }) => (
            <Radix.Root
              key={id}
              onOpenChange={(open) => (open ? undefined : drop(id))}
              className="flex items-center gap-3 rounded-control bg-dock px-3.5 py-2.5 text-sm text-dock-ink shadow-lifted motion-safe:animate-rise"
            >
              <Radix.Description>{text}</Radix.Description>
              {undo ? (
                <Radix.Action asChild altText="Undo">
                  <button
                    type="button"
                    onClick={undo}
                    className="rounded-tag border-0 bg-transparent px-1 font-semibold text-dock-ink underline underline-offset-3"
                  >
                    Undo
                  </button>
                </Radix.Action>
              ) : null}
            </Radix.Root>
          ))}
          <Radix.Viewport className="fixed bottom-4 left-4 z-50 grid w-max max-w-[calc(100vw-32px)] gap-2 outline-none phone:bottom-[72px]" />
        </Radix.Provider>
      ) : null}
    </ToastContext>
  );
}
