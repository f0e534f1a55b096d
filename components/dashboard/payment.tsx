'use client';
// A payment's page: what it is and what can be done first, then everything that happened, with the facts beside it. It
// looks again by itself while something is on its way.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Code } from '../ui/code';
import { Status } from '../ui/status';
import { ask } from './client';
import { Facts } from './facts';
import { isTyping } from './filters';
import { Glyph, type GlyphName } from './glyphs';
import type { Actions, PaymentPage } from './model';
import { MoneyDialog } from './money-dialog';
import styles from './payment.module.css';
import { Timeline } from './timeline';
import { zoneText } from './times';
import { Time, useZone } from './zone';

const movingMilliseconds = 1_500;
const restingMilliseconds = 15_000;

export type ActionName = keyof Actions;

export function Payment({ initial }: { initial: PaymentPage }) {
  const client = useQueryClient();
  const key = ['payment', initial.id];
  const { data: payment = initial, refetch } = useQuery({
    queryKey: key,
    queryFn: () => ask<PaymentPage>(`/payments/${initial.id}`),
    initialData: initial,
    refetchInterval: ({ state }) => (state.data?.moving ? movingMilliseconds : restingMilliseconds),
  });
  const [open, setOpen] = useState<ActionName | null>(null);
  const [said, setSaid] = useState('');
  const take = (page: PaymentPage, what: string) => {
    client.setQueryData(key, page);
    setSaid(what);
  };
  useActionKeys(payment.actions, open === null, setOpen);
  return (
    <>
      <Head payment={payment} choose={setOpen} />
      <MoneyLine payment={payment} />
      <p className="unseen" aria-live="polite">
        {said}
      </p>
      <div className={styles.columns}>
        <Timeline payment={payment} take={take} />
        <div className={styles.facts}>
          <Facts groups={payment.groups} />
          {payment.customData ? <Code text={payment.customData} title="custom_data" copies="custom_data" /> : null}
        </div>
      </div>
      {open && payment.actions[open] ? (
        <MoneyDialog
          key={open}
          name={open}
          payment={payment}
          close={() => setOpen(null)}
          done={(page, what) => {
            take(page, what);
            setOpen(null);
          }}
          changed={() => refetch()}
        />
      ) : null}
    </>
  );
}

const keys: Record<ActionName, string> = { capture: 'c', refund: 'r', void: 'v' };

function useActionKeys(actions: Actions, free: boolean, choose: (name: ActionName) => void) {
  useEffect(() => {
    if (!free) return;
    const press = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const name = (Object.keys(keys) as ActionName[]).find((each) => keys[each] === event.key.toLowerCase());
      if (!name || !actions[name]) return;
      event.preventDefault();
      choose(name);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [actions, free, choose]);
}

function Head({ payment, choose }: { payment: PaymentPage; choose: (name: ActionName) => void }) {
  const zone = useZone();
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
        {actions.capture ? (
          <ActionButton name="capture" glyph="capture" primary choose={choose}>
            Capture
          </ActionButton>
        ) : null}
        {actions.refund ? (
          <ActionButton name="refund" glyph="refund" primary choose={choose}>
            Refund
          </ActionButton>
        ) : null}
        {actions.void ? (
          <ActionButton name="void" glyph="void" choose={choose}>
            {actions.void.kind === 'release' ? 'Release' : 'Void'}
          </ActionButton>
        ) : null}
      </div>
    </div>
  );
}

type ButtonProps = {
  name: ActionName;
  glyph: GlyphName;
  primary?: boolean;
  choose: (name: ActionName) => void;
  children: string;
};

function ActionButton({ name, glyph, primary = false, choose, children }: ButtonProps) {
  return (
    <button
      type="button"
      className={primary ? 'button primary' : 'button'}
      aria-keyshortcuts={keys[name]}
      onClick={() => choose(name)}
    >
      <Glyph name={glyph} />
      {children}
      <span aria-hidden="true" className={styles.key}>
        {keys[name].toUpperCase()}
      </span>
    </button>
  );
}

function MoneyLine({ payment: { sums, notes } }: { payment: PaymentPage }) {
  if (sums.length === 0 && notes.length === 0) return null;
  return (
    <div className={styles.money}>
      {sums.length > 0 ? (
        <dl className={styles.sums}>
          {sums.map(({ name, amount, sign, quiet }) => (
            <div key={name} data-sign={sign ?? undefined}>
              <dt>{name}</dt>
              <dd className="figures" data-quiet={quiet || undefined}>
                {amount}
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
