'use client';
// The subscription that an order has started: the schedule by which Florin charges, and the shop's operations on it.
import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import type { OrderView, SubscriptionAction, SubscriptionView } from '../../lib/sandbox/shop/order-model.ts';
import { deliveries, shownAmount } from '../../lib/sandbox/shop/products.ts';
import { RequestError, useOrderRequest } from './client.tsx';
import styles from './order.module.css';

const stateWords: Record<SubscriptionView['state'], string> = {
  waiting: 'Starts with the first payment',
  active: 'Active',
  paused: 'Paused: nothing is charged',
  cancelled: 'Cancelled',
};

const actionWords: Record<SubscriptionAction, string> = {
  again: 'Charge now',
  pause: 'Pause',
  run: 'Resume',
  deschedule: 'Cancel subscription',
};

export function Subscription({ order }: { order: OrderView }) {
  const [made, setMade] = useState<string | null>(null);
  const act = useOrderRequest(order);
  const change = (path: SubscriptionAction) =>
    act.mutate({ path }, { onSuccess: (done) => done.made && setMade(done.made) });
  const { subscription, again, currency } = order;
  if (!subscription) return null;
  const { state, amount, firstDate, actions } = subscription;
  const latest = again.find(({ id }) => id === made);
  return (
    <section aria-labelledby="subscription" className={styles.part}>
      <h2 id="subscription">Subscription</h2>
      <dl>
        <Fact name="State">{stateWords[state]}</Fact>
        <Fact name="Every day">
          <span className="figures">{shownAmount(amount, currency)}</span>, {deliveries} times
        </Fact>
        {firstDate && state !== 'cancelled' ? <Fact name="First charge">{firstDate}</Fact> : null}
        {again.length > 0 ? (
          <Fact name="Charged manually">
            {again.map(({ id, number }, at) => (
              <span key={id}>
                {at > 0 ? ', ' : ''}
                <Link href={`/shop/${id}`}>{number}</Link>
              </span>
            ))}
          </Fact>
        ) : null}
      </dl>
      {actions.length > 0 ? (
        <div className={styles.row}>
          {actions.map((name) => (
            <button
              key={name}
              type="button"
              className="button"
              aria-busy={act.isPending || undefined}
              onClick={() => !act.isPending && change(name)}
            >
              {actionWords[name]}
            </button>
          ))}
        </div>
      ) : null}
      <p role="status">
        {latest ? (
          <>
            Order <Link href={`/shop/${latest.id}`}>{latest.number}</Link> charged the recurring token; its timeline has
            the request.
          </>
        ) : null}
      </p>
      <RequestError error={act.error} />
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
