'use client';
// The entries of a payment in the ledger, which are loaded when they are opened.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LedgerEntries as Entries } from '../../../lib/dashboard/contract.ts';
import { errorText, request } from '../ui/index.ts';
import { Time } from '../zone.tsx';

export function LedgerEntries({ payment: { id, version } }: { payment: { id: string; version: number } }) {
  const [open, setOpen] = useState(false);
  const { data, error } = useQuery({
    queryKey: ['ledger-entries', id, version],
    queryFn: () => request<Entries>(`/payments/${id}/entries`),
    enabled: open,
  });
  return (
    <details className="border-t border-line py-3" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer font-semibold">Ledger entries</summary>
      {error ? <p role="alert">{errorText(error)}</p> : null}
      {data?.entries.length === 0 ? <p className="mt-2 text-ink2">No money was booked yet.</p> : null}
      <ol className="m-0 mt-2 grid list-none gap-2.5 p-0">
        {data?.entries.map((entry) => (
          <li key={entry.id} className="grid">
            <span className="flex justify-between gap-3">
              <span className="font-medium">{entry.movement}</span>
              <span className="figures">
                {entry.amount} {entry.currency}
              </span>
            </span>
            <span className="text-xs text-ink2">
              Debit {entry.debit}, credit {entry.credit}
            </span>
            <span className="text-xs text-ink3">
              <Time at={entry.postedAt} as="date and time" />
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
