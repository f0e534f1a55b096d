'use client';
// A schedule's page: the plan, upcoming charges, subscribers and past charges.
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { MissedCharges, SchedulePage, SubscriptionRow } from '../../../lib/dashboard/lists/contract.ts';
import { ActivityLog, Identifier, ObjectHead, PagedLines, PaymentLines } from '../lists/object-head.tsx';
import { type MenuItem, Note, type Offers, type Question, request, Tabs, useObject, useQuestion } from '../ui/index.ts';
import { Time } from '../zone.tsx';
import { SchedulePreview } from './preview.tsx';
import { planForm } from './schedule-form.tsx';
import { Subscriptions } from './subscriptions.tsx';

const refreshMilliseconds = 15_000;

export function ScheduleView({ initial }: { initial: SchedulePage }) {
  const client = useQueryClient();
  const path = `/schedules/${initial.id}`;
  const { page: schedule, take } = useObject(path, initial, { refetchInterval: refreshMilliseconds });
  const [tab, setTab] = useState('next');
  const { ask, dialog } = useQuestion();
  const changed = (page: SchedulePage, message: string) => {
    take(page, message);
    void client.invalidateQueries({ queryKey: ['lines'] });
  };
  const askFor: AskFor = ({ action, body = {}, done, ...question }) =>
    ask({
      ...question,
      onConfirm: async () => changed(await request<SchedulePage>(`${path}/${action}`, { body }), done),
    });
  const askPlan = () => ask(planForm(`${path}/change`, (page) => changed(page, 'Plan changed.'), schedule));
  return (
    <>
      <ObjectHead
        title={schedule.name}
        state={schedule.state}
        {...(schedule.mayChange && actionsOf(schedule, askFor, askPlan))}
        facts={{
          Charges: schedule.every,
          'First charge': schedule.first,
          Length: `${schedule.length}, then it ends`,
          Subscribers: subscribersText(schedule),
          schedule_id: <Identifier whole={schedule.id} what="schedule_id" />,
          Merchant: schedule.merchantName,
        }}
      />
      {schedule.state === 'paused' ? (
        <div className="px-gutter pt-4">
          <Note tone="warn" icon="pause">
            Paused: nothing is charged and new subscriptions are not possible. Dates during the pause are skipped
            permanently.
          </Note>
        </div>
      ) : null}
      <Alarms schedule={schedule} />
      <div className="border-b border-line px-gutter">
        <Tabs label="Parts of the schedule" value={tab} onChange={setTab} tabs={tabsOf(schedule)} />
      </div>
      <Part tab={tab} schedule={schedule} onEnd={schedule.mayChange ? (row) => askFor(endQuestion(row)) : undefined} />
      {dialog}
    </>
  );
}

type AskFor = (question: ScheduleQuestion) => void;

type ScheduleQuestion = Omit<Question, 'onConfirm' | 'done'> & { action: string; body?: object; done: string };

const countOf = (count: number, one: string, many: string) => (count === 1 ? `1 ${one}` : `${count} ${many}`);

function Alarms({ schedule: { missed, braked } }: { schedule: SchedulePage }) {
  if (!missed && braked === 0) return null;
  return (
    <div className="grid gap-2 px-gutter pt-4">
      {missed ? <Note tone="warn">{missedText(missed)}</Note> : null}
      {braked > 0 ? (
        <Note tone="warn">
          {countOf(braked, 'charge was', 'charges were')} skipped: a subscription is never charged before its date or
          more often than its interval. The tab Subscribers shows which; the charge is made on its date.
        </Note>
      ) : null}
    </div>
  );
}

function missedText({ slots, charged, subscriptions, from }: MissedCharges): ReactNode {
  const missed = `${countOf(slots, 'date was', 'dates were')} missed by ${countOf(subscriptions, 'subscription', 'subscriptions')} while the service was down.`;
  if (charged === 0) return `${missed} None of them is charged.`;
  if (!from) return `${missed} ${charged} of them will be charged.`;
  return (
    <>
      {missed} {charged} of them will be charged from <Time at={from} as="date and time" />. To prevent it, pause the
      schedule or change the mapping.
    </>
  );
}

const tabsOf = ({ subscriptions, deeds }: SchedulePage) => [
  { id: 'next', title: 'Upcoming charges' },
  { id: 'subscribers', title: 'Subscribers', count: subscriptions },
  { id: 'charges', title: 'Charges' },
  { id: 'dashboard', title: 'In the dashboard', count: deeds.length },
];

function subscribersText({ live, failing }: SchedulePage): string {
  if (live === 0) return 'none';
  return failing > 0 ? `${live} active, ${failing} failing` : `${live} active`;
}

function actionsOf(schedule: SchedulePage, askFor: AskFor, change: () => void) {
  const { resume, pause, remove } = questionsOf(schedule);
  const actions: Offers = [
    schedule.state === 'paused'
      ? { text: 'Resume', icon: 'play', onClick: () => askFor(resume) }
      : { text: 'Pause', icon: 'pause', onClick: () => askFor(pause) },
    { text: 'Change plan', icon: 'pencil', onClick: change },
  ];
  const menu: MenuItem[] = [{ text: 'Delete schedule', icon: 'trash', danger: true, onSelect: () => askFor(remove) }];
  return { actions, menu };
}

const questionsOf = ({ name, live }: SchedulePage) => ({
  pause: {
    action: 'pause',
    title: `Pause ${name}`,
    verb: 'Pause schedule',
    done: 'Schedule paused.',
    text: (
      <>
        <p>
          Nothing is charged and new subscriptions are not possible until it is resumed.{' '}
          {live > 0 ? `${countOf(live, 'subscriber is', 'subscribers are')} affected.` : null}
        </p>
        <p className="text-ink2">Dates during the pause are skipped permanently; they are not charged later.</p>
      </>
    ),
  },
  resume: {
    action: 'run',
    title: `Resume ${name}`,
    verb: 'Resume schedule',
    done: 'Schedule resumed.',
    text: 'Charges continue with the next date. Dates during the pause are skipped.',
  },
  remove: {
    action: 'delete',
    title: `Delete ${name}`,
    verb: 'Delete schedule',
    danger: true,
    done: 'Schedule deleted.',
    text:
      live > 0
        ? `It has ${countOf(live, 'active subscription', 'active subscriptions')}: end them first, or pause the schedule instead.`
        : 'Payments that use it are refused from now on. Its past charges stay.',
  },
});

const endQuestion = ({ id, orderNumber, payer }: SubscriptionRow): ScheduleQuestion => ({
  action: 'deschedule',
  body: { subscription: id },
  done: 'Subscription ended.',
  title: `End the subscription of ${orderNumber}`,
  verb: 'End subscription',
  danger: true,
  text: `The schedule no longer charges ${payer ?? 'this payer'} . The recurring token stays valid: your server can charge the card or subscribe it again.`,
});

type PartProps = { tab: string; schedule: SchedulePage; onEnd?: (row: SubscriptionRow) => void };

function Part({ tab, schedule, onEnd }: PartProps) {
  const path = `/schedules/${schedule.id}`;
  if (tab === 'next') return <SchedulePreview key={schedule.preview.subscription} schedule={schedule} />;
  if (tab === 'subscribers') {
    return (
      <PagedLines initial={schedule.subscribers} path={`${path}/subscriptions`}>
        {(rows) => <Subscriptions rows={rows} of="schedule" onEnd={onEnd} />}
      </PagedLines>
    );
  }
  if (tab === 'charges') {
    return (
      <PaymentLines caption="Charges" initial={schedule.charges} path={`${path}/charges`} empty="No charges yet." />
    );
  }
  return schedule.deeds.length > 0 ? (
    <ActivityLog deeds={schedule.deeds} />
  ) : (
    <p className="px-gutter py-4 text-ink2">No actions in the dashboard yet.</p>
  );
}
