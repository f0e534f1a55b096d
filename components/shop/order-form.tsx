'use client';
// The demo shop's request form: choose an item, change the options, pay. The schema is the server's own, so that an
// error appears before the request; without script the form is submitted as it is.
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { items, type OrderForm as Order, type OrderFormInput, orderForm } from '../../lib/sandbox/shop/form-schemas';
import { shownAmount } from '../../lib/sandbox/shop/products';
import { RequestError, requestJson, resolverOf, ShopClient, showFields, useReturn } from './client';
import { defaultValues, Items, Money, Options } from './order-fields';
import styles from './order-form.module.css';

export function OrderForm() {
  return (
    <ShopClient>
      <Counter />
    </ShopClient>
  );
}

type Placed = { id: string; page_url: string };

function Counter() {
  const form = useForm({ resolver: resolverOf(orderForm), defaultValues, mode: 'onTouched' });
  const { watch, handleSubmit, setError, formState } = form;
  const place = useMutation({
    mutationFn: (order: Order) => requestJson<Placed>('/orders', order),
    onSuccess: ({ page_url }) => location.assign(page_url),
    onError: (error) => showFields(setError, error),
  });
  useEarlyInput(form.reset);
  useReturn(place.reset);
  const busy = place.isPending || place.isSuccess;
  const [amount, currency, auth] = watch(['amount', 'currency', 'auth']);
  const submit = handleSubmit((order) => {
    if (!busy) place.mutate(order);
  });
  return (
    <form noValidate method="post" action="/sandbox/shop/orders" aria-label="Demo shop" data-counter onSubmit={submit}>
      <Items form={form} />
      <Money form={form} />
      <Options form={form} />
      <button type="submit" className={`button primary tall ${styles.pay}`} aria-busy={busy || undefined}>
        {busy ? 'Opening the payment page' : `${auth ? 'Authorise' : 'Pay'} ${shownAmount(amount, currency)}`}
      </button>
      <RequestError error={formState.errors.amount ? null : place.error} className={styles.refused} />
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
  const typed = Object.entries(defaultValues).map(([name, value]) => {
    return [name, typeof value === 'boolean' ? data.has(name) : String(data.get(name) ?? value)];
  });
  const chosen = Object.fromEntries(typed) as OrderFormInput;
  const item = items.find(({ id }) => id === chosen.item);
  const untouched = chosen.amount === defaultValues.amount && chosen.currency === defaultValues.currency;
  return item && untouched ? ({ ...chosen, amount: item.amount, currency: item.currency } as OrderFormInput) : chosen;
}
