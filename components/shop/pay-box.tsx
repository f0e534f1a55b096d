'use client';
// Pays an order in the shop's own page: by Florin's hosted fields, which the shop cannot read, or by the shop's own
// form, whose card data passes through the shop's server.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form';
import { groupDigits } from '../../lib/core/cards';
import { sandboxCards } from '../../lib/core/sandbox-cards';
import { type SaleInput, saleForm, walletPeople } from '../../lib/sandbox/shop/form-schemas';
import type { OrderView } from '../../lib/sandbox/shop/order-model';
import { ErrorIcon } from '../ui/icons';
import { shownAmount } from './amount';
import { requestJson, type ShopError, useReturn } from './client';
import { browserInfo, type FieldName, type Mounted, useHostedFields } from './hosted-fields';
import { orderKey } from './live';
import styles from './pay-box.module.css';

const boxes = { fields: FieldsBox, s2s: CardBox, wallet: WalletBox } as const;

export function PayBox({ order }: { order: OrderView }) {
  const pay = usePay(order);
  const offered = order.toPay?.kind ?? null;
  const [last, setLast] = useState(offered);
  if (offered !== null && offered !== last) setLast(offered);
  // While a payment is in progress the box keeps its kind, so that the input stays.
  const kind = offered ?? (pay.isPending ? last : null);
  if (kind === null || kind === 'page' || kind === 'bank') return null;
  const Box = boxes[kind];
  return <Box order={order} pay={pay} />;
}

type BoxProps = { order: OrderView; pay: ReturnType<typeof usePay> };

type Paid = { order: OrderView; go?: string };

/** Pays, shows the updated order, and goes to the bank if the response requires it. */
function usePay(order: OrderView) {
  const client = useQueryClient();
  const show = (view: OrderView) => client.setQueryData(orderKey(order.id), view);
  const pay = useMutation<Paid, ShopError<OrderView>, { path: string; body: object }>({
    mutationFn: ({ path, body }) => requestJson(`/orders/${order.id}/${path}`, body),
    onSuccess: ({ order: view, go }) => (go ? location.assign(go) : show(view)),
    onError: (error) => error.order && show(error.order),
  });
  useReturn(pay.reset);
  return pay;
}

const isGeneral = (error: ShopError<OrderView> | null) => error && Object.keys(error.fields).length === 0;

function Declined({ error }: { error: ShopError<OrderView> | null }) {
  if (!isGeneral(error)) return null;
  return (
    <div className="note bad" role="alert">
      <b>{error?.message}</b>
      <p>You have not been charged. Try again.</p>
    </div>
  );
}

function PayButton({ order, busy }: { order: OrderView; busy: boolean }) {
  const verb = order.authorizeOnly ? 'Authorise' : 'Pay';
  return (
    <button type="submit" className="button primary tall" aria-busy={busy || undefined}>
      {busy ? 'Paying' : `${verb} ${shownAmount(order.amount, order.currency)}`}
    </button>
  );
}

function FieldsBox({ order, pay }: BoxProps) {
  const form = useRef<HTMLFormElement>(null);
  const name = useRef<HTMLInputElement>(null);
  const [nameError, setNameError] = useState('');
  const [note, setNote] = useState('');
  const [collecting, setCollecting] = useState(false);
  const fields = useHostedFields(order.id, () => form.current?.requestSubmit());
  const busy = collecting || pay.isPending || pay.data?.go !== undefined;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const hosted = fields.hosted.current;
    if (busy || !hosted) return;
    const holder = name.current?.value.trim() ?? '';
    setNameError(holder.length < 2 ? 'Enter the name on the card.' : '');
    setNote('');
    setCollecting(true);
    const submitted = await hosted.submit().finally(() => setCollecting(false));
    if (submitted.result === 'error') {
      const [first] = submitted.faults;
      if (first) hosted.focus(first.field);
      else setNote(submitted.message);
    } else if (holder.length < 2) name.current?.focus();
    else pay.mutate({ path: 'process', body: { name: holder, browser_info: browserInfo() } });
  };
  return (
    <section aria-labelledby="pay" className={styles.box}>
      <h2 id="pay">Pay by card</h2>
      <p className="soft">The three card fields are Florin’s. The shop never receives a digit of the card.</p>
      <form ref={form} noValidate aria-label="Pay by card" className={styles.form} onSubmit={submit}>
        <Declined error={pay.error} />
        {fields.failed || note ? (
          <p className="note bad" role="alert">
            {fields.failed ?? note}
          </p>
        ) : null}
        <Frame name="card" label="Card number" fields={fields} />
        <div className={styles.pair}>
          <Frame name="expiry" label="Expiry date" fields={fields} />
          <Frame name="cvv" label="Security code" fields={fields} />
        </div>
        <Field id="holder" label="Name on card" error={nameError}>
          <input
            id="holder"
            ref={name}
            className="input"
            autoComplete="cc-name"
            maxLength={32}
            aria-invalid={nameError ? true : undefined}
            aria-describedby={nameError ? 'holder-fault' : undefined}
          />
        </Field>
        <PayButton order={order} busy={busy} />
        <noscript>
          <p className="note bad">The card fields require JavaScript.</p>
        </noscript>
      </form>
      <p className="hint">
        Test card <span className="mono">{groupDigits(mainCard.number)}</span>, 01/38, any code and name.{' '}
        <a href="/docs/reference/test-cards">All test cards</a>
      </p>
    </section>
  );
}

function Frame({ name, label, fields }: { name: FieldName; label: string; fields: Mounted }) {
  const error = fields.faults[name];
  return (
    <div>
      <label className="label" htmlFor={name}>
        {label}
      </label>
      <div
        id={name}
        className={styles.frame}
        data-focused={fields.focused === name || undefined}
        data-invalid={error !== undefined || undefined}
      />
      {/* The frame announces it itself. */}
      {error ? (
        <p className="fault" aria-hidden="true">
          <ErrorIcon />
          {error}
        </p>
      ) : null}
    </div>
  );
}

function Field({ id, label, error, children }: { id: string; label: string; error?: string; children: ReactNode }) {
  return (
    <div>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children}
      {error ? (
        <p className="fault" id={`${id}-fault`}>
          <ErrorIcon />
          {error}
        </p>
      ) : null}
    </div>
  );
}

const choices = sandboxCards.filter(({ outcome }) => outcome !== 'payout');
const mainCard = choices[0] ?? { id: '', number: '', expiry: '', name: '' };

const shortDate = (expiry: string | null) => (expiry ?? '01/2038').replace(/\/20/, '/');
const codeFor = (number: string) => (/^3[47]/.test(number) ? '1234' : '123');

function typed(id: string): SaleInput {
  const { number, expiry } = choices.find((card) => card.id === id) ?? mainCard;
  return { number: groupDigits(number), expiry: shortDate(expiry), cvv: codeFor(number) };
}

const resolver: Resolver<SaleInput> = (values) => {
  const parsed = saleForm.safeParse(values);
  if (parsed.success) return { values, errors: {} };
  const errors: FieldErrors<SaleInput> = {};
  for (const { path, message } of parsed.error.issues) {
    errors[path[0] as keyof SaleInput] ??= { type: 'form', message };
  }
  return { values: {}, errors };
};

function CardBox({ order, pay }: BoxProps) {
  const form = useForm<SaleInput>({ resolver, defaultValues: typed(mainCard.id), mode: 'onTouched' });
  const { register, handleSubmit, reset, formState, setError } = form;
  const busy = pay.isPending || pay.data?.go !== undefined;
  const submit = handleSubmit((body) => {
    if (busy) return;
    pay.mutate(
      { path: 'sale', body },
      {
        onError: ({ fields }) => {
          for (const [name, message] of Object.entries(fields)) setError(name as keyof SaleInput, { message });
        },
      },
    );
  });
  const input = (name: keyof SaleInput, autoComplete: string) => {
    const error = formState.errors[name]?.message;
    const aria = { 'aria-invalid': error ? true : undefined, 'aria-describedby': error ? `${name}-fault` : undefined };
    const fixed = { id: name, className: 'input figures', inputMode: 'numeric' as const, autoComplete };
    return <input {...fixed} {...aria} defaultValue={typed(mainCard.id)[name]} {...register(name)} />;
  };
  const errorOf = (name: keyof SaleInput) => formState.errors[name]?.message;
  return (
    <section aria-labelledby="pay" className={styles.box}>
      <h2 id="pay">Pay by card</h2>
      <p className="soft">
        This form is the shop’s own: the card passes through its server on the way to Florin. PCI DSS applies to a shop
        that does so. Test cards only.
      </p>
      <form
        noValidate
        method="post"
        action={`/sandbox/shop/orders/${order.id}/sale`}
        aria-label="Pay by card"
        className={styles.form}
        onSubmit={submit}
      >
        <Declined error={pay.error} />
        <Field id="test-card" label="Test card">
          <select
            id="test-card"
            className="input"
            defaultValue={mainCard.id}
            onChange={(event) => reset(typed(event.target.value))}
          >
            {choices.map(({ id, name, number, expiry }) => (
              <option key={id} value={id}>
                {name} (••{number.slice(-4)}, {shortDate(expiry)})
              </option>
            ))}
          </select>
        </Field>
        <Field id="number" label="Card number" error={errorOf('number')}>
          {input('number', 'off')}
        </Field>
        <div className={styles.pair}>
          <Field id="expiry" label="Expiry date" error={errorOf('expiry')}>
            {input('expiry', 'off')}
          </Field>
          <Field id="cvv" label="Security code" error={errorOf('cvv')}>
            {input('cvv', 'off')}
          </Field>
        </div>
        <PayButton order={order} busy={busy} />
      </form>
    </section>
  );
}

function WalletBox({ order, pay }: BoxProps) {
  const busy = pay.isPending || pay.data?.go !== undefined;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const identifier = new FormData(event.currentTarget).get('identifier');
    if (!busy) pay.mutate({ path: 'sale', body: { identifier } });
  };
  return (
    <section aria-labelledby="pay" className={styles.box}>
      <h2 id="pay">Pay by test wallet</h2>
      <p className="soft">
        The wallet <code>vcard</code> has no confirmation step. The chosen payer decides the outcome.
      </p>
      <form
        method="post"
        action={`/sandbox/shop/orders/${order.id}/sale`}
        aria-label="Pay by test wallet"
        className={styles.form}
        onSubmit={submit}
      >
        <Declined error={pay.error} />
        <Field id="identifier" label="Payer">
          <select id="identifier" name="identifier" className="input">
            {walletPeople.map(({ identifier, name }) => (
              <option key={identifier} value={identifier}>
                {identifier}, {name}
              </option>
            ))}
          </select>
        </Field>
        <PayButton order={order} busy={busy} />
      </form>
    </section>
  );
}
