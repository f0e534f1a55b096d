'use client';
// The demo shop's request form: choose an item, change the options, pay. The schema is the server's own, so that an
// error appears before the request; without script the form is submitted as it is.
import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, useEffect, useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { exponentOf } from '../../lib/core/currencies.ts';
import {
  currencies,
  items,
  type OrderForm as Order,
  type OrderFormInput,
  orderForm,
} from '../../lib/sandbox/shop/form-schemas.ts';
import { shownAmount } from '../../lib/sandbox/shop/products.ts';
import { ErrorIcon } from '../ui/icons.tsx';
import { LanguageSelect, RequestError, requestJson, resolverOf, showFields, useReturn, withClient } from './client.tsx';
import styles from './order-form.module.css';

const [first] = items;

/** The form's initial values, on the server and in the browser. */
const defaultValues: OrderFormInput = {
  item: first?.id ?? '',
  amount: first?.amount ?? '',
  currency: (first?.currency ?? 'EUR') as OrderFormInput['currency'],
  auth: false,
  recurring_init: false,
  req_token: false,
  language: '',
};

type FieldsProps = { form: UseFormReturn<OrderFormInput, unknown, Order> };

export const OrderForm = withClient(Counter);

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

/** The items for sale. A choice sets amount and currency. */
function Items({ form: { register, setValue, clearErrors, watch } }: FieldsProps) {
  const chosen = watch('item');
  // All radios of the field share one handler.
  const onChange = (event: { target: { value: string } }) => {
    const item = items.find(({ id }) => id === event.target.value);
    if (!item) return;
    setValue('amount', item.amount);
    setValue('currency', item.currency as OrderFormInput['currency']);
    clearErrors();
  };
  return (
    <fieldset className={styles.items}>
      <legend className="unseen">Item</legend>
      {items.map(({ id, name, amount, currency }) => (
        <label key={id} className={styles.item}>
          <input
            type="radio"
            value={id}
            defaultChecked={id === defaultValues.item}
            {...register('item', { onChange })}
          />
          <span>{name}</span>
          <span className={`figures ${styles.price}`} data-chosen={id === chosen || undefined}>
            {shownAmount(amount, currency)}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Money({ form: { register, watch, trigger, formState } }: FieldsProps) {
  const currency = watch('currency');
  const error = formState.errors.amount?.message;
  return (
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
          aria-invalid={error ? true : undefined}
          aria-describedby="amount-hint"
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
          {...register('currency', { onChange: () => trigger('amount') })}
        >
          {currencies.map((code) => (
            <option key={code}>{code}</option>
          ))}
        </select>
      </div>
      {/* Always one line, so that the button does not move while it is pressed. */}
      <p className={`${error ? 'fault' : 'hint'} ${styles.across}`} id="amount-hint">
        {error ? <ErrorIcon /> : null}
        {error ?? hintOf(currency)}
      </p>
    </div>
  );
}

function hintOf(currency: string): string {
  const exponent = exponentOf(currency) ?? 2;
  return `${exponent === 0 ? 'No' : exponent} decimals, up to 10,000 ${currency}`;
}

function Options({ form: { register } }: FieldsProps) {
  return (
    <>
      <Check {...register('auth')}>
        Authorise only <span className="quiet">reserves the money; the shop captures it later</span>
      </Check>
      <details className={styles.more}>
        <summary>More options</summary>
        <div className={styles.options}>
          <div>
            <LanguageSelect label="Language of the payment page" className="label" {...register('language')} />
          </div>
          <Check {...register('req_token')}>
            Request a card token <code className="quiet">req_token</code>
          </Check>
          <Check {...register('recurring_init')}>
            Initial payment of a recurring agreement <code className="quiet">recurring_init</code>
          </Check>
        </div>
      </details>
    </>
  );
}

function Check({ children, ...input }: ComponentProps<'input'>) {
  return (
    <label className={styles.check}>
      <input type="checkbox" {...input} />
      <span>{children}</span>
    </label>
  );
}
