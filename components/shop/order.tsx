'use client';
// The demo shop's page about one order: what the payer brought back, what the shop's server was told, what it can do next,
// and everything that went over the wire.
import Link from 'next/link';
import type { OrderView, ReturnStep } from '../../lib/shop/model';
import { Status } from '../ui/status';
import { OrderActions } from './actions';
import { shownAmount } from './amount';
import { ShopClient } from './client';
import { useOrder } from './live';
import styles from './order.module.css';
import { Timeline } from './timeline';

/** `came` is how the payer has come to this page, if by an address of the payment. */
type Props = { initial: OrderView; came: Pick<ReturnStep, 'door' | 'genuine'> | null };

export function OrderPage(props: Props) {
  return (
    <ShopClient>
      <Order {...props} />
    </ShopClient>
  );
}

function Order({ initial, came }: Props) {
  const { order, live } = useOrder(initial);
  return (
    <>
      <div className={`wide ${styles.head}`}>
        <p className={styles.path}>
          <Link href="/">Demo shop</Link> <span aria-hidden="true">›</span> <span>{order.number}</span>
        </p>
        <div className={styles.title}>
          <h1 className="figures">{shownAmount(order.amount, order.currency)}</h1>
          <span role="status" className={styles.status}>
            <Status status={order.state ?? 'prepare'} />
          </span>
        </div>
        <p className="soft">
          {order.description}
          {order.paymentId ? (
            <>
              {' · payment '}
              <code className={styles.id}>{order.paymentId}</code>
            </>
          ) : null}
        </p>
        {came ? <Came {...came} /> : null}
      </div>
      <MoneyLine order={order} />
      <div className="wide">
        <OrderActions order={order} />
        <Timeline order={order} live={live} />
      </div>
    </>
  );
}

const doorWords = {
  success: 'The payer came back by success_url.',
  cancel: 'The payer came back by cancel_url.',
  error: 'The payer came back by error_url: the outcome was not known yet.',
  expiry: 'The payer came back by expiry_url: the session had ended.',
};

function Came({ door, genuine }: NonNullable<Props['came']>) {
  if (genuine) {
    return (
      <p className={`note good ${styles.came}`}>
        {doorWords[door]} The signature of the address is right. What became of the payment is told by callback.
      </p>
    );
  }
  const unsigned = door === 'expiry' || door === 'error';
  return (
    <p className={`note ${unsigned ? '' : 'bad'} ${styles.came}`}>
      {doorWords[door]} {unsigned ? 'The address is not signed' : 'The signature of the address is wrong'}, so the shop
      takes nothing from it.
    </p>
  );
}

// A sum that can be read: what came in, what went back, what is left.
function MoneyLine({ order }: { order: OrderView }) {
  const { state, held, captured, refunded, left, currency, authorizeOnly } = order;
  const parts = authorizeOnly ? [['Authorised', held]] : [];
  parts.push(['Captured', captured], ['Refunded', refunded]);
  parts.push([state === 'pending' ? 'Can be captured' : 'Can be refunded', left]);
  return (
    <div className={styles.strip}>
      <dl className={`wide ${styles.money}`}>
        {parts.map(([name = '', amount = '']) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="figures">{shownAmount(amount, currency)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
