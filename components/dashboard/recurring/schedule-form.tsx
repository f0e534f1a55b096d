'use client';
// The plan of a schedule as a form, to create or change one, and the list of schedules. The code that charges computes
// the dates below the form.
import { keepPreviousData } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useDeferredValue, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { calendarDate, firstCharge, type IntervalUnit, type SchedulePlan } from '../../../lib/core/recurrence.ts';
import type { ChangeEffect, PlanFields, SchedulePage, ScheduleRow } from '../../../lib/dashboard/lists/contract.ts';
import { AmountCell } from '../amount.tsx';
import { dateText } from '../times.ts';
import {
  Button,
  Dialog,
  type Field,
  Fields,
  type FormQuestion,
  fieldsOf,
  ListPage,
  type ListProps,
  Note,
  optionsOf,
  request,
  type SmallColumn,
  SmallTable,
  useQuestion,
  useRead,
} from '../ui/index.ts';
import { Time } from '../zone.tsx';

const fresh: PlanFields = {
  name: '',
  interval_length: '1',
  interval_unit: 'month',
  payments_count: '12',
  day_of_month: '',
  delayed_first_payment: 'none',
  first_payment_interval_length: '',
  first_payment_interval_unit: 'day',
  first_payment_day_of_week: '1',
  first_payment_day_of_month: '1',
};

const units = optionsOf(['day', 'days'], ['month', 'months']);
const delays = optionsOf(
  ['none', 'One interval after the initial payment'],
  ['delay_by_interval', 'After a custom period'],
  ['day_of_week', 'On the next weekday'],
  ['day_of_month', 'On the next day of the month'],
);
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((label, at) => ({
  value: String(at + 1),
  label,
}));

const { text, number, select } = fieldsOf<PlanFields>();

const isDelayed = (by: string) => (values: PlanFields) => values.delayed_first_payment === by;

/** The rows of the form, each with its fields side by side. */
const rows: readonly Field<PlanFields>[][] = [
  [text('name', 'Name', { help: 'Payers do not see it.', maxLength: 100 })],
  [
    number('interval_length', 'Every'),
    select('interval_unit', 'Unit', { size: 'full', options: units }),
    number('payments_count', 'Payments'),
  ],
  [
    number('day_of_month', 'Day of month', {
      help: '1 to 31; shorter months are charged on the last day. Empty: the day of the first charge.',
      when: ({ interval_unit: unit }) => unit === 'month',
    }),
  ],
  [select('delayed_first_payment', 'First charge', { size: 'full', options: delays })],
  [
    number('first_payment_interval_length', 'After', { when: isDelayed('delay_by_interval') }),
    select('first_payment_interval_unit', 'Unit of the period', {
      size: 'full',
      options: units,
      when: isDelayed('delay_by_interval'),
    }),
  ],
  [select('first_payment_day_of_week', 'Day of the week', { options: weekdays, when: isDelayed('day_of_week') })],
  [number('first_payment_day_of_month', 'Day of the first month', { when: isDelayed('day_of_month') })],
];

type Changed = Pick<SchedulePage, 'id' | 'plan' | 'live'>;

/** The plan of a new schedule, or of the `changed` one; it is sent to the path, and the answer is taken. */
export function planForm(
  path: string,
  take: (page: SchedulePage) => void,
  changed?: Changed,
): FormQuestion<PlanFields> {
  const filled = Object.entries(changed?.plan ?? {}).filter(([, value]) => value !== '');
  return {
    title: changed ? 'Change plan' : 'Create schedule',
    wide: true,
    keys: 'Ctrl ↵',
    about: changed ? undefined : aboutNew,
    defaultValues: { ...fresh, ...Object.fromEntries(filled) },
    children: <Plan changed={changed} />,
    onConfirm: async (values) => take(await request<SchedulePage>(path, { body: needed(values) })),
  };
}

const aboutNew = 'It charges nothing until a payment uses it.';

/** Why there is no form: no merchant is selected for a new schedule. */
function MerchantMissing({ onClose }: { onClose: () => void }) {
  const foot = (
    <>
      <span>Logged under your name</span>
      <Button onClick={onClose}>Cancel</Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} wide title="Create schedule" about={aboutNew} foot={foot}>
      <Note tone="warn">A schedule belongs to one merchant. Select the merchant at the top of the sidebar first.</Note>
    </Dialog>
  );
}

function Plan({ changed }: { changed?: Changed }) {
  const values = useWatch() as PlanFields;
  const plan = planOf(values);
  return (
    <>
      {rows.map((fields) => {
        const shown = fields.filter(({ when }) => !when || when(values));
        const key = fields[0]?.name;
        if (shown.length < 2) return <Fields key={key} of={shown} stacked />;
        return (
          <div key={key} className="grid gap-4 md:grid-cols-3">
            <Fields of={shown} stacked />
          </div>
        );
      })}
      {changed && changed.live > 0 && values.name.trim() !== '' && plan ? (
        <ScheduleEffect scheduleId={changed.id} plan={needed(values)} />
      ) : null}
      <Dates plan={plan} />
    </>
  );
}

type Charge = ChangeEffect['charges'][number];

const chargeColumns: SmallColumn<Charge>[] = [
  { head: 'Subscription', headClass: 'text-start', cellClass: 'pr-2', cell: ({ orderNumber }) => orderNumber },
  {
    head: 'Next charge now',
    headClass: 'text-start',
    cellClass: 'pr-2 text-ink2',
    cell: ({ before }) => <Time at={before} as="date and time" />,
  },
  {
    head: 'After the change',
    headClass: 'text-start',
    cellClass: 'pr-2 font-strong',
    cell: ({ at }) => (at === null ? 'none, it ends' : <Time at={at} as="date and time" />),
  },
  { head: 'Amount', className: 'text-end', cell: (charge) => <AmountCell {...charge} /> },
];

/** Shows what a change of a plan will charge before it is saved, computed by the code that makes the change. */
function ScheduleEffect({ scheduleId, plan }: { scheduleId: string; plan: Record<string, string> }) {
  const query = useDeferredValue(new URLSearchParams(plan).toString());
  const { data } = useRead<ChangeEffect>(`/schedules/${scheduleId}/effect?${query}`, {
    placeholderData: keepPreviousData,
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
      <SmallTable
        label="Next charges after the change"
        className="w-full text-xs"
        headCell="py-1 font-medium text-ink3"
        cell="border-t border-line py-1"
        columns={chargeColumns}
        rows={charges.map((charge) => ({ ...charge, key: charge.id }))}
      />
      {live > charges.length ? <p className="text-xs text-ink3">The {charges.length} with the next charges.</p> : null}
    </section>
  );
}

const shownDates = 4;

function Dates({ plan }: { plan: SchedulePlan | null }) {
  const dates = plan ? datesOf(plan) : [];
  return (
    <p aria-live="polite" className="min-h-5 text-xs text-ink3">
      {dates.length > 0 ? (
        <>
          A payment made today is followed by charges on{' '}
          <span className="figures text-ink">{dates.map(dateText).join(', ')}</span>
          {plan && plan.paymentsCount > dates.length ? ' and so on.' : '.'}
        </>
      ) : null}
    </p>
  );
}

function datesOf(plan: SchedulePlan): string[] {
  try {
    const first = firstCharge(plan, { initDate: new Date().toISOString().slice(0, 10) });
    return Array.from({ length: Math.min(shownDates, plan.paymentsCount) }, (_, at) => calendarDate(plan, first, at));
  } catch (thrown) {
    // Dates beyond the calendar: the server names the invalid field.
    if (thrown instanceof RangeError) return [];
    throw thrown;
  }
}

function needed(values: PlanFields): Partial<PlanFields> {
  const shown = rows.flat().filter(({ when }) => !when || when(values));
  return Object.fromEntries(Object.entries(values).filter(([name]) => shown.some((field) => field.name === name)));
}

/** The plan of the form; null while a number is missing. */
function planOf(values: PlanFields): SchedulePlan | null {
  const input = needed(values);
  const whole = (text: string | undefined) => (/^[1-9]\d{0,3}$/.test(text ?? '') ? Number(text) : null);
  const intervalLength = whole(input.interval_length);
  const paymentsCount = whole(input.payments_count);
  if (intervalLength === null || paymentsCount === null) return null;
  const plan = {
    intervalLength,
    paymentsCount,
    intervalUnit: values.interval_unit as IntervalUnit,
    dayOfMonth: whole(input.day_of_month),
    delayedFirstPayment: values.delayed_first_payment as SchedulePlan['delayedFirstPayment'],
    firstPaymentIntervalLength: whole(input.first_payment_interval_length),
    firstPaymentIntervalUnit: (input.first_payment_interval_unit ?? null) as IntervalUnit | null,
    firstPaymentDayOfWeek: whole(input.first_payment_day_of_week),
    firstPaymentDayOfMonth: whole(input.first_payment_day_of_month),
  };
  const isBeyond = (day: number | null) => day !== null && day > 31;
  return isBeyond(plan.dayOfMonth) || isBeyond(plan.firstPaymentDayOfMonth) ? null : plan;
}

export function Schedules({ mayChange, ...list }: ListProps<ScheduleRow> & { mayChange: boolean }) {
  const { push } = useRouter();
  const { ask, dialog } = useQuestion();
  const [isMissing, setMissing] = useState(false);
  const askPlan = () => ask(planForm('/schedules', ({ id }) => push(`/dashboard/schedules/${id}`)));
  const create = mayChange ? (
    <Button icon="plus" size="small" onClick={() => (list.view.manyMerchants ? setMissing(true) : askPlan())}>
      Create schedule
    </Button>
  ) : null;
  return (
    <>
      <ListPage<ScheduleRow> {...list} tools={create} firstStep={create} />
      {dialog}
      {isMissing ? <MerchantMissing onClose={() => setMissing(false)} /> : null}
    </>
  );
}
