'use client';
// Asks before the user leaves a page with unsaved changes.
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { ConfirmDialog } from './dialog';

/** Makes the browser ask before its window closes or navigates away, while `on`. */
export function useUnloadGuard(on: boolean): void {
  useEffect(() => {
    if (!on) return;
    const unload = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', unload);
    return () => removeEventListener('beforeunload', unload);
  }, [on]);
}

export function LeaveGuard({ on }: { on: boolean }) {
  const router = useRouter();
  const [wanted, setWanted] = useState<string | null>(null);
  useUnloadGuard(on);
  useEffect(() => {
    if (!on) return;
    const click = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0;
      if (!link || link.target === '_blank' || link.hasAttribute('download') || opensElsewhere) return;
      const { origin, pathname, search, hash } = new URL(link.href);
      if (origin !== location.origin || pathname === location.pathname) return;
      event.preventDefault();
      event.stopPropagation();
      setWanted(pathname + search + hash);
    };
    document.addEventListener('click', click, true);
    return () => document.removeEventListener('click', click, true);
  }, [on]);
  return (
    <ConfirmDialog
      open={wanted !== null}
      title="Leave without saving?"
      verb="Leave, discard changes"
      logged=""
      onConfirm={async () => {
        if (wanted) router.push(wanted);
      }}
      onClose={() => setWanted(null)}
    >
      <p className="text-ink2">Your changes on this page are not saved.</p>
    </ConfirmDialog>
  );
}
