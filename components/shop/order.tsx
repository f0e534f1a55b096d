'use client';
// The demo shop's page for one order: the payer's return, the payment, the callbacks, the possible operations, and a
// timeline of all requests.
import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import type {
  OrderView,
  ReturnStep,
  SubscriptionAction,
  SubscriptionView,
} from '../../lib/sandbox/shop/order-model.ts';
import { deliveries, shownAmount } from '../../lib/sandbox/shop/products.ts';
import { Status } from '../ui/status.tsx';
import { OrderActions } from './actions.tsx';
import { OrderLines, RequestError, useOrder, useOrderRequest, withClient } from './client.tsx';
import styles from './order.module.css';
import { PayBox } from './pay-box.tsx';
import { Timeline } from './timeline.tsx';

/** `returned` is the payment's address that the payer returned to, if any. */
type Props = { initial: OrderView; returned: Pick<ReturnStep, 'door' | 'genuine'> | null };

export const OrderPage = withClient(Order);

function Order({ initial, returned }: Props) {
  const { order, live } = useOrder(initial);
  return (
    <div className={`wide ${styles.page}`}>
      <div className={styles.order}>
        <Head order={order} returned={returned} />
        <PayBox order={order} />
        {order.toPay || order.state === 'prepare' ? null : <MoneyLine order={order} />}
        <OrderActions order={order} />
        <Subscription order={order} />
        {order.savedCard ? (
          <section aria-labelledby="saved" className={styles.part}>
            <h2 id="saved">Card saved</h2>
            <p className="soft">
              The callback contained a token for <span className="mono">{order.savedCard.card}</span>. Use it for{' '}
              <Link href="/shop">the next basket</Link>.
            </p>
          </section>
        ) : null}
      </div>
      <Timeline order={order} live={live} />
    </div>
  );
}

const methodTexts: Record<OrderView['way'], string> = {
  page: 'Payment page, over Checkout',
  fields: 'Card fields in the shop, over Checkout',
  s2s: 'The shop’s own form, over S2S CARD',
  wallet: 'Test wallet, over S2S APM',
  saved: 'Saved card, over S2S CARD',
};

function Head({ order, returned }: { order: OrderView; returned: Props['returned'] }) {
  return (
    <div className={styles.head}>
      <p className={styles.path}>
        <Link href="/shop">Demo shop</Link> <span aria-hidden="true">›</span> <span>{order.number}</span>
      </p>
      <div className={styles.title}>
        <h1 className="figures">{shownAmount(order.amount, order.currency)}</h1>
        <span role="status" className={styles.status}>
          <Status status={order.state ?? 'prepare'} />
        </span>
      </div>
      {order.lines.length === 0 ? (
        <p className="soft">{order.description}</p>
      ) : (
        <OrderLines lines={order.lines} currency={order.currency} className={styles.lines} />
      )}
      <p className={styles.about}>
        {methodTexts[order.way]}
        {order.paymentId ? (
          <>
            {' · payment '}
            <code className={styles.id}>{order.paymentId}</code>
          </>
        ) : null}
        {order.parent ? (
          <>
            {' · subsequent payment of '}
            <Link href={`/shop/${order.parent.id}`}>{order.parent.number}</Link>
          </>
        ) : null}
      </p>
      {returned ? <Returned {...returned} /> : null}
    </div>
  );
}

const returnTexts: Record<ReturnStep['door'], string> = {
  success: 'The payer returned to success_url.',
  cancel: 'The payer returned to cancel_url.',
  error: 'The payer returned to error_url: the outcome was unknown.',
  expiry: 'The payer returned to expiry_url: the session had expired.',
  bank: 'The payer returned from the bank.',
};

function Returned({ door, genuine }: NonNullable<Props['returned']>) {
  if (genuine) {
    return (
      <p className={`note good ${styles.came}`}>
        {returnTexts[door]} The signature of the address is valid. The outcome of the payment comes by callback.
      </p>
    );
  }
  const unsigned = door === 'expiry' || door === 'error' || door === 'bank';
  return (
    <p className={`note ${unsigned ? '' : 'bad'} ${styles.came}`}>
      {returnTexts[door]} {unsigned ? 'The address is not signed' : 'The signature of the address is invalid'}, so the
      shop ignores its content.
    </p>
  );
}

function MoneyLine({ order }: { order: OrderView }) {
  const { state, held, captured, refunded, left, currency, authorizeOnly } = order;
  const parts = authorizeOnly ? [['Authorised', held]] : [];
  parts.push(['Captured', captured], ['Refunded', refunded]);
  parts.push([state === 'pending' ? 'Can be captured' : 'Can be refunded', left]);
  return (
    <dl className={styles.money}>
      {parts.map(([name = '', amount = '']) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="figures">{shownAmount(amount, currency)}</dd>
        </div>
      ))}
    </dl>
  );
}

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

function Subscription({ order }: { order: OrderView }) {
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
