'use client';
// The period and currency controls. Both are part of the URL, so that a view can be shared.
import Link from 'next/link';
import { useRouter, useSearchParams } from 'next/navigation';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import type { Overview, Period } from '../../../lib/dashboard/overview/contract.ts';
import { Icon } from '../icons.tsx';
import { Button } from '../ui/button.tsx';
import { optionsOf } from '../ui/described.tsx';
import { InlineInput, Select } from '../ui/fields.tsx';
import { changedQuery } from '../ui/list-filters.tsx';
import { Menu } from '../ui/menu.tsx';
import { Popup } from '../ui/popup.tsx';
import { isAttended } from '../ui/request.ts';
import { segmentClass } from '../ui/tabs.tsx';

type Query = Record<string, string | null>;

function useHref(): (changed: Query) => string {
  const params = useSearchParams();
  return (changed) => `/dashboard?${changedQuery(params, changed)}`;
}

type SegmentsProps = {
  label: string;
  segments: { id: string; text: string; query: Query }[];
  current: string;
  className?: string;
  small?: string;
  children?: ReactNode;
};

function Segments({ label, segments, current, className = '', small = '', children }: SegmentsProps) {
  const href = useHref();
  return (
    <nav
      aria-label={label}
      className={`flex rounded-control border border-solid border-line2 bg-sub p-px ${className}`}
    >
      {segments.map(({ id, text, query }) => (
        <Link
          key={id}
          href={href(query)}
          scroll={false}
          prefetch={false}
          aria-current={current === id ? 'true' : undefined}
          className={`${segmentClass(current === id)} ${small}`}
        >
          {text}
        </Link>
      ))}
      {children}
    </nav>
  );
}

const presets = [
  ['today', 'Today'],
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
] as const;

const periods = presets.map(([id, text]) => ({ id, text, query: { period: id, from: null, to: null } }));

export function PeriodChoice({ period }: { period: Period }) {
  return (
    <Segments label="Period" segments={periods} current={period.id} className="max-w-full overflow-x-auto">
      <Dates period={period} />
    </Segments>
  );
}

function Dates({ period }: { period: Period }) {
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const href = useHref();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setOpen(false);
    router.push(href({ period: null, from: String(data.get('from')), to: String(data.get('to')) }), { scroll: false });
  };
  const here = period.id === 'dates';
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      sideOffset={6}
      label="Dates"
      className="p-3"
      trigger={
        <button type="button" aria-current={here ? 'true' : undefined} className={segmentClass(here)}>
          <Icon name="calendar" />
          Dates
        </button>
      }
    >
      <form onSubmit={submit} className="grid gap-2">
        <InlineInput label="First day" type="date" name="from" defaultValue={period.from} required />
        <InlineInput label="Last day" type="date" name="to" defaultValue={period.to} required />
        <p className="text-xs text-ink3">At most 92 days.</p>
        <Button type="submit" kind="primary">
          Apply
        </Button>
      </form>
    </Popup>
  );
}

const shownCurrencies = 4;

/** One currency at a time: amounts of several currencies are never added. */
export function CurrencyChoice({ currencies, current }: { currencies: string[]; current: string }) {
  const href = useHref();
  const router = useRouter();
  if (currencies.length < 2) return null;
  if (currencies.length > shownCurrencies) {
    const items = currencies.map((currency) => ({
      text: currency,
      checked: currency === current,
      onSelect: () => router.push(href({ currency }), { scroll: false }),
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
  const segments = currencies.map((currency) => ({ id: currency, text: currency, query: { currency } }));
  return <Segments label="Currency" segments={segments} current={current} small="min-h-6! px-2! text-xs" />;
}

/** Limits the overview to a merchant or to a MID. */
export function Filters({ filters: { merchant, mid, merchants, mids } }: Pick<Overview, 'filters'>) {
  const href = useHref();
  const router = useRouter();
  const go = (query: Query) => router.push(href(query), { scroll: false });
  const several = new Set(mids.map(({ merchantId }) => merchantId)).size > 1;
  const named = mids.map(({ id, name, merchantName }) => ({ id, name: several ? `${name}, ${merchantName}` : name }));
  return (
    <>
      {merchants.length > 1 ? (
        <Select
          size="short"
          aria-label="Merchant"
          value={merchant ?? ''}
          onChange={({ target }) => go({ merchant: target.value, mid: null })}
          options={optionsOf(['', 'All merchants'], ...merchants)}
        />
      ) : null}
      {mids.length > 1 || mid !== null ? (
        <Select
          size="short"
          aria-label="MID"
          value={mid ?? ''}
          onChange={({ target }) => go({ mid: target.value })}
          options={optionsOf(['', 'All MIDs'], ...named)}
        />
      ) : null}
    </>
  );
}

const newsMilliseconds = 60_000;

/**
 * Reloads every minute while the page is visible, its period is not over, and a user is at it: the reload is a request of
 * Next, which would keep the session of an abandoned page from being locked.
 */
export function AutoRefresh({ on }: { on: boolean }) {
  const router = useRouter();
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && isAttended()) router.refresh();
    }, newsMilliseconds);
    return () => clearInterval(timer);
  }, [on, router]);
  return null;
}
