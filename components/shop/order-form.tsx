'use client';
// The demo shop's request form: choose an item, change the options, pay. The schema is the server's own, so that an
// error appears before the request; without script the form is submitted as it is.
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form';
import { items, type OrderForm as Order, type OrderFormInput, orderForm } from '../../lib/sandbox/shop/form-schemas';
import { shownAmount } from './amount';
import { requestJson, ShopClient, ShopError, useReturn } from './client';
import { defaultValues, Items, Money, Options } from './order-fields';
import styles from './order-form.module.css';

const resolver: Resolver<OrderFormInput> = (values) => {
  const parsed = orderForm.safeParse(values);
  if (parsed.success) return { values: parsed.data, errors: {} };
  const errors: FieldErrors<OrderFormInput> = {};
  for (const issue of parsed.error.issues) {
    errors[issue.path[0] as keyof OrderFormInput] ??= { type: 'form', message: issue.message };
  }
  return { values: {}, errors };
};

export function OrderForm() {
  return (
    <ShopClient>
      <Counter />
    </ShopClient>
  );
}

type Placed = { id: string; page_url: string };

function Counter() {
  const form = useForm<OrderFormInput>({ resolver, defaultValues, mode: 'onTouched' });
  const { watch, handleSubmit, setError, formState } = form;
  const place = useMutation({
    mutationFn: (order: Order) => requestJson<Placed>('/orders', order),
    onSuccess: ({ page_url }) => location.assign(page_url),
    onError: (error) => {
      const fields = error instanceof ShopError ? error.fields : {};
      for (const [name, message] of Object.entries(fields)) setError(name as keyof OrderFormInput, { message });
    },
  });
  useEarlyInput(form.reset);
  useReturn(place.reset);
  const busy = place.isPending || place.isSuccess;
  const [amount, currency, auth] = watch(['amount', 'currency', 'auth']);
  const submit = handleSubmit((order) => {
    if (!busy) place.mutate(order as Order);
  });
  return (
    <form noValidate method="post" action="/sandbox/shop/orders" aria-label="Demo shop" data-counter onSubmit={submit}>
      <Items form={form} />
      <Money form={form} />
      <Options form={form} />
      <button type="submit" className={`button primary tall ${styles.pay}`} aria-busy={busy || undefined}>
        {busy ? 'Opening the payment page' : `${auth ? 'Authorise' : 'Pay'} ${shownAmount(amount, currency)}`}
      </button>
      {place.isError && !formState.errors.amount ? (
        <p className={`note bad ${styles.refused}`} role="alert">
          {place.error.message}
        </p>
      ) : null}
    </form>
  );
}

// Without this, input from before the script loaded would be lost, because the form library writes its own initial
// values.
function useEarlyInput(fillIn: (values: OrderFormInput) => void): void {
  const [early] = useState(readEarlyInput);
  useEffect(() => {
    if (early) fillIn(early);
  }, [early, fillIn]);
}

function readEarlyInput(): OrderFormInput | null {
  const form = typeof document === 'undefined' ? null : document.querySelector<HTMLFormElement>('form[data-counter]');
  if (!form) return null;
  const data = new FormData(form);
  const text = (name: 'item' | 'amount' | 'currency' | 'language') => String(data.get(name) ?? defaultValues[name]);
  const flags = {
    auth: data.has('auth'),
    recurring_init: data.has('recurring_init'),
    req_token: data.has('req_token'),
  };
  const chosen = { item: text('item'), amount: text('amount'), currency: text('currency'), language: text('language') };
  const item = items.find(({ id }) => id === chosen.item);
  const untouched = chosen.amount === defaultValues.amount && chosen.currency === defaultValues.currency;
  const priced = item && untouched ? { amount: item.amount, currency: item.currency } : {};
  return { ...chosen, ...flags, ...priced } as OrderFormInput;
}
