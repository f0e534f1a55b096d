'use client';
// The shop's operations on a payment: only those that its state allows, or one line with the reason why there are none.
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import type { Action, OrderView } from '../../lib/sandbox/shop/order-model.ts';
import { amountFault, shownAmount } from '../../lib/sandbox/shop/products.ts';
import styles from './actions.module.css';
import { FieldError, RequestError, useOrderRequest } from './client.tsx';

export function OrderActions({ order }: { order: OrderView }) {
  const act = useOrderRequest(order);
  // An order without any request can only be paid, and the pay box does that.
  if (!order.known && order.toPay !== null) return null;
  const amountAction = order.actions.find((name) => name !== 'void');
  return (
    <section aria-label="Actions" className={styles.actions}>
      <div className={styles.row}>
        {amountAction ? <AmountForm key={amountAction} name={amountAction} order={order} act={act} /> : null}
        {order.actions.includes('void') ? (
          <button type="button" className="button" onClick={() => act.mutate({ path: 'void' })}>
            Void
          </button>
        ) : null}
        {order.toPay && 'url' in order.toPay ? (
          <a className="button primary" href={order.toPay.url}>
            {order.toPay.kind === 'bank' ? 'Go to the bank' : 'Go to the payment page'}
          </a>
        ) : null}
        {order.known ? (
          <button type="button" className="button" onClick={() => act.mutate({ path: 'status' })}>
            Request the status
          </button>
        ) : null}
      </div>
      <p className="quiet">{actionsHint(order)}</p>
      <RequestError error={act.error} />
    </section>
  );
}

const verbs: Record<Action, string> = { refund: 'Refund', capture: 'Capture', void: 'Void' };

type FormProps = { name: Action; order: OrderView; act: ReturnType<typeof useOrderRequest> };

function AmountForm({ name, order: { left, currency }, act }: FormProps) {
  const { register, handleSubmit, watch, formState, resetField } = useForm({ defaultValues: { amount: left } });
  // A refund reduces the refundable amount; input of the user is kept.
  useEffect(() => resetField('amount', { defaultValue: left }), [left, resetField]);
  const amount = watch('amount');
  const error = formState.errors.amount?.message;
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={handleSubmit((body) => act.isPending || act.mutate({ path: name, body }))}
    >
      <label htmlFor="part" className="unseen">
        Amount to {name}
      </label>
      <span className={styles.box}>
        <input
          id="part"
          className="input figures"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={left}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'part-fault' : undefined}
          {...register('amount', { validate: (text) => amountFault(text.trim(), currency, false) ?? true })}
        />
        <span aria-hidden="true">{currency}</span>
      </span>
      <button type="submit" className="button primary" aria-busy={act.isPending || undefined}>
        {verbs[name]} {shownAmount(amount, currency)}
      </button>
      <FieldError id="part-fault" text={error} className={styles.fault} />
    </form>
  );
}

const hints: Record<string, string | undefined> = {
  refund: 'The full amount was refunded.',
  void: 'The payment was voided.',
  reversal: 'The authorisation was reversed.',
  chargeback: 'The payer disputed the payment.',
  decline: 'The payment was declined. The payer may try again.',
  settled: 'Nothing is left to refund.',
  '3ds': 'The payer is at the bank. No payment yet.',
  redirect: 'The payer is at the bank. No payment yet.',
};

function actionsHint({ state, toPay, known, actions }: OrderView): string {
  if (actions.includes('void'))
    return 'A void is possible on the day of the payment, until midnight UTC, before any refund.';
  if (actions.length > 0) return 'A smaller amount is a partial refund; several are possible.';
  if (!known && toPay === null) return 'Florin rejected the session: see its response in the timeline.';
  if (state === 'prepare' && toPay === null)
    return 'The outcome is unknown: nothing is charged again until it is known.';
  return hints[state ?? ''] ?? 'No payment yet.';
}
