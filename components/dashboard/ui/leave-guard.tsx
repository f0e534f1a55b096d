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
  useBackGuard(guarded, (back) => setWanted({ act: back ?? (() => router.push('/dashboard')) }));
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
  // The act runs once the browser's own guard is off. If the page is still here afterwards, the guard is on again: a
  // navigation reports no end, but would make the browser ask within a second.
  useEffect(() => {
    if (!agreed) return;
    const rearm = () => setAgreed(null);
    const running = agreed.act();
    if (running instanceof Promise) void running.finally(rearm);
    else {
      const timer = setTimeout(rearm, 1_000);
      return () => clearTimeout(timer);
    }
  }, [agreed]);
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

/** The history's entry, if it is the second one of a page; `isFirst`: the tab began with the page. */
function markedEntry(): { href: string; isFirst: boolean } | null {
  const marked = (history.state as Record<string, unknown> | null)?.[mark];
  return marked === undefined ? null : { href: location.href, isFirst: marked === 'first' };
}

const pathOf = (href: string) => href.split('#')[0];

/**
 * Calls `ask` when Back would leave the page while `on`, with what leaves it; null if the tab began with the page. Several
 * steps at once are cancelled by browsers that allow it. None allows it for every single Back, so the history gets a
 * second entry of the same page: Back first leads from it to the page itself. Without changes that step is skipped.
 */
function useBackGuard(on: boolean, ask: (back: Act | null) => void): void {
  const current = useRef({ on, ask });
  const marked = useRef<ReturnType<typeof markedEntry>>(null);
  useEffect(() => {
    current.current = { on, ask };
  });
  useEffect(() => {
    marked.current = markedEntry();
    const pop = () => {
      const before = marked.current;
      marked.current = markedEntry();
      if (before === null || marked.current !== null || location.href !== before.href) return;
      if (!current.current.on) {
        history.back();
        return;
      }
      history.forward();
      current.current.ask(before.isFirst ? null : () => history.go(-2));
    };
    addEventListener('popstate', pop);
    return () => removeEventListener('popstate', pop);
  }, []);
  useEffect(() => {
    if (!on) return;
    if (!markedEntry()) {
      // The members of the router stay, so that it takes the entry for its own.
      history.pushState({ ...history.state, [mark]: 'later' }, '', location.href);
      // What followed the page is gone: two entries are the page alone.
      if (history.length === 2) history.replaceState({ ...history.state, [mark]: 'first' }, '', location.href);
      marked.current = markedEntry();
    }
    const { navigation } = window;
    const first = (navigation?.currentEntry?.index ?? 0) - 1;
    const traverse = (event: NavigateEvent) => {
      const { key, url, index } = event.destination;
      const leaves = index < first || pathOf(url) !== pathOf(location.href);
      if (event.navigationType !== 'traverse' || !event.cancelable || !leaves) return;
      event.preventDefault();
      current.current.ask(() => navigation.traverseTo(key));
    };
    navigation?.addEventListener('navigate', traverse);
    return () => navigation?.removeEventListener('navigate', traverse);
  }, [on]);
}
