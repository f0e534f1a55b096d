'use client';
// The demo shop's counter: choose something, change what you like, pay. The schema is the server's own, so that a fault
// shows before anything is sent.
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form';
import { z } from 'zod';
import { locales } from '../../lib/core/locales';
import { currencies, items, type OrderForm as Order, type OrderFormInput, orderForm } from '../../lib/shop/model';
import { FaultSign } from '../ui/icons';
import { shownAmount } from './amount';
import { ask, ShopClient, ShopFault } from './client';
import styles from './order-form.module.css';
import { RecentOrders, rememberOrder } from './recent';

// The policy of the page forbids to make code out of text, which zod would otherwise try.
z.config({ jitless: true });

const resolver: Resolver<OrderFormInput> = (values) => {
  const parsed = orderForm.safeParse(values);
  if (parsed.success) return { values: parsed.data, errors: {} };
  const errors: FieldErrors<OrderFormInput> = {};
  for (const issue of parsed.error.issues) {
    errors[issue.path[0] as keyof OrderFormInput] ??= { type: 'form', message: issue.message };
  }
  return { values: {}, errors };
};

const [first] = items;
const defaultValues: OrderFormInput = {
  item: first?.id ?? '',
  amount: first?.amount ?? '',
  currency: (first?.currency ?? 'EUR') as OrderFormInput['currency'],
  auth: false,
  recurring_init: false,
  req_token: false,
  language: '',
};

export function OrderForm() {
  return (
    <ShopClient>
      <Counter />
      <RecentOrders />
    </ShopClient>
  );
}

type Placed = { id: string; page_url: string };

function Counter() {
  const form = useForm<OrderFormInput>({ resolver, defaultValues, mode: 'onTouched' });
  const { register, setValue, watch, formState, handleSubmit, setError, trigger } = form;
  const place = useMutation({
    mutationFn: (order: Order) => ask<Placed>('/orders', order),
    onSuccess: ({ id, page_url }, order) => {
      const description = items.find((item) => item.id === order.item)?.name ?? order.item;
      rememberOrder({ id, description, amount: order.amount, currency: order.currency });
      location.assign(page_url);
    },
    onError: (fault) => {
      const fields = fault instanceof ShopFault ? fault.fields : {};
      for (const [name, message] of Object.entries(fields)) setError(name as keyof OrderFormInput, { message });
    },
  });
  // Who comes back with the browser's own button finds the counter ready again.
  const { reset } = place;
  useEffect(() => {
    const again = (event: PageTransitionEvent) => event.persisted && reset();
    addEventListener('pageshow', again);
    return () => removeEventListener('pageshow', again);
  }, [reset]);
  const busy = place.isPending || place.isSuccess;
  const [amount, currency, auth, item] = watch(['amount', 'currency', 'auth', 'item']);
  const choose = (id: string) => {
    const chosen = items.find((each) => each.id === id);
    if (!chosen) return;
    setValue('amount', chosen.amount);
    setValue('currency', chosen.currency as OrderFormInput['currency']);
    form.clearErrors();
  };
  const fault = formState.errors.amount?.message;
  return (
    <form
      noValidate
      method="post"
      action="/sandbox/shop/orders"
      aria-label="Demo shop"
      onSubmit={handleSubmit((order) => {
        if (!busy) place.mutate(order as Order);
      })}
    >
      <fieldset className={styles.items}>
        <legend className="unseen">Item</legend>
        {items.map(({ id, name, amount, currency }) => (
          <label key={id} className={styles.item}>
            <input
              type="radio"
              value={id}
              defaultChecked={id === defaultValues.item}
              {...register('item', { onChange: () => choose(id) })}
            />
            <span>{name}</span>
            <span className={`figures ${styles.price}`} data-chosen={id === item || undefined}>
              {shownAmount(amount, currency)}
            </span>
          </label>
        ))}
      </fieldset>
      <div className={styles.pair}>
        <div>
          <label className="label" htmlFor="amount">
            Amount
          </label>
          <input
            id="amount"
            className="input figures"
            inputMode="decimal"
            autoComplete="off"
            defaultValue={defaultValues.amount}
            aria-invalid={fault ? true : undefined}
            aria-describedby={fault ? 'amount-fault' : undefined}
            {...register('amount')}
          />
        </div>
        <div>
          <label className="label" htmlFor="currency">
            Currency
          </label>
          <select
            id="currency"
            className="input"
            defaultValue={defaultValues.currency}
            {...register('currency', {
              onChange: () => (formState.isSubmitted || fault ? trigger('amount') : undefined),
            })}
          >
            {currencies.map((code) => (
              <option key={code}>{code}</option>
            ))}
          </select>
        </div>
        {fault ? (
          <p className={`fault ${styles.across}`} id="amount-fault">
            <FaultSign />
            {fault}
          </p>
        ) : null}
      </div>
      <Options register={register} />
      <button type="submit" className={`button primary tall ${styles.pay}`} aria-busy={busy || undefined}>
        {busy ? 'Opening the payment page' : `${auth ? 'Hold' : 'Pay'} ${shownAmount(amount, currency)}`}
      </button>
      {place.isError && !fault ? (
        <p className={`note bad ${styles.refused}`} role="alert">
          {place.error.message}
        </p>
      ) : null}
    </form>
  );
}

function Options({ register }: { register: ReturnType<typeof useForm<OrderFormInput>>['register'] }) {
  return (
    <>
      <label className={styles.check}>
        <input type="checkbox" {...register('auth')} />
        <span>
          Authorise only <span className="quiet">holds the money; the shop captures it afterwards</span>
        </span>
      </label>
      <details className={styles.more}>
        <summary>More options</summary>
        <div className={styles.options}>
          <div>
            <label className="label" htmlFor="language">
              Language of the payment page
            </label>
            <select id="language" className="input" {...register('language')}>
              <option value="">The browser's</option>
              {locales.map(({ code, name, bcp47 }) => (
                <option key={code} value={code} lang={bcp47}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <label className={styles.check}>
            <input type="checkbox" {...register('req_token')} />
            <span>
              Ask for a card token <code className="quiet">req_token</code>
            </span>
          </label>
          <label className={styles.check}>
            <input type="checkbox" {...register('recurring_init')} />
            <span>
              First of a recurring chain <code className="quiet">recurring_init</code>
            </span>
          </label>
        </div>
      </details>
    </>
  );
}
