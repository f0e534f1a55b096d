'use client';
// A schedule's page: the plan, upcoming charges, subscribers and past charges.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type {
  ListOf,
  MissedCharges,
  PaymentLine,
  SchedulePage,
  SubscriptionRow,
} from '../../../lib/dashboard/lists/contract';
import { ActivityLog, PageLinks, PaymentLines } from '../lists/cells';
import { Identifier, ObjectHead, shortId } from '../lists/object-head';
import { Button, ConfirmDialog, IconButton, Menu, Note, request, Tabs, useToast } from '../ui';
import { Time } from '../zone';
import { SchedulePreview } from './preview';
import { ScheduleForm } from './schedule-form';
import { Subscriptions } from './subscriptions';

const refreshMilliseconds = 15_000;

type Asking = 'pause' | 'run' | 'delete' | 'change' | SubscriptionRow | null;

export function ScheduleView({ initial }: { initial: SchedulePage }) {
  const client = useQueryClient();
  const toast = useToast();
  const [tab, setTab] = useState('next');
  const [asking, setAsking] = useState<Asking>(null);
  const path = `/schedules/${initial.id}`;
  const key = ['schedule', initial.id];
  const { data: schedule = initial } = useQuery({
    queryKey: key,
    queryFn: () => request<SchedulePage>(path),
    initialData: initial,
    refetchInterval: refreshMilliseconds,
  });
  const take = (page: SchedulePage, message: string) => {
    client.setQueryData(key, page);
    void client.invalidateQueries({ queryKey: ['schedule-part', initial.id] });
    toast(message);
  };
  const act = async (action: string, notice: string, body: object = {}) =>
    take(await request<SchedulePage>(`${path}/${action}`, { body }), notice);
  const close = () => setAsking(null);
  return (
    <>
      <ObjectHead
        title={schedule.name}
        state={schedule.state}
        actions={schedule.mayChange ? <Actions schedule={schedule} ask={setAsking} /> : null}
        facts={[
          { name: 'Charges', value: schedule.every },
          { name: 'First charge', value: schedule.first },
          { name: 'Length', value: `${schedule.length}, then it ends` },
          { name: 'Subscribers', value: subscribersText(schedule) },
          {
            name: 'schedule_id',
            value: <Identifier text={shortId(schedule.id)} whole={schedule.id} what="schedule_id" />,
          },
          { name: 'Merchant', value: schedule.merchantName },
        ]}
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
      <Part tab={tab} schedule={schedule} onEnd={schedule.mayChange ? setAsking : undefined} />
      <Dialogs schedule={schedule} asking={asking} close={close} act={act} />
      <ScheduleForm
        open={asking === 'change'}
        onClose={close}
        changed={{
          id: schedule.id,
          plan: schedule.plan,
          live: schedule.live,
          onDone: (page) => take(page, 'Plan changed.'),
        }}
      />
    </>
  );
}

/** Missed dates, and charges that the spacing check skipped. */
function Alarms({ schedule: { missed, braked } }: { schedule: SchedulePage }) {
  if (!missed && braked === 0) return null;
  return (
    <div className="grid gap-2 px-gutter pt-4">
      {missed ? <Note tone="warn">{missedText(missed)}</Note> : null}
      {braked > 0 ? (
        <Note tone="warn">
          {braked === 1 ? '1 charge was' : `${braked} charges were`} skipped: a subscription is never charged before its
          date or more often than its interval. The tab Subscribers shows which; the charge is made on its date.
        </Note>
      ) : null}
    </div>
  );
}

function missedText({ slots, charged, subscriptions, from }: MissedCharges): ReactNode {
  const dates = slots === 1 ? '1 date was missed' : `${slots} dates were missed`;
  const of = subscriptions === 1 ? '1 subscription' : `${subscriptions} subscriptions`;
  return (
    <>
      {dates} by {of} while the service was down.{' '}
      {charged === 0 ? 'None of them is charged.' : `${charged} of them will be charged`}
      {charged > 0 && from ? (
        <>
          {' '}
          from <Time at={from} as="date and time" />. To prevent it, pause the schedule or change the mapping
        </>
      ) : null}
      {charged > 0 ? '.' : null}
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

function Actions({ schedule, ask }: { schedule: SchedulePage; ask: (what: Asking) => void }) {
  const paused = schedule.state === 'paused';
  return (
    <>
      <Button icon={paused ? 'play' : 'pause'} onClick={() => ask(paused ? 'run' : 'pause')}>
        {paused ? 'Resume' : 'Pause'}
      </Button>
      <Button icon="pencil" onClick={() => ask('change')}>
        Change plan
      </Button>
      <Menu
        label="More actions"
        items={[{ text: 'Delete schedule', icon: 'trash', danger: true, onSelect: () => ask('delete') }]}
      >
        <IconButton label="More actions" icon="dots" framed />
      </Menu>
    </>
  );
}

type PartProps = { tab: string; schedule: SchedulePage; onEnd?: (row: SubscriptionRow) => void };

function Part({ tab, schedule, onEnd }: PartProps) {
  const path = `/schedules/${schedule.id}`;
  if (tab === 'next') return <SchedulePreview key={schedule.preview.subscription} schedule={schedule} />;
  if (tab === 'subscribers') return <Subscribers schedule={schedule} onEnd={onEnd} />;
  if (tab === 'charges') {
    return (
      <PaymentLines
        caption="Charges"
        name={['schedule-part', schedule.id, 'charges']}
        initial={schedule.charges}
        more={(query) => request<ListOf<PaymentLine>>(`${path}/charges?${query}`)}
        empty="No charges yet."
      />
    );
  }
  return schedule.deeds.length > 0 ? (
    <ActivityLog deeds={schedule.deeds} />
  ) : (
    <p className="px-gutter py-4 text-ink2">No actions in the dashboard yet.</p>
  );
}

function Subscribers({ schedule, onEnd }: Omit<PartProps, 'tab'>) {
  const [place, setPlace] = useState('');
  const { data = schedule.subscribers } = useQuery({
    queryKey: ['schedule-part', schedule.id, 'subscribers', place],
    queryFn: () => request<ListOf<SubscriptionRow>>(`/schedules/${schedule.id}/subscriptions?${place}`),
    initialData: place === '' ? schedule.subscribers : undefined,
    placeholderData: (before: ListOf<SubscriptionRow> | undefined) => before,
  });
  return (
    <>
      <Subscriptions rows={data.rows} of="schedule" onEnd={onEnd} />
      <PageLinks list={data} onPlace={setPlace} />
    </>
  );
}

type DialogsProps = {
  schedule: SchedulePage;
  asking: Asking;
  close: () => void;
  act: (action: string, said: string, body?: object) => Promise<void>;
};

function Dialogs({ schedule, asking, close, act }: DialogsProps) {
  const { name, live } = schedule;
  const ending = asking !== null && typeof asking === 'object' ? asking : null;
  return (
    <>
      <ConfirmDialog
        open={asking === 'pause'}
        title={`Pause ${name}`}
        verb="Pause schedule"
        onConfirm={() => act('pause', 'Schedule paused.')}
        onClose={close}
      >
        <p>
          Nothing is charged and new subscriptions are not possible until it is resumed.{' '}
          {live > 0 ? `${live === 1 ? '1 subscriber is' : `${live} subscribers are`} affected.` : null}
        </p>
        <p className="text-ink2">Dates during the pause are skipped permanently; they are not charged later.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'run'}
        title={`Resume ${name}`}
        verb="Resume schedule"
        onConfirm={() => act('run', 'Schedule resumed.')}
        onClose={close}
      >
        <p>Charges continue with the next date. Dates during the pause are skipped.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'delete'}
        title={`Delete ${name}`}
        verb="Delete schedule"
        danger
        onConfirm={() => act('delete', 'Schedule deleted.')}
        onClose={close}
      >
        <p>
          {live > 0
            ? `It has ${live === 1 ? '1 active subscription' : `${live} active subscriptions`}: end them first, or pause the schedule instead.`
            : 'Payments that use it are refused from now on. Its past charges stay.'}
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={ending !== null}
        title={`End the subscription of ${ending?.orderNumber ?? ''}`}
        verb="End subscription"
        danger
        onConfirm={() => act('deschedule', 'Subscription ended.', { subscription: ending?.id })}
        onClose={close}
      >
        <p>
          The schedule no longer charges {ending?.payer ?? 'this payer'} . The recurring token stays valid: your server
          can charge the card or subscribe it again.
        </p>
      </ConfirmDialog>
    </>
  );
}
