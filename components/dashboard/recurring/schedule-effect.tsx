'use client';
// Shows what a change of a plan will charge before it is saved, computed by the code that makes the change.
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import type { ChangeEffect } from '../../../lib/dashboard/lists/contract';
import { AmountCell } from '../amount';
import { Note, request } from '../ui';
import { Time } from '../zone';

type Props = {
  scheduleId: string;
  /** The plan to send. */
  plan: Record<string, string>;
};

export function ScheduleEffect({ scheduleId, plan }: Props) {
  const query = useDeferredValue(new URLSearchParams(plan).toString());
  const { data } = useQuery({
    queryKey: ['schedule', scheduleId, 'effect', query],
    queryFn: () => request<ChangeEffect>(`/schedules/${scheduleId}/effect?${query}`),
    placeholderData: (before: ChangeEffect | undefined) => before,
    // The errors of an invalid plan are shown when it is saved.
    retry: false,
  });
  if (!data) return null;
  const { live, ending, charges } = data;
  return (
    <section aria-label="Charges after the change" className="grid gap-2">
      <Note tone="warn">
        {live === 1 ? 'The change affects 1 active subscription.' : `The change affects ${live} active subscriptions.`}{' '}
        {ending > 0 ? `${ending === 1 ? '1 of them ends' : `${ending} of them end`} with it. ` : null}
        Nothing is charged for the past.
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
      {live > charges.length ? <p className="text-xs text-ink3">The {charges.length} with the next charges.</p> : null}
    </section>
  );
}
