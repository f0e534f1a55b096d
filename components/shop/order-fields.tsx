'use client';
// The fields of the demo shop's request form.
import type { UseFormReturn } from 'react-hook-form';
import { exponentOf } from '../../lib/core/currencies';
import { locales } from '../../lib/core/locales';
import { currencies, items, type OrderFormInput } from '../../lib/sandbox/shop/form-schemas';
import { shownAmount } from '../../lib/sandbox/shop/products';
import { ErrorIcon } from '../ui/icons';
import styles from './order-form.module.css';

const [first] = items;

/** The form's initial values, on the server and in the browser. */
export const defaultValues: OrderFormInput = {
  item: first?.id ?? '',
  amount: first?.amount ?? '',
  currency: (first?.currency ?? 'EUR') as OrderFormInput['currency'],
  auth: false,
  recurring_init: false,
  req_token: false,
  language: '',
};

type Props = { form: UseFormReturn<OrderFormInput> };

/** The items for sale. A choice sets amount and currency. */
export function Items({ form: { register, setValue, clearErrors, watch } }: Props) {
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

/** Amount and currency. */
export function Money({ form: { register, watch, trigger, formState } }: Props) {
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

/** Further options of a session. */
export function Options({ form: { register } }: Props) {
  return (
    <>
      <label className={styles.check}>
        <input type="checkbox" {...register('auth')} />
        <span>
          Authorise only <span className="quiet">reserves the money; the shop captures it later</span>
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
              Request a card token <code className="quiet">req_token</code>
            </span>
          </label>
          <label className={styles.check}>
            <input type="checkbox" {...register('recurring_init')} />
            <span>
              Initial payment of a recurring agreement <code className="quiet">recurring_init</code>
            </span>
          </label>
        </div>
      </details>
    </>
  );
}
