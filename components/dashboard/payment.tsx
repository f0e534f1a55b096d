'use client';
// A payment's page: what it is and what can be done first, then everything that happened, with the facts beside it. It
// looks again by itself while something is on its way.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { Status } from '../ui/status';
import { Facts } from './facts';
import { Button, Code, errorText, Note, request, useKeys, useToast } from './kit';
import type { Actions, PaymentPage } from './model';
import { MoneyDialog } from './money-dialog';
import styles from './payment.module.css';
import { Timeline, useResend } from './timeline';
import { zoneText } from './times';
import { Time, useZone } from './zone';

const movingMilliseconds = 1_500;
const restingMilliseconds = 15_000;

export type ActionName = keyof Actions;

export function Payment({ initial }: { initial: PaymentPage }) {
  const client = useQueryClient();
  const toast = useToast();
  const key = ['payment', initial.id];
  const { data: payment = initial, refetch } = useQuery({
    queryKey: key,
    queryFn: () => request<PaymentPage>(`/payments/${initial.id}`),
    initialData: initial,
    refetchInterval: ({ state }) => (state.data?.moving ? movingMilliseconds : restingMilliseconds),
  });
  const [open, setOpen] = useState<ActionName | null>(null);
  // The payment as it was when a request was sent that nobody has answered: what is asked again is asked on this.
  const [unsure, setUnsure] = useState<PaymentPage | null>(null);
  const decided = unsure ?? payment;
  const close = () => {
    setOpen(null);
    setUnsure(null);
  };
  const take = (page: PaymentPage, what: string) => {
    client.setQueryData(key, page);
    toast(what);
  };
  const { actions } = payment;
  const choose = (name: ActionName) => () => (actions[name] ? setOpen(name) : undefined);
  useKeys({ c: choose('capture'), r: choose('refund'), v: choose('void') }, { on: open === null });
  useWantedAction(actions, setOpen);
  return (
    <>
      <Head payment={payment} choose={setOpen} take={take} look={refetch} />
      <MoneyLine payment={payment} />
      <div className={styles.columns}>
        <Timeline payment={payment} take={take} />
        <div className={styles.facts}>
          <Facts groups={payment.groups} />
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
            if (isUnsure) setUnsure(decided);
            void refetch();
          }}
        />
      ) : null}
    </>
  );
}

/** `?action=refund` opens the dialog, once: the list leads here so. */
function useWantedAction(actions: Actions, choose: (name: ActionName) => void): void {
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
  /** Reads the payment again. */
  look: () => unknown;
};

function Head({ payment, choose, take, look }: HeadProps) {
  const zone = useZone();
  const asking = useAsking({ payment, take, look });
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
          <Button kind="primary" icon="capture" keys="C" aria-keyshortcuts="c" onClick={() => choose('capture')}>
            Capture
          </Button>
        ) : null}
        {actions.refund ? (
          <Button kind="primary" icon="refund" keys="R" aria-keyshortcuts="r" onClick={() => choose('refund')}>
            Refund
          </Button>
        ) : null}
        {actions.void ? (
          <Button icon="void" keys="V" aria-keyshortcuts="v" onClick={() => choose('void')}>
            {actions.void.kind === 'release' ? 'Release' : 'Void'}
          </Button>
        ) : null}
        {asking.buttons}
      </div>
      {asking.note}
    </div>
  );
}

/** What moves no money: the latest callback once more, and a question to the provider, with what came of them. */
function useAsking({ payment, take, look }: Omit<HeadProps, 'choose'>) {
  const { id, resend, asks } = payment;
  const [said, setSaid] = useState<string | null>(null);
  const send = useResend(take);
  const ask = useMutation({
    mutationFn: () => request<{ page: PaymentPage; said: string }>(`/payments/${id}/ask`, { method: 'POST' }),
    onMutate: () => setSaid(null),
    onError: () => void look(),
    onSuccess: (answer) => {
      take(answer.page, answer.said);
      setSaid(answer.said);
    },
  });
  const failed = ask.error ?? send.error;
  const buttons = (
    <>
      {resend ? (
        <Button icon="callback" busy={send.isPending} onClick={() => send.mutate(resend)}>
          Resend callback
        </Button>
      ) : null}
      {asks ? (
        <Button icon="again" busy={ask.isPending} onClick={() => ask.mutate()}>
          Ask {asks}
        </Button>
      ) : null}
    </>
  );
  const note =
    failed || said ? (
      <div className="basis-full">
        <Note tone={failed ? 'bad' : 'plain'} role={failed ? 'alert' : 'status'}>
          {failed ? errorText(failed) : said}
        </Note>
      </div>
    ) : null;
  return { buttons, note };
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
