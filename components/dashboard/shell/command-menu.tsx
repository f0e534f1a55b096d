'use client';
// The command menu: pages that the user may see, a payment search, and actions.
import { keepPreviousData } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import type { PaymentList } from '../../../lib/dashboard/contract.ts';
import { statusLabels } from '../../../lib/dashboard/status-labels.ts';
import { StatusShape } from '../../ui/status.tsx';
import { Icon, type IconName } from '../icons.tsx';
import { KeyCap } from '../ui/button.tsx';
import { Sheet } from '../ui/dialog.tsx';
import { useGo } from '../ui/leave-guard.tsx';
import { Tag } from '../ui/parts.tsx';
import { useSingleKeys } from '../ui/shortcuts.ts';
import { useRead } from '../ui/use-object.ts';
import { useShell, useTheme } from './context.tsx';
import { themes } from './theme.ts';
import { signOut } from './user-menu.tsx';

export function CommandMenu() {
  const { opened, open } = useShell();
  const close = () => open(null);
  return (
    <Sheet
      open={opened === 'commands'}
      onClose={close}
      title="Search or jump to"
      className="fixed top-28 left-1/2 z-40 w-[640px] max-w-[calc(100vw-32px)] -translate-x-1/2 overflow-hidden rounded-dialog bg-raised text-sm text-ink shadow-over outline-none motion-safe:animate-rise phone:inset-0 phone:max-w-full phone:w-full phone:translate-x-0 phone:rounded-none"
    >
      <Commands close={close} />
    </Sheet>
  );
}

function Commands({ close }: { close: () => void }) {
  const { sandbox } = useShell();
  const [text, setText] = useState('');
  const [current, setCurrent] = useState('');
  const actionsOnly = text.startsWith('>');
  const wanted = (actionsOnly ? text.slice(1) : text).trim();
  // A payment is chosen for the user only if no page and no action has such a name.
  const select = (found: string) => setCurrent((now) => (now === '' || now === allPayments ? found : now));
  return (
    <Command
      label="Commands"
      shouldFilter={false}
      value={current}
      onValueChange={setCurrent}
      loop
      className="flex max-h-[min(560px,calc(100dvh-140px))] flex-col phone:max-h-dvh"
    >
      <div className="flex items-center gap-3 border-b border-line px-5 text-ink3 phone:px-4">
        <Icon name="search" />
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder="Search or jump to"
          className="h-[50px] min-w-0 flex-1 border-0 bg-transparent p-0 text-bar text-ink outline-none placeholder:text-ink3"
        />
        <Tag tone={sandbox ? 'warn' : 'plain'}>{sandbox ? 'Sandbox' : 'Live'}</Tag>
        <button
          type="button"
          onClick={close}
          className="hidden min-h-11 border-0 bg-transparent px-1 text-ink2 phone:block"
        >
          Cancel
        </button>
      </div>
      <Command.List className="min-h-0 flex-1 overflow-y-auto px-2 py-1.5">
        <Command.Empty className="px-3 py-4 text-ink3">No results for “{wanted}”.</Command.Empty>
        {actionsOnly ? null : <PageItems wanted={wanted} close={close} />}
        <ActionItems wanted={wanted} close={close} />
        {actionsOnly || wanted.length < 2 ? null : <FoundPayments wanted={wanted} close={close} select={select} />}
      </Command.List>
      <div
        aria-hidden="true"
        className="flex items-center gap-3 border-t border-line bg-sub px-4 py-2.5 text-xs text-ink3 phone:hidden"
      >
        <span className="flex gap-1">
          <KeyCap text="↑" />
          <KeyCap text="↓" /> move
        </span>
        <span className="flex gap-1">
          <KeyCap text="↵" /> open
        </span>
        <span className="ml-auto flex gap-1">
          Type <KeyCap text=">" /> for actions
        </span>
      </div>
    </Command>
  );
}

type PartProps = { wanted: string; close: () => void };

const allPayments = 'payments-all';

/** Whether each word of the input begins a word of the text. */
const fits = (text: string, wanted: string) => {
  const words = text.toLowerCase().split(/\s+/);
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((each) => words.some((word) => word.startsWith(each)));
};

function FoundPayments({ wanted, close, select }: PartProps & { select: (value: string) => void }) {
  const go = useGo();
  const deferred = useDeferredValue(wanted);
  const { data, isPlaceholderData } = useRead<PaymentList>(`/payments?q=${encodeURIComponent(deferred)}`, {
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  // Results arrive after the input: Enter opens the first one.
  const first = deferred === wanted && !isPlaceholderData ? data?.rows[0]?.id : undefined;
  useEffect(() => {
    if (first !== undefined) select(`payment-${first}`);
  }, [first, select]);
  if (data?.rows.length === 0 && deferred === wanted && !isPlaceholderData) return null;
  return (
    <Group
      heading="Payments"
      close={close}
      items={[
        ...(data?.rows.slice(0, 4) ?? []).map(({ id, orderNumber, status, amount, currency, payer }) => ({
          value: `payment-${id}`,
          run: () => go(`/dashboard/payments/${id}`),
          mark: <StatusShape status={status} />,
          text: <Marked text={orderNumber} wanted={wanted} />,
          about: `${statusLabels[status] ?? status}, ${amount} ${currency}${payer ? `, ${payer}` : ''}`,
        })),
        {
          value: allPayments,
          run: () => go(`/dashboard/payments?q=${encodeURIComponent(wanted)}`),
          mark: <Icon name="search" />,
          text: `All payments matching “${wanted}”`,
        },
      ]}
    />
  );
}

function Marked({ text, wanted }: { text: string; wanted: string }) {
  const at = text.toLowerCase().indexOf(wanted.toLowerCase());
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <span className="text-accent">{text.slice(at, at + wanted.length)}</span>
      {text.slice(at + wanted.length)}
    </>
  );
}

function PageItems({ wanted, close }: PartProps) {
  const { navItems } = useShell();
  const go = useGo();
  const also = 'profile password two-factor 2fa mfa authenticator sessions';
  const account = { href: '/dashboard/account', label: 'Account', glyph: 'person' as const, key: undefined, also };
  const pages = [...navItems, account];
  const named = pages.filter(({ label }) => fits(label, wanted));
  const others = pages.filter((page) => !named.includes(page) && fits(`${page.label} ${page.also}`, wanted));
  const items = [...named, ...others].map(({ href, label, glyph, key }) => ({
    value: href,
    text: label,
    mark: <Icon name={glyph} />,
    run: () => go(href),
    keys: key ? ['G', key.toUpperCase()] : undefined,
  }));
  return <Group heading="Go to" close={close} items={items} />;
}

type Doing = [text: string, icon: IconName, run: () => void, keys?: string[]];

function ActionItems({ wanted, close }: PartProps) {
  const { open } = useShell();
  const [theme, setTheme] = useTheme();
  const [keysOn, setKeysOn] = useSingleKeys();
  const [system, ...plain] = themes;
  const others = [...plain, system].filter(({ name }) => name !== theme);
  const doings: Doing[] = [
    ...others.map(({ name, command, icon }): Doing => [command, icon, () => setTheme(name)]),
    ['Show keyboard shortcuts', 'keyboard', () => open('keys'), ['?']],
    [keysOn ? 'Disable single-key shortcuts' : 'Enable single-key shortcuts', 'keyboard', () => setKeysOn(!keysOn)],
    ['Sign out', 'out', signOut],
  ];
  const items = doings
    .filter(([text]) => fits(text, wanted))
    .map(([text, glyph, run, keys]) => ({ value: text, text, mark: <Icon name={glyph} />, run, keys }));
  return <Group heading="Actions" close={close} items={items} />;
}

type Item = { value: string; run: () => void; mark: ReactNode; text: ReactNode; about?: string; keys?: string[] };

function Group({ heading, items, close }: { heading: string; items: readonly Item[]; close: () => void }) {
  if (items.length === 0) return null;
  return (
    <Command.Group
      heading={heading}
      className="pb-1.5 [&>[cmdk-group-heading]]:px-2.5 [&>[cmdk-group-heading]]:py-1.5 [&>[cmdk-group-heading]]:text-11 [&>[cmdk-group-heading]]:font-medium [&>[cmdk-group-heading]]:text-ink3"
    >
      {items.map(({ value, run, mark, text, about, keys }) => (
        <Command.Item
          key={value}
          value={value}
          onSelect={() => {
            close();
            run();
          }}
          className="group flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-2.5 text-ink2 data-[selected=true]:bg-sel phone:min-h-11"
        >
          {mark}
          <span className="font-medium whitespace-nowrap text-ink">{text}</span>
          {about ? <span className="min-w-0 truncate text-ink3">{about}</span> : null}
          <span className="ml-auto flex gap-1">
            {keys ? (
              keys.map((cap) => <KeyCap key={cap} text={cap} />)
            ) : (
              <span className="opacity-0 group-data-[selected=true]:opacity-100">
                <KeyCap text="↵" />
              </span>
            )}
          </span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}
