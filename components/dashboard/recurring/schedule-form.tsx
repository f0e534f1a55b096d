'use client';
// The plan of a schedule as a form, to create or change one. The code that charges computes the dates below it.
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { calendarDate, firstCharge, type IntervalUnit, type SchedulePlan } from '../../../lib/core/recurrence';
import type { PlanFields, SchedulePage } from '../../../lib/dashboard/lists/contract';
import { dateText } from '../times';
import { Button, Dialog, FormRow, Note, NumberInput, request, Select, showErrors, TextInput } from '../ui';
import { ScheduleEffect } from './schedule-effect';

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

const units = [
  { value: 'day', label: 'days' },
  { value: 'month', label: 'months' },
];
const delays = [
  { value: 'none', label: 'One interval after the initial payment' },
  { value: 'delay_by_interval', label: 'After a custom period' },
  { value: 'day_of_week', label: 'On the next weekday' },
  { value: 'day_of_month', label: 'On the next day of the month' },
];
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((label, at) => ({
  value: String(at + 1),
  label,
}));

type Props = {
  open: boolean;
  onClose: () => void;
  /** The schedule to change; absent for a new one. */
  changed?: { id: string; plan: PlanFields; live: number; onDone: (page: SchedulePage) => void };
  /** No merchant is selected for a new schedule. */
  merchantMissing?: boolean;
};

export function ScheduleForm({ open, onClose, changed, merchantMissing = false }: Props) {
  const router = useRouter();
  const form = useForm<PlanFields>({ defaultValues: fresh });
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (open) form.reset(changed ? { ...fresh, ...filled(changed.plan) } : fresh);
    setError(null);
  }, [open, changed, form]);
  const values = form.watch();
  const save = form.handleSubmit(async (input) => {
    setBusy(true);
    setError(null);
    try {
      const path = changed ? `/schedules/${changed.id}/change` : '/schedules';
      const page = await request<SchedulePage>(path, { body: needed(input) });
      if (changed) changed.onDone(page);
      else router.push(`/dashboard/schedules/${page.id}`);
      onClose();
    } catch (thrown) {
      setError(showErrors(form, thrown));
    } finally {
      setBusy(false);
    }
  });
  const verb = changed ? 'Change plan' : 'Create schedule';
  return (
    <Dialog
      open={open}
      onClose={onClose}
      wide
      title={changed ? 'Change plan' : 'Create schedule'}
      about={changed ? undefined : 'It charges nothing until a payment uses it.'}
      onConfirm={save}
      foot={
        <>
          <span>Logged under your name</span>
          <Button onClick={onClose}>Cancel</Button>
          {merchantMissing ? null : (
            <Button kind="primary" busy={busy} onClick={save} keys="Ctrl ↵">
              {verb}
            </Button>
          )}
        </>
      }
    >
      {merchantMissing ? (
        <Note tone="warn">
          A schedule belongs to one merchant. Select the merchant at the top of the sidebar first.
        </Note>
      ) : (
        <FormProvider {...form}>
          <form onSubmit={save} className="grid gap-4">
            <Fields values={values} register={form.register} />
          </form>
          {changed && changed.live > 0 && values.name.trim() !== '' && planOf(values) ? (
            <ScheduleEffect scheduleId={changed.id} plan={needed(values)} />
          ) : null}
          <Dates plan={planOf(values)} />
          {error ? (
            <p role="alert" className="text-xs text-bad">
              {error}
            </p>
          ) : null}
        </FormProvider>
      )}
    </Dialog>
  );
}

type FieldsProps = { values: PlanFields; register: ReturnType<typeof useForm<PlanFields>>['register'] };

function Fields({ values, register }: FieldsProps) {
  const { interval_unit: unit, delayed_first_payment: delay } = values;
  return (
    <>
      <FormRow stacked label="Name" name="name" help="Payers do not see it.">
        <TextInput maxLength={100} {...register('name')} />
      </FormRow>
      <div className="grid gap-4 md:grid-cols-3">
        <FormRow stacked label="Every" name="interval_length">
          <NumberInput {...register('interval_length')} />
        </FormRow>
        <FormRow stacked label="Unit" name="interval_unit">
          <Select size="full" options={units} {...register('interval_unit')} />
        </FormRow>
        <FormRow stacked label="Payments" name="payments_count">
          <NumberInput {...register('payments_count')} />
        </FormRow>
      </div>
      {unit === 'month' ? (
        <FormRow
          stacked
          label="Day of month"
          name="day_of_month"
          help="1 to 31; shorter months are charged on the last day. Empty: the day of the first charge."
        >
          <NumberInput {...register('day_of_month')} />
        </FormRow>
      ) : null}
      <FormRow stacked label="First charge" name="delayed_first_payment">
        <Select size="full" options={delays} {...register('delayed_first_payment')} />
      </FormRow>
      {delay === 'delay_by_interval' ? (
        <div className="grid gap-4 md:grid-cols-3">
          <FormRow stacked label="After" name="first_payment_interval_length">
            <NumberInput {...register('first_payment_interval_length')} />
          </FormRow>
          <FormRow stacked label="Unit of the period" name="first_payment_interval_unit">
            <Select size="full" options={units} {...register('first_payment_interval_unit')} />
          </FormRow>
        </div>
      ) : null}
      {delay === 'day_of_week' ? (
        <FormRow stacked label="Day of the week" name="first_payment_day_of_week">
          <Select options={weekdays} {...register('first_payment_day_of_week')} />
        </FormRow>
      ) : null}
      {delay === 'day_of_month' ? (
        <FormRow stacked label="Day of the first month" name="first_payment_day_of_month">
          <NumberInput {...register('first_payment_day_of_month')} />
        </FormRow>
      ) : null}
    </>
  );
}

const shown = 4;

/** The first dates of the plan for a payment made today. */
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
    return Array.from({ length: Math.min(shown, plan.paymentsCount) }, (_, at) => calendarDate(plan, first, at));
  } catch (thrown) {
    // Dates beyond the calendar: the server names the invalid field.
    if (thrown instanceof RangeError) return [];
    throw thrown;
  }
}

function filled(plan: PlanFields): Partial<PlanFields> {
  return Object.fromEntries(Object.entries(plan).filter(([, value]) => value !== ''));
}

/** Removes the fields that the selected first charge does not use. */
function needed(values: PlanFields): Partial<PlanFields> {
  const { interval_unit: unit, delayed_first_payment: delay } = values;
  const unneeded = [
    unit === 'month' ? '' : 'day_of_month',
    delay === 'delay_by_interval' ? '' : 'first_payment_interval_length first_payment_interval_unit',
    delay === 'day_of_week' ? '' : 'first_payment_day_of_week',
    delay === 'day_of_month' ? '' : 'first_payment_day_of_month',
  ].join(' ');
  return Object.fromEntries(Object.entries(values).filter(([name]) => !unneeded.split(' ').includes(name)));
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
