'use client';
// What a change of a plan will charge, asked of the functions that make the change, before it is saved.
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import type { ChangeEffect } from '../../../lib/dashboard/lists/contract';
import { AmountCell } from '../amount';
import { Note, request } from '../ui';
import { Time } from '../zone';

type Props = {
  scheduleId: string;
  /** The plan as it would be sent. */
  plan: Record<string, string>;
};

export function ScheduleEffect({ scheduleId, plan }: Props) {
  const query = useDeferredValue(new URLSearchParams(plan).toString());
  const { data } = useQuery({
    queryKey: ['schedule', scheduleId, 'effect', query],
    queryFn: () => request<ChangeEffect>(`/schedules/${scheduleId}/effect?${query}`),
    placeholderData: (before: ChangeEffect | undefined) => before,
    // A plan that is not valid yet has its faults named when it is saved.
    retry: false,
  });
  if (!data) return null;
  const { live, ending, charges } = data;
  return (
    <section aria-label="What the change charges" className="grid gap-2">
      <Note tone="warn">
        {live === 1 ? 'The change concerns 1 live subscription.' : `The change concerns ${live} live subscriptions.`}{' '}
        {ending > 0 ? `${ending === 1 ? '1 of them ends' : `${ending} of them end`} with it. ` : null}
        No payment is charged for the past.
      </Note>
      <table aria-label="Next charges after the change" className="w-full text-xs">
        <thead>
          <tr className="text-ink3">
            <th scope="col" className="py-1 text-start font-medium">
              Subscription
            </th>
            <th scope="col" className="py-1 text-start font-medium">
              Next charge now
            </th>
            <th scope="col" className="py-1 text-start font-medium">
              After the change
            </th>
            <th scope="col" className="py-1 text-end font-medium">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {charges.map(({ id, orderNumber, before, at, amount, currency }) => (
            <tr key={id} className="border-t border-line">
              <td className="py-1 pr-2">{orderNumber}</td>
              <td className="py-1 pr-2 text-ink2">
                <Time at={before} as="date and time" />
              </td>
              <td className="py-1 pr-2 font-strong">
                {at === null ? 'none, it ends' : <Time at={at} as="date and time" />}
              </td>
              <td className="py-1 text-end">
                <AmountCell amount={amount} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {live > charges.length ? <p className="text-xs text-ink3">The {charges.length} that are charged next.</p> : null}
    </section>
  );
}
