'use client';
// Pays an order in the shop's own page: by Florin's hosted fields, which the shop cannot read, or by the shop's own
// form, whose card data passes through the shop's server.
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { browserInfo } from '../../lib/browser/fields/browser-info.ts';
import type { HostedFieldStyle } from '../../lib/browser/fields/hosted-fields.d.ts';
import { useHostedFields } from '../../lib/browser/react/hosted-fields-react.tsx';
import { groupDigits } from '../../lib/core/cards.ts';
import { sandboxCards } from '../../lib/core/sandbox-cards.ts';
import { type SaleInput, saleForm, walletPeople } from '../../lib/sandbox/shop/form-schemas.ts';
import type { OrderView } from '../../lib/sandbox/shop/order-model.ts';
import { shownAmount } from '../../lib/sandbox/shop/products.ts';
import { FieldError, requestJson, resolverOf, showFields, useOrderRequest, useReturn } from './client.tsx';
import styles from './pay-box.module.css';

const boxes = { fields: FieldsBox, s2s: CardBox, wallet: WalletBox } as const;

export function PayBox({ order }: { order: OrderView }) {
  const pay = useOrderRequest(order);
  useReturn(pay.reset);
  const offered = order.toPay?.kind ?? null;
  const [last, setLast] = useState(offered);
  if (offered !== null && offered !== last) setLast(offered);
  // While a payment is in progress the box keeps its kind, so that the input stays.
  const kind = offered ?? (pay.isPending ? last : null);
  if (kind === null || kind === 'page' || kind === 'bank') return null;
  const Box = boxes[kind];
  return <Box order={order} pay={pay} />;
}

type PayProps = { order: OrderView; pay: ReturnType<typeof useOrderRequest> };

const isBusy = ({ isPending, data }: PayProps['pay']) => isPending || data?.go !== undefined;

type BoxProps = PayProps & {
  title: string;
  text: ReactNode;
  busy: boolean;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** The address of the form without script; the hosted fields have none. */
  action?: string;
  form?: RefObject<HTMLFormElement | null>;
  children: ReactNode;
  after?: ReactNode;
};

/** A way to pay: what it is, its fields, and the button. */
function Box({ order, pay, title, text, busy, onSubmit, action, form, children, after }: BoxProps) {
  const { error } = pay;
  const amount = shownAmount(order.amount, order.currency);
  return (
    <section aria-labelledby="pay" className={styles.box}>
      <h2 id="pay">{title}</h2>
      <p className="soft">{text}</p>
      <form
        ref={form}
        noValidate
        {...(action && { method: 'post', action })}
        aria-label={title}
        className={styles.form}
        onSubmit={onSubmit}
      >
        {error && Object.keys(error.fields).length === 0 ? (
          <div className="note bad" role="alert">
            <b>{error.message}</b>
            <p>You have not been charged. Try again.</p>
          </div>
        ) : null}
        {children}
        <button type="submit" className="button primary tall" aria-busy={busy || undefined}>
          {busy ? 'Paying' : `${order.authorizeOnly ? 'Authorise' : 'Pay'} ${amount}`}
        </button>
      </form>
      {after}
    </section>
  );
}

const saleOf = ({ id }: OrderView) => `/sandbox/shop/orders/${id}/sale`;

/** The style of the fields, in the colours of the page's scheme. */
function useFieldStyle(box: RefObject<HTMLElement | null>): HostedFieldStyle | undefined {
  const [style, setStyle] = useState<HostedFieldStyle>();
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const restyle = () => setStyle(styleOf(box.current ?? document.body));
    restyle();
    dark.addEventListener('change', restyle);
    return () => dark.removeEventListener('change', restyle);
  }, [box]);
  return style;
}

function styleOf(box: HTMLElement): HostedFieldStyle {
  const { color } = getComputedStyle(box);
  const probe = box.ownerDocument.body.appendChild(document.createElement('i'));
  const [bad = '', soft = ''] = ['--bad', '--ink3'].map((name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return {
    input: { color, caretColor: color, fontSize: '16px', padding: '0 12px' },
    'input.invalid': { color: bad },
    '::placeholder': { color: soft },
  };
}

type Setup = { token: string; script: { file: string; integrity: string } };

/** The session's token from the shop's server, and the published script with its hash, as a merchant's page has them. */
async function fetchSetup(orderId: string): Promise<Setup> {
  const manifest = fetch('/sdk/manifest.json').then((response) => response.json());
  const { token } = await requestJson<{ token: string }>(`/orders/${orderId}/token`, {});
  return { token, script: (await manifest)['hosted-fields.js'] };
}

const frames = {
  card: { label: 'Card number' },
  expiry: { label: 'Expiry date', placeholder: 'MM / YY' },
  cvv: { label: 'Security code' },
};

function FieldsBox({ order, pay }: PayProps) {
  const form = useRef<HTMLFormElement>(null);
  const name = useRef<HTMLInputElement>(null);
  const [nameError, setNameError] = useState('');
  const [note, setNote] = useState('');
  const [collecting, setCollecting] = useState(false);
  const setup = useQuery({
    queryKey: ['shop', 'fields', order.id],
    queryFn: () => fetchSetup(order.id),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const fields = useHostedFields({
    script: `/sdk/${setup.data?.script.file}`,
    integrity: setup.data?.script.integrity,
    sessionToken: setup.data?.token ?? null,
    fields: frames,
    style: useFieldStyle(form),
    language: 'en',
    onEnter: () => form.current?.requestSubmit(),
    onError: ({ type, message }) => type === 'setup' && setNote(message),
  });
  const busy = collecting || isBusy(pay);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || !setup.data) return;
    const holder = name.current?.value.trim() ?? '';
    setNameError(holder.length < 2 ? 'Enter the name on the card.' : '');
    setNote('');
    setCollecting(true);
    const submitted = await fields.submit().finally(() => setCollecting(false));
    if (submitted.result === 'error') {
      const [first] = submitted.faults;
      if (first) fields.focus(first.field);
      else setNote(submitted.message);
    } else if (holder.length < 2) name.current?.focus();
    else pay.mutate({ path: 'process', body: { name: holder, browser_info: browserInfo() } });
  };
  const frame = (field: keyof typeof frames) => {
    const { focused, fault } = fields.states[field];
    return (
      <Field id={field} label={frames[field].label}>
        <div
          ref={fields.refs[field]}
          id={field}
          className={styles.frame}
          data-focused={focused || undefined}
          data-invalid={fault !== null || undefined}
        />
        {/* The frame announces it itself. */}
        <FieldError text={fault?.message} />
      </Field>
    );
  };
  return (
    <Box
      {...{ order, pay, busy, form }}
      title="Pay by card"
      text="The three card fields are Florin’s. The shop never receives a digit of the card."
      onSubmit={submit}
      after={
        <p className="hint">
          Test card <span className="mono">{groupDigits(mainCard.number)}</span>, 01/38, any code and name.{' '}
          <a href="/docs/reference/test-cards">All test cards</a>
        </p>
      }
    >
      {setup.error || note ? (
        <p className="note bad" role="alert">
          {setup.error?.message ?? note}
        </p>
      ) : null}
      {frame('card')}
      <div className={styles.pair}>
        {frame('expiry')}
        {frame('cvv')}
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
      <noscript>
        <p className="note bad">The card fields require JavaScript.</p>
      </noscript>
    </Box>
  );
}

function Field({ id, label, error, children }: { id: string; label: string; error?: string; children: ReactNode }) {
  return (
    <div>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children}
      <FieldError id={`${id}-fault`} text={error} />
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

function CardBox({ order, pay }: PayProps) {
  const form = useForm({ resolver: resolverOf(saleForm), defaultValues: typed(mainCard.id), mode: 'onTouched' });
  const { register, handleSubmit, reset, formState, setError } = form;
  const submit = handleSubmit((body) => {
    if (isBusy(pay)) return;
    pay.mutate({ path: 'sale', body }, { onError: (error) => showFields(setError, error) });
  });
  const input = (name: keyof SaleInput, label: string) => {
    const error = formState.errors[name]?.message;
    return (
      <Field id={name} label={label} error={error}>
        <input
          id={name}
          className="input figures"
          inputMode="numeric"
          autoComplete="off"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${name}-fault` : undefined}
          defaultValue={typed(mainCard.id)[name]}
          {...register(name)}
        />
      </Field>
    );
  };
  return (
    <Box
      {...{ order, pay, busy: isBusy(pay), onSubmit: submit, action: saleOf(order) }}
      title="Pay by card"
      text="This form is the shop’s own: the card passes through its server on the way to Florin. PCI DSS applies to a shop that does so. Test cards only."
    >
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
      {input('number', 'Card number')}
      <div className={styles.pair}>
        {input('expiry', 'Expiry date')}
        {input('cvv', 'Security code')}
      </div>
    </Box>
  );
}

function WalletBox({ order, pay }: PayProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const identifier = new FormData(event.currentTarget).get('identifier');
    if (!isBusy(pay)) pay.mutate({ path: 'sale', body: { identifier } });
  };
  return (
    <Box
      {...{ order, pay, busy: isBusy(pay), onSubmit: submit, action: saleOf(order) }}
      title="Pay by test wallet"
      text={
        <>
          The wallet <code>vcard</code> has no confirmation step. The chosen payer decides the outcome.
        </>
      }
    >
      <Field id="identifier" label="Payer">
        <select id="identifier" name="identifier" className="input">
          {walletPeople.map(({ identifier, name }) => (
            <option key={identifier} value={identifier}>
              {identifier}, {name}
            </option>
          ))}
        </select>
      </Field>
    </Box>
  );
}
