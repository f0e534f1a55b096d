'use client';
// The keys that work on every page, and the list of all keys.
import { useRouter } from 'next/navigation';
import { Fragment, useEffect, useMemo } from 'react';
import { KeyCap } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Switch } from '../ui/fields';
import { keyName, makePairs } from '../ui/key-name';
import { takesSingleKeys, useShortcuts, useSingleKeys } from '../ui/shortcuts';
import { useShell } from './context';

/** Listens for the keys that work on every page. */
export function PageShortcuts() {
  const { open } = useShell();
  useShortcutPairs();
  useShortcuts({
    'ctrl+k': () => open('commands'),
    '?': () => open('keys'),
    // The breadcrumb leads up; it asks first where something is not saved.
    escape: () => document.querySelector<HTMLElement>('[data-up]')?.click(),
  });
  return <ShortcutsDialog />;
}

/** G and then a letter goes to a page. Heard before anything else, since the letter may mean something by itself. */
function useShortcutPairs(): void {
  const { ways } = useShell();
  const router = useRouter();
  const pair = useMemo(
    () => makePairs('g', Object.fromEntries(ways.flatMap(({ key, href }) => (key ? [[key, href]] : [])))),
    [ways],
  );
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!takesSingleKeys(event)) return;
      const href = pair(keyName(event), event.timeStamp);
      if (!href) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      router.push(href);
    };
    addEventListener('keydown', press, true);
    return () => removeEventListener('keydown', press, true);
  }, [pair, router]);
}

const lists: [string, [string[], string][]][] = [
  [
    'Everywhere',
    [
      [['Ctrl', 'K'], 'Command menu'],
      [['/'], 'Search in the list'],
      [['?'], 'All keys'],
      [['Esc'], 'Close, then up'],
    ],
  ],
  [
    'In a list',
    [
      [['J'], 'Next row'],
      [['K'], 'Row before'],
      [['X'], 'Select'],
      [['↵'], 'Open'],
    ],
  ],
  [
    'On a payment',
    [
      [['R'], 'Refund'],
      [['V'], 'Void'],
    ],
  ],
  [
    'In a form',
    [
      [['Ctrl', 'S'], 'Review and save'],
      [['Ctrl', '↵'], 'Confirm'],
    ],
  ],
];

function ShortcutsDialog() {
  const { opened, open, ways } = useShell();
  const [on, setOn] = useSingleKeys();
  const ahead = ways.flatMap(({ key, label }): [string[], string][] =>
    key ? [[['G', key.toUpperCase()], label]] : [],
  );
  return (
    <Dialog open={opened === 'keys'} onClose={() => open(null)} title="All keys" wide>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {[...lists, ['Go to', ahead] as const].map(([title, keys]) => (
          <section key={title} aria-label={title}>
            <h3 className="mb-1.5 text-xs font-medium text-ink3">{title}</h3>
            <dl className="grid grid-cols-[96px_1fr] items-center gap-y-1">
              {keys.map(([caps, what]) => (
                <Fragment key={what}>
                  <dt className="flex gap-1">
                    <span className="unseen">{caps.join(' ')}</span>
                    {caps.map((cap) => (
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
        Single keys work (those with Ctrl always do)
      </Switch>
    </Dialog>
  );
}
