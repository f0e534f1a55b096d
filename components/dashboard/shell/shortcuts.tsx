'use client';
// The keyboard shortcuts of every page, and the dialog that lists them.
import { Fragment, useEffect, useMemo } from 'react';
import { KeyCap } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Switch } from '../ui/fields.tsx';
import { useGo } from '../ui/leave-guard.tsx';
import { keyName, makePairs, takesSingleKeys, useShortcuts, useSingleKeys } from '../ui/shortcuts.ts';
import { useShell } from './context.tsx';

/** Handles the shortcuts that work on every page. */
export function PageShortcuts() {
  const { open } = useShell();
  useShortcutPairs();
  useShortcuts({
    'ctrl+k': () => open('commands'),
    '?': () => open('keys'),
    // The breadcrumb leads up; it asks first if there are unsaved changes.
    escape: () => document.querySelector<HTMLElement>('[data-up]')?.click(),
  });
  return <ShortcutsDialog />;
}

/** G and a letter opens a page. Handled first, because the letter may be a shortcut itself. */
function useShortcutPairs(): void {
  const { navItems } = useShell();
  const go = useGo();
  const pair = useMemo(
    () => makePairs('g', Object.fromEntries(navItems.flatMap(({ key, href }) => (key ? [[key, href]] : [])))),
    [navItems],
  );
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!takesSingleKeys(event)) return;
      const href = pair(keyName(event), event.timeStamp);
      if (!href) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      go(href);
    };
    addEventListener('keydown', press, true);
    return () => removeEventListener('keydown', press, true);
  }, [pair, go]);
}

const lists: Record<string, Record<string, string>> = {
  Everywhere: { 'Ctrl K': 'Command menu', '/': 'Search in the list', '?': 'Keyboard shortcuts', Esc: 'Close, then up' },
  'In a list': { J: 'Next row', K: 'Previous row', X: 'Select', '↵': 'Open' },
  'On a payment': { R: 'Refund', V: 'Void' },
  'In a form': { 'Ctrl S': 'Review and save', 'Ctrl ↵': 'Confirm' },
};

function ShortcutsDialog() {
  const { opened, open, navItems } = useShell();
  const [on, setOn] = useSingleKeys();
  const ahead = navItems.flatMap(({ key, label }): [string, string][] =>
    key ? [[`G ${key.toUpperCase()}`, label]] : [],
  );
  return (
    <Dialog open={opened === 'keys'} onClose={() => open(null)} title="Keyboard shortcuts" wide>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {Object.entries({ ...lists, 'Go to': Object.fromEntries(ahead) }).map(([title, keys]) => (
          <section key={title} aria-label={title}>
            <h3 className="mb-1.5 text-xs font-medium text-ink3">{title}</h3>
            <dl className="grid grid-cols-[96px_1fr] items-center gap-y-1">
              {Object.entries(keys).map(([caps, what]) => (
                <Fragment key={what}>
                  <dt className="flex gap-1">
                    <span className="unseen">{caps}</span>
                    {caps.split(' ').map((cap) => (
                      <KeyCap key={cap} text={cap} />
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Switch checked={on} onChange={() => setOn(!on)}>
        Single-key shortcuts (those with Ctrl always work)
      </Switch>
    </Dialog>
  );
}
