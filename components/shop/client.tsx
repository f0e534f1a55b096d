'use client';
// The parts that the demo shop's pages share in the browser: requests to the shop's server, the current order, and
// forms over a schema.
import { QueryClient, QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type ComponentType, useEffect, useState } from 'react';
import type { FieldErrors, FieldValues, Path, Resolver, UseFormSetError } from 'react-hook-form';
import type { z } from 'zod';
import { locales } from '../../lib/core/locales.ts';
import type { OrderView } from '../../lib/sandbox/shop/order-model.ts';
import { shownAmount } from '../../lib/sandbox/shop/products.ts';
import { ErrorIcon } from '../ui/icons.tsx';

/** A part of a page with the client of its requests. */
export function withClient<Props extends object>(Part: ComponentType<Props>) {
  return function Provided(props: Props) {
    const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: 1 } } }));
    return (
      <QueryClientProvider client={client}>
        <Part {...props} />
      </QueryClientProvider>
    );
  };
}

/** An error of the shop's server: sentences per field, or one for the whole request, and the current order. */
export class ShopError extends Error {
  override readonly name = 'ShopFault';
  readonly fields: Record<string, string>;
  readonly order: OrderView | null;

  constructor(message: string, fields: Record<string, string> = {}, order: OrderView | null = null) {
    super(message);
    this.fields = fields;
    this.order = order;
  }
}

type Failure = { errors?: Record<string, string>; error?: { code: string; message: string } | null; order?: OrderView };

/** Sends a request to the shop's server; throws a {@link ShopError} unless it succeeds. */
export async function requestJson<Answer>(path: string, body?: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const init = body && { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`/sandbox/shop${path}`, init).catch(() => {
    throw new ShopError('The demo shop does not respond. Is the server running?');
  });
  const answer = (await response.json().catch(() => ({}))) as Answer & Failure;
  if (response.ok) return answer;
  const { error, errors, order } = answer as Failure;
  const code = error?.code ? ` (${error.code})` : '';
  const message = error ? `${error.message}${code}` : (Object.values(errors ?? {})[0] ?? `HTTP ${response.status}`);
  throw new ShopError(message, errors, order);
}

const pollMilliseconds = 2_500;
const orderKey = (id: string) => ['shop', 'order', id];

/** The current order, by events (`live`) or else by polling. A hidden tab does not poll. */
export function useOrder(initial: OrderView): { order: OrderView; live: boolean } {
  const client = useQueryClient();
  const [live, setLive] = useState(true);
  const { id } = initial;
  useEffect(() => {
    const source = new EventSource(`/sandbox/shop/orders/${id}/events`);
    source.addEventListener('open', () => setLive(true));
    source.addEventListener('error', () => setLive(false));
    source.addEventListener('order', (event) => client.setQueryData(orderKey(id), JSON.parse(event.data)));
    return () => source.close();
  }, [client, id]);
  const { data } = useQuery({
    queryKey: orderKey(id),
    queryFn: () => requestJson<OrderView>(`/orders/${id}`),
    initialData: initial,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: live ? false : pollMilliseconds,
    refetchOnWindowFocus: true,
  });
  return { order: data, live };
}

/** `go`: the payer's next page. `made`: the order that a subsequent charge has made. */
type Changed = { order: OrderView; go?: string; made?: string };

/** A request that changes an order. The page shows the order of the response, also if it was rejected. */
export function useOrderRequest({ id }: OrderView) {
  const client = useQueryClient();
  const show = (view: OrderView) => client.setQueryData(orderKey(id), view);
  return useMutation<Changed, ShopError, { path: string; body?: object }>({
    mutationFn: ({ path, body = {} }) => requestJson(`/orders/${id}/${path}`, body),
    onSuccess: ({ order, go }) => (go ? location.assign(go) : show(order)),
    onError: ({ order }) => order && show(order),
  });
}

/** Enables the form again when the browser's Back button restores the page. */
export function useReturn(ready: () => void): void {
  useEffect(() => {
    const again = (event: PageTransitionEvent) => event.persisted && ready();
    addEventListener('pageshow', again);
    return () => removeEventListener('pageshow', again);
  }, [ready]);
}

/** Checks a form by the server's own schema, so that an error appears before the request. */
export function resolverOf<Input extends FieldValues, Output extends FieldValues>(
  schema: z.ZodType<Output, Input>,
): Resolver<Input, unknown, Output> {
  return (values) => {
    const parsed = schema.safeParse(values);
    if (parsed.success) return { values: parsed.data, errors: {} };
    const errors: Record<string, { type: string; message: string }> = {};
    for (const { path, message } of parsed.error.issues) errors[String(path[0])] ??= { type: 'form', message };
    return { values: {}, errors: errors as FieldErrors<Input> };
  };
}

/** Shows the server's errors beside their fields. */
export function showFields<Input extends FieldValues>(setError: UseFormSetError<Input>, error: Error): void {
  const fields = error instanceof ShopError ? error.fields : {};
  for (const [name, message] of Object.entries(fields)) setError(name as Path<Input>, { message });
}

/** The error below a field, which names it by `aria-describedby`. */
export function FieldError({ id, text, className = '' }: { id?: string; text?: string; className?: string }) {
  if (!text) return null;
  return (
    <p id={id} className={`fault ${className}`} aria-hidden={id ? undefined : true}>
      <ErrorIcon />
      {text}
    </p>
  );
}

/** A failed request. */
export function RequestError({ error, className = '' }: { error: Error | null; className?: string }) {
  if (!error) return null;
  return (
    <p className={`note bad ${className}`} role="alert">
      {error.message}
    </p>
  );
}

/** The products of an order with the price of each line. */
export function OrderLines(props: { lines: OrderView['lines']; currency: string; className?: string }) {
  return (
    <ul className={props.className}>
      {props.lines.map(({ name, quantity, amount }) => (
        <li key={name}>
          <span>
            {quantity > 1 ? `${quantity} × ` : ''}
            {name}
          </span>
          <span className="figures">{shownAmount(amount, props.currency)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The choice of a language for Florin's pages; the browser's own by default. */
export function LanguageSelect({ label, className, ...select }: ComponentProps<'select'> & { label: string }) {
  return (
    <>
      <label className={className} htmlFor="language">
        {label}
      </label>
      <select id="language" className="input" {...select}>
        <option value="">The browser’s</option>
        {locales.map(({ code, name, bcp47 }) => (
          <option key={code} value={code} lang={bcp47}>
            {name}
          </option>
        ))}
      </select>
    </>
  );
}
