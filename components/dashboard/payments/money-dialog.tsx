'use client';
// The dialog before money moves: the operation, the amounts now and afterwards, and the callback. Its button contains
// the amount. Each dialog has an idempotency key: a request without a response may have moved the money, and a retry
// under the same key moves it once and returns the outcome.
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { exponentOf } from '../../../lib/core/currencies';
import { formatAmount, grouped, parseAmount } from '../../../lib/core/money';
import { ambiguousAmount, plainAmount } from '../../../lib/core/typed-amount';
import type { Actions, PaymentPage } from '../../../lib/dashboard/contract';
import { ErrorIcon } from '../../ui/icons';
import { Status } from '../../ui/status';
import { Icon } from '../icons';
import { Note, newRequestKey, RequestFailed, request } from '../ui';
import { isOutcomeUnknown } from '../ui/request';
import styles from './money-dialog.module.css';

type Name = keyof Actions;

type Props = {
  name: Name;
  payment: PaymentPage;
  /** The outcome is unknown: the payment is as it was before the request, or has changed since. */
  unsure: 'same' | 'changed' | null;
  close: () => void;
  done: (page: PaymentPage, what: string) => void;
  /**
   * The displayed payment is outdated and must be reloaded. `unsure`: it may be outdated, because there was no
   * response.
   */
  changed: (unsure: boolean) => void;
};

type Form = { amount: string; reason: string };

export function MoneyDialog({ name, payment, unsure, close, done, changed }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const move = moveOf(name, payment);
  const { verb, most } = move;
  const form = useForm<Form>({ defaultValues: { amount: most, reason: '' }, mode: 'onTouched' });
  const { setFocus } = form;
  const act = useMove(form, verb, { name, payment, done, changed });
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
    if (name !== 'void') setFocus('amount', { shouldSelect: true });
  }, [name, setFocus]);
  const { amount } = form.watch();
  const error = amountError(amount, most, payment.currency);
  const submit = form.handleSubmit((values) => {
    if (!act.isPending) act.mutate({ ...values, amount: plainOf(values.amount) });
  });
  const confirm = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void submit();
  };
  // A void always covers the full amount.
  const shownAmount = error === null ? `${grouped(plainOf(amount))} ${payment.currency}` : '';
  const fieldless = act.isError && !(act.error instanceof RequestFailed && Object.keys(act.error.fields).length > 0);
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={titleId} onClose={close} onKeyDown={confirm}>
      <form noValidate onSubmit={submit}>
        <div className={styles.body}>
          <div className={styles.head}>
            <h2 id={titleId}>
              {verb} {payment.orderNumber}
            </h2>
            <button type="button" className={styles.cross} onClick={close} title="Close">
              <Icon name="cross" />
              <span className="unseen">Close</span>
            </button>
            {payment.paidWith ? (
              <p className="soft">
                {name === 'refund' ? 'To' : 'Paid with'} {payment.paidWith}
              </p>
            ) : null}
          </div>
          {name === 'void' ? null : (
            <Fields form={form} move={move} currency={payment.currency} locked={unsure !== null} />
          )}
          <AfterTable move={move} payment={payment} moved={error === null ? minorOf(amount, payment.currency) : null} />
          <p className={styles.notice}>
            <Icon name="callback" />
            <span>
              A callback of type {move.type}{' '}
              {payment.callbackHost
                ? `is sent to ${payment.callbackHost}`
                : 'is recorded but not sent, because there is no callback URL'}
              . This can't be undone.
            </span>
          </p>
          {unsure !== null ? (
            <Note tone="warn" role="alert">
              {unsureTexts[unsure]}
            </Note>
          ) : fieldless ? (
            <p role="alert" className="note bad">
              {act.error?.message}
            </p>
          ) : null}
        </div>
        <div className={styles.foot}>
          <span className="quiet">Logged under your name</span>
          <button type="button" className="button" onClick={close}>
            {unsure === null ? 'Cancel' : 'Close'}
          </button>
          <button
            type="submit"
            className={name === 'void' ? `button ${styles.danger}` : 'button primary'}
            aria-busy={act.isPending || undefined}
          >
            {act.isPending ? 'Sending to the provider' : `${unsure ? 'Retry: ' : ''}${verb} ${shownAmount}`}
            <span aria-hidden="true" className={styles.key}>
              Ctrl ↵
            </span>
          </button>
        </div>
      </form>
    </dialog>
  );
}

const unsureTexts = {
  same: 'No response was received. The operation may have been processed or may still be in progress. A retry runs it once at most.',
  changed:
    'No response was received, and the payment has changed since. A retry shows whether it was processed, and runs it once at most.',
};

type Sending = Pick<Props, 'name' | 'payment' | 'done' | 'changed'>;

/** Sends the request; field errors are shown at the fields. */
function useMove(form: UseFormReturn<Form>, verb: string, { name, payment, done, changed }: Sending) {
  const [key] = useState(newRequestKey);
  return useMutation({
    mutationFn: ({ amount, reason }: Form) =>
      request<PaymentPage>(`/payments/${payment.id}/${name}`, {
        body: { version: payment.version, key, ...(name !== 'void' && { amount, reason }) },
      }),
    onSuccess: (page) => done(page, `${verb} of ${payment.orderNumber} is in progress.`),
    onError: (error) => {
      if (isOutcomeUnknown(error)) changed(true);
      if (!(error instanceof RequestFailed)) return;
      for (const [field, message] of Object.entries(error.fields)) form.setError(field as keyof Form, { message });
      if (error.status === 409) changed(false);
    },
  });
}

const plainOf = (text: string) => plainAmount(text) ?? text.trim();

function decimalsText(currency: string): string {
  const exponent = exponentOf(currency) ?? 0;
  return `${currency} has ${exponent === 0 ? 'no' : exponent} decimals.`;
}

/** The error of an amount as a sentence; null if valid. */
function amountError(text: string, most: string, currency: string): string | null {
  const plain = plainAmount(text);
  if (plain === null) return ambiguousAmount(text);
  const parsed = parseAmount(plain, currency);
  const limit = parseAmount(most, currency);
  if (!parsed.ok && parsed.fault === 'decimals') return decimalsText(currency);
  if (!parsed.ok || !limit.ok) return `Enter the amount as ${most}.`;
  if (parsed.minor <= 0n) return 'The amount must be above zero.';
  return parsed.minor > limit.minor ? `At most ${grouped(most)} ${currency} is possible.` : null;
}

/** `locked`: the amount is that of the first request. */
type FieldsProps = { form: UseFormReturn<Form>; move: Move; currency: string; locked: boolean };

function Fields({ form, move: { most, help, whole }, currency, locked }: FieldsProps) {
  const { register, formState, setValue, setFocus } = form;
  const error = formState.errors.amount?.message;
  const fixed = whole || locked;
  return (
    <>
      <div>
        <label className="label" htmlFor="amount">
          Amount
        </label>
        <div className={styles.amount}>
          <input
            id="amount"
            className="input figures"
            inputMode="decimal"
            autoComplete="off"
            readOnly={fixed}
            aria-invalid={error ? true : undefined}
            aria-describedby="amount-help"
            {...register('amount', { validate: (text) => amountError(text, most, currency) ?? true })}
          />
          <span className={styles.unit}>
            {currency}
            {fixed ? null : (
              <button
                type="button"
                onClick={() => {
                  setValue('amount', most, { shouldValidate: true });
                  setFocus('amount');
                }}
              >
                All {grouped(most)}
              </button>
            )}
          </span>
        </div>
        <div id="amount-help">
          {error ? (
            <p className="fault">
              <ErrorIcon />
              {error}
            </p>
          ) : (
            <p className={styles.help}>{help}</p>
          )}
        </div>
      </div>
      <div>
        <label className="label" htmlFor="reason">
          Reason <span className="quiet">internal note, not sent</span>
        </label>
        <input id="reason" className="input" autoComplete="off" maxLength={200} {...register('reason')} />
      </div>
    </>
  );
}

/** The amounts now and afterwards; dashes while the input is invalid. */
function AfterTable({ move, payment, moved }: { move: Move; payment: PaymentPage; moved: bigint | null }) {
  const text = (minor: bigint) => grouped(formatAmount(minor, payment.currency));
  const rows: (readonly [what: string, now: ReactNode, after: ReactNode])[] = [
    ...move
      .sums(moved ?? 0n)
      .map(([what, now, after]) => [what, text(now), <b key={what}>{moved === null ? '–' : text(after)}</b>] as const),
    ['Status', <Status key="now" status={payment.status} />, <Status key="after" status={move.statusAfter(moved)} />],
  ];
  return (
    <table className={styles.after}>
      <thead>
        <tr>
          <td />
          <th scope="col">Now</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([what, now, after]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td className="figures">{now}</td>
            <td className="figures">{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function minorOf(text: string, currency: string): bigint {
  const parsed = parseAmount(plainOf(text), currency);
  return parsed.ok ? parsed.minor : 0n;
}

type Move = {
  verb: string;
  /** The type of its callback. */
  type: string;
  most: string;
  /** Only the whole amount can be moved. */
  whole: boolean;
  help: string;
  sums: (moved: bigint) => [what: string, now: bigint, after: bigint][];
  /** `moved` is null while the input is invalid. */
  statusAfter: (moved: bigint | null) => string;
};

/** What an action moves, and the payment afterwards. */
export function moveOf(name: Name, { actions, currency, ...payment }: PaymentPage): Move {
  const upTo = (most: string, more: string) => `Up to ${grouped(most)} ${currency}. ${more}`;
  if (name === 'capture') {
    const most = actions.capture?.most ?? '';
    return {
      ...{ verb: 'Capture', type: 'capture', most, whole: false, help: upTo(most, 'Only one capture is possible.') },
      sums: (moved) => [['Captured', 0n, moved]],
      statusAfter: () => 'settled',
    };
  }
  if (name === 'void') {
    const { kind = 'void', amount: most = '' } = actions.void ?? {};
    const releases = kind === 'release';
    const type = releases ? 'reversal' : 'void';
    return {
      ...{ verb: releases ? 'Void authorisation' : 'Void', type, most, whole: true, help: '' },
      sums: (moved) => [[releases ? 'Authorised' : 'Captured', moved, 0n]],
      statusAfter: () => type,
    };
  }
  const { most = '', partial = false } = actions.refund ?? {};
  const refunded = minorOf(payment.refunded, currency);
  const refundable = minorOf(payment.refundable, currency);
  return {
    ...{ verb: 'Refund', type: 'refund', most, whole: !partial },
    help: partial ? upTo(most, 'Several partial refunds are possible.') : 'This payment can only be refunded in full.',
    sums: (moved) => [
      ['Refunded', refunded, refunded + moved],
      ['Can be refunded', refundable, refundable - moved],
    ],
    statusAfter: (moved) => (partial ? (moved === refundable ? 'refund' : 'settled') : 'reversal'),
  };
}
