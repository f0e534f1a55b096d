'use client';
// The period and currency controls. Both are part of the URL, so that a view can be shared.
import Link from 'next/link';
import { useRouter, useSearchParams } from 'next/navigation';
import { Popover } from 'radix-ui';
import { type FormEvent, useEffect, useState } from 'react';
import type { Period } from '../../../lib/dashboard/overview/contract';
import { Icon } from '../icons';
import { Button } from '../ui/button';
import { Menu } from '../ui/menu';
import { segmentClass } from '../ui/tabs';

const presets: [Period['id'], string][] = [
  ['today', 'Today'],
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
];

function hrefOf(params: URLSearchParams, changed: Record<string, string | null>): string {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changed)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return `/dashboard?${next}`;
}

export function PeriodChoice({ period }: { period: Period }) {
  const params = useSearchParams();
  return (
    <nav
      aria-label="Period"
      className="flex max-w-full overflow-x-auto rounded-control border border-solid border-line2 bg-sub p-px"
    >
      {presets.map(([id, text]) => (
        <Link
          key={id}
          href={hrefOf(params, { period: id, from: null, to: null })}
          scroll={false}
          prefetch={false}
          aria-current={period.id === id ? 'true' : undefined}
          className={segmentClass(period.id === id)}
        >
          {text}
        </Link>
      ))}
      <Dates period={period} />
    </nav>
  );
}

function Dates({ period }: { period: Period }) {
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const params = useSearchParams();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setOpen(false);
    router.push(hrefOf(params, { period: null, from: String(data.get('from')), to: String(data.get('to')) }), {
      scroll: false,
    });
  };
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <button
          type="button"
          aria-current={period.id === 'dates' ? 'true' : undefined}
          className={segmentClass(period.id === 'dates')}
        >
          <Icon name="calendar" />
          Dates
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Dates"
          className="z-50 rounded-control bg-raised p-3 text-sm text-ink shadow-lifted motion-safe:animate-appear"
        >
          <form onSubmit={submit} className="grid gap-2">
            <DayField name="from" label="First day" value={period.from} />
            <DayField name="to" label="Last day" value={period.to} />
            <p className="text-xs text-ink3">At most 92 days.</p>
            <Button type="submit" kind="primary">
              Apply
            </Button>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function DayField({ name, label, value }: { name: string; label: string; value: string }) {
  return (
    <label className="grid grid-cols-[72px_1fr] items-center gap-2 text-ink2">
      {label}
      <input
        type="date"
        name={name}
        defaultValue={value}
        required
        className="h-8 rounded-control border border-solid border-field bg-raised px-2.5 text-ink field-focus phone:h-11 phone:text-[16px]"
      />
    </label>
  );
}

const shownCurrencies = 4;

/** One currency at a time: amounts of several currencies are never added. */
export function CurrencyChoice({ currencies, current }: { currencies: string[]; current: string }) {
  const params = useSearchParams();
  const router = useRouter();
  if (currencies.length < 2) return null;
  if (currencies.length > shownCurrencies) {
    const items = currencies.map((currency) => ({
      text: currency,
      checked: currency === current,
      onSelect: () => router.push(hrefOf(params, { currency }), { scroll: false }),
    }));
    return (
      <Menu items={items} label="Currency">
        <Button size="small">
          <span className="text-ink3">Currency</span> {current}
          <Icon name="down" size={14} />
        </Button>
      </Menu>
    );
  }
  return (
    <nav aria-label="Currency" className="flex rounded-control border border-solid border-line2 bg-sub p-px">
      {currencies.map((currency) => (
        <Link
          key={currency}
          href={hrefOf(params, { currency })}
          scroll={false}
          prefetch={false}
          aria-current={currency === current ? 'true' : undefined}
          className={`${segmentClass(currency === current)} min-h-6! px-2! text-xs`}
        >
          {currency}
        </Link>
      ))}
    </nav>
  );
}

const newsMilliseconds = 60_000;

/** Reloads every minute while the page is visible and its period is not over. */
export function AutoRefresh({ on }: { on: boolean }) {
  const router = useRouter();
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') router.refresh();
    }, newsMilliseconds);
    return () => clearInterval(timer);
  }, [on, router]);
  return null;
}
