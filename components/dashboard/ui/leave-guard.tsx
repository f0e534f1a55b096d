'use client';
// Asks before the user leaves a page with unsaved changes: by a link, a shortcut, the command menu, a select, Back, or
// by closing the window.
import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ConfirmDialog } from './form-dialog.tsx';
import { type Act, guardUnsaved, leave } from './unsaved.ts';

/** Opens a page of the dashboard, after asking if there are unsaved changes. */
export function useGo(): (href: string) => void {
  const router = useRouter();
  return useCallback((href) => leave(() => router.push(href)), [router]);
}

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
  const [wanted, setWanted] = useState<{ act: Act } | null>(null);
  const [agreed, setAgreed] = useState<{ act: Act } | null>(null);
  const guarded = on && agreed === null;
  useUnloadGuard(guarded);
  useBackGuard(guarded, () => setWanted({ act: () => history.go(-2) }));
  useEffect(() => {
    if (!guarded) return;
    guardUnsaved((act) => setWanted({ act }));
    const click = (event: MouseEvent) => {
      const href = linkOf(event);
      if (href === null) return;
      event.preventDefault();
      event.stopPropagation();
      leave(() => router.push(href));
    };
    document.addEventListener('click', click, true);
    return () => {
      guardUnsaved(null);
      document.removeEventListener('click', click, true);
    };
  }, [guarded, router]);
  // The page is left after the browser's own guard is off.
  useEffect(() => agreed?.act(), [agreed]);
  useEffect(() => {
    if (!on) setAgreed(null);
  }, [on]);
  return (
    <ConfirmDialog
      open={wanted !== null}
      title="Leave without saving?"
      verb="Leave, discard changes"
      logged=""
      onConfirm={async () => setAgreed(wanted)}
      onClose={() => setWanted(null)}
    >
      <p className="text-ink2">Your changes on this page are not saved.</p>
    </ConfirmDialog>
  );
}

/** The address of another page of the dashboard that a click opens here; null for any other click. */
function linkOf(event: MouseEvent): string | null {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0;
  if (!link || link.target === '_blank' || link.hasAttribute('download') || opensElsewhere) return null;
  const { origin, pathname, search, hash } = new URL(link.href);
  const stays = pathname === location.pathname && search === location.search;
  return origin !== location.origin || stays ? null : pathname + search + hash;
}

const mark = 'florinUnsaved';

const isMarked = () => (history.state as Record<string, unknown> | null)?.[mark] === true;

/**
 * Calls `ask` when Back would leave the page while `on`. A page cannot cancel Back, so the history gets a second entry
 * of the same page: Back first leads from it to the page itself. Without changes that step is skipped.
 */
function useBackGuard(on: boolean, ask: () => void): void {
  const current = useRef({ on, ask });
  const marked = useRef<string | null>(null);
  useEffect(() => {
    current.current = { on, ask };
  });
  useEffect(() => {
    marked.current = isMarked() ? location.href : null;
    const pop = () => {
      const before = marked.current;
      marked.current = isMarked() ? location.href : null;
      if (before === null || marked.current !== null || location.href !== before) return;
      if (!current.current.on) {
        history.back();
        return;
      }
      history.forward();
      current.current.ask();
    };
    addEventListener('popstate', pop);
    return () => removeEventListener('popstate', pop);
  }, []);
  useEffect(() => {
    if (!on || isMarked()) return;
    // The members of the router stay, so that it takes the entry for its own.
    history.pushState({ ...history.state, [mark]: true }, '', location.href);
    marked.current = location.href;
  }, [on]);
}
