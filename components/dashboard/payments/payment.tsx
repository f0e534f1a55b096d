'use client';
// A payment's page: summary and actions, the timeline, and the facts beside it; on a phone in tabs.
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import type { EventKind, PaymentPage } from '../../../lib/dashboard/contract.ts';
import { Status } from '../../ui/status.tsx';
import { Facts } from '../facts.tsx';
import type { IconName } from '../icons.tsx';
import { zoneText } from '../times.ts';
import {
  Actions,
  Code,
  FileLink,
  IconButton,
  Menu,
  Note,
  request,
  Tabs,
  useAction,
  useObject,
  useShortcuts,
} from '../ui/index.ts';
import { Time, useZone } from '../zone.tsx';
import { LedgerEntries } from './ledger-entries.tsx';
import { MoneyDialog, moveOf } from './money-dialog.tsx';
import styles from './payment.module.css';
import { resendCallback, Timeline } from './timeline.tsx';

const movingMilliseconds = 1_500;
const restingMilliseconds = 15_000;

type ActionName = keyof PaymentPage['actions'];

export function Payment({ initial }: { initial: PaymentPage }) {
  const {
    page: payment,
    take,
    refetch,
  } = useObject(`/payments/${initial.id}`, initial, {
    refetchInterval: ({ state }) => (state.data?.moving ? movingMilliseconds : restingMilliseconds),
  });
  const [open, setOpen] = useState<ActionName | null>(null);
  // The payment as it was when an unanswered request was sent: a retry uses the same version.
  const [unsure, setUnsure] = useState<PaymentPage | null>(null);
  const decided = unsure ?? payment;
  const close = () => {
    setOpen(null);
    setUnsure(null);
  };
  const [part, setPart] = useState<Part>('timeline');
  const [only, setOnly] = useState<EventKind | null>(null);
  const show = (next: Part, kind: EventKind | null) => {
    setPart(next);
    setOnly(kind);
  };
  const { actions } = payment;
  const choose = (name: ActionName) => () => (actions[name] ? setOpen(name) : undefined);
  useShortcuts({ c: choose('capture'), r: choose('refund'), v: choose('void') }, { on: open === null });
  useRequestedAction(actions, setOpen);
  return (
    <>
      <Head payment={payment} choose={setOpen} take={take} look={refetch} />
      <Unresolved payment={payment} />
      <MoneyLine payment={payment} />
      <Parts payment={payment} part={part} only={only} show={show} />
      <div className={styles.columns} data-part={part}>
        <Timeline payment={payment} take={take} only={only} setOnly={setOnly} />
        <div className={styles.facts}>
          <Facts groups={payment.groups} />
          <LedgerEntries payment={payment} />
          {payment.hasEvidence ? (
            <FileLink href={`/dashboard/api/payments/${payment.id}/evidence`}>Evidence (PDF)</FileLink>
          ) : null}
          {payment.customData ? (
            <Code text={payment.customData} language="json" title="custom_data" copy="custom_data" />
          ) : null}
        </div>
      </div>
      {open && decided.actions[open] ? (
        <MoneyDialog
          key={open}
          name={open}
          payment={decided}
          unsure={unsure && (unsure.version === payment.version ? 'same' : 'changed')}
          close={close}
          done={(page, what) => {
            take(page, what);
            close();
          }}
          changed={(isUnsure) => {
            setUnsure(isUnsure ? decided : null);
            void refetch();
          }}
        />
      ) : null}
    </>
  );
}

type Part = 'timeline' | 'details';

type PartsProps = {
  payment: PaymentPage;
  part: Part;
  only: EventKind | null;
  show: (part: Part, only: EventKind | null) => void;
};

/** On small screens either the timeline or the facts, with the callbacks as a part of the timeline. */
function Parts({ payment: { events }, part, only, show }: PartsProps) {
  const callbacks = events.filter(({ kind }) => kind === 'callback').length;
  const tabs = [
    { id: 'timeline', title: 'Timeline', count: events.length },
    { id: 'details', title: 'Details' },
    ...(callbacks > 0 ? [{ id: 'callbacks', title: 'Callbacks', count: callbacks }] : []),
  ];
  const choose = (id: string) =>
    show(id === 'details' ? 'details' : 'timeline', id === 'callbacks' ? 'callback' : null);
  const here = part === 'details' ? 'details' : only === 'callback' ? 'callbacks' : 'timeline';
  return (
    <div className="hidden border-b border-line px-gutter phone:block">
      <Tabs label="Parts of the payment" tabs={tabs} value={here} onChange={choose} />
    </div>
  );
}

/** `?action=refund` opens the dialog once: the list links to it. */
function useRequestedAction(actions: PaymentPage['actions'], choose: (name: ActionName) => void): void {
  const wanted = useSearchParams().get('action');
  const path = usePathname();
  useEffect(() => {
    if (wanted === null) return;
    history.replaceState(null, '', path);
    if (Object.hasOwn(actions, wanted)) choose(wanted as ActionName);
  }, [wanted, path, actions, choose]);
}

type HeadProps = {
  payment: PaymentPage;
  choose: (name: ActionName) => void;
  take: (page: PaymentPage, what: string) => void;
  look: () => unknown;
};

function Head({ payment, choose, take, look }: HeadProps) {
  const zone = useZone();
  const asking = useProviderSync({ payment, take, look });
  const { actions } = payment;
  return (
    <div className={styles.head}>
      <div className={styles.what}>
        <h1 className={styles.amount}>
          <span className="figures">{payment.amount}</span> <span className={styles.currency}>{payment.currency}</span>
          <span className={styles.status}>
            <Status status={payment.status} />
            {payment.reason ? <span className={styles.reason}>{payment.reason}</span> : null}
          </span>
        </h1>
        <p className={styles.about}>
          Order <code>{payment.orderNumber}</code> · {payment.description} ·{' '}
          <Time at={payment.createdAt} as="date and time" /> {zoneText(payment.createdAt, zone)}
        </p>
      </div>
      <div className={styles.actions}>
        <Actions
          of={(['capture', 'refund', 'void'] as const).map((name) => {
            const key = name.charAt(0);
            return (
              actions[name] !== undefined && {
                text: moveOf(name, payment).verb,
                icon: name,
                kind: name === 'void' ? 'plain' : 'primary',
                keys: key.toUpperCase(),
                'aria-keyshortcuts': key,
                onClick: () => choose(name),
              }
            );
          })}
        />
        {asking.buttons}
      </div>
      {asking.note}
    </div>
  );
}

/** Actions that move no money: resending the latest callback and syncing the status, with their results. */
function useProviderSync({ payment: { id, resend, asks, actions }, take, look }: Omit<HeadProps, 'choose'>) {
  const [message, setMessage] = useState<string | null>(null);
  const { run, busy, error } = useAction();
  const sync = async () => {
    setMessage(null);
    try {
      const { page, said } = await request<{ page: PaymentPage; said: string }>(`/payments/${id}/ask`, {
        method: 'POST',
      });
      take(page, said);
      setMessage(said);
    } catch (thrown) {
      look();
      throw thrown;
    }
  };
  const offer = (text: string, icon: IconName, work: () => Promise<void>) => ({
    text,
    icon,
    busy: busy === text,
    onClick: () => void run(work, text),
  });
  const offers = [
    ...(resend ? [offer('Resend callback', 'callback', () => resendCallback(resend, take))] : []),
    ...(asks ? [offer(`Sync status with ${asks}`, 'again', sync)] : []),
  ];
  // A phone has space for one more button next to the actions that move money.
  const folds = Object.keys(actions).length > 0 && offers.length > 0;
  const buttons = (
    <>
      <Actions of={offers.map((each) => ({ ...each, className: folds ? 'phone:hidden' : undefined }))} />
      {folds ? (
        <span className="hidden phone:block">
          <Menu label="More actions" items={offers.map(({ onClick, ...each }) => ({ ...each, onSelect: onClick }))}>
            <IconButton label="More actions" icon="dots" framed />
          </Menu>
        </span>
      ) : null}
    </>
  );
  const note =
    error || message ? (
      <div className="basis-full">
        <Note tone={error ? 'bad' : 'plain'} role={error ? 'alert' : 'status'}>
          {error ?? message}
        </Note>
      </div>
    ) : null;
  return { buttons, note };
}

function Unresolved({ payment: { id, unresolved } }: { payment: PaymentPage }) {
  if (unresolved.length === 0) return null;
  return (
    <div className={styles.unresolved}>
      <Note tone="bad">
        {unresolved.map((text) => (
          <p key={text}>{text}</p>
        ))}
        <Link href={`/dashboard/unresolved?q=${id}`} prefetch={false}>
          View under Unresolved
        </Link>
      </Note>
    </div>
  );
}

function MoneyLine({ payment: { sums, notes, currency } }: { payment: PaymentPage }) {
  if (sums.length === 0 && notes.length === 0) return null;
  return (
    <div className={styles.money}>
      {sums.length > 0 ? (
        <dl className={styles.sums}>
          {sums.map(({ name, amount, sign, quiet }) => (
            <div key={name} data-sign={sign ?? undefined}>
              <dt>{name}</dt>
              <dd className="figures" data-quiet={quiet || undefined}>
                {amount} {sign === '=' || sums.length === 1 ? currency : null}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      <div className={styles.notes}>
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
    </div>
  );
}
