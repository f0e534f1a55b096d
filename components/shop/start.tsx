// The start page of the sandbox: a complete payment to try, and links to the rest.
import Link from 'next/link';
import { groupDigits } from '../../lib/core/cards.ts';
import { demoMerchant } from '../../lib/core/demo-merchant.ts';
import { sandboxCards, sandboxCode } from '../../lib/core/sandbox-cards.ts';
import { docGroups } from '../../lib/docs/pages.ts';
import type { OrderRow } from '../../lib/sandbox/shop/order-model.ts';
import { Code } from '../ui/code.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { OrderForm } from './order-form.tsx';
import { OrderList } from './order-list.tsx';
import styles from './start.module.css';
import cardStyles from './test-cards.module.css';

type Props = {
  /** The address of the Checkout API, without a trailing slash. */
  baseUrl: string;
  /** The shop's page with hosted fields, on another origin. */
  fieldsUrl: string;
  curl: string;
  /** The payer of the curl example's order has returned. */
  returned: { orderNumber: string; genuine: boolean } | null;
  /** The orders of this browser. */
  orders: OrderRow[];
};

export function Start({ baseUrl, fieldsUrl, curl, returned, orders }: Props) {
  return (
    <div className="wide">
      <div className={styles.hero}>
        <h1>Florin is a payment service that you run yourself</h1>
        <p className="soft">
          Hosted payment pages, server-to-server protocols and signed callbacks, all on this machine. This is the
          sandbox: no money moves.
        </p>
        {returned ? <Returned {...returned} /> : null}
      </div>
      <div className={styles.try}>
        <section aria-labelledby="shop" className={styles.shop}>
          <h2 id="shop">Buy something from the demo shop</h2>
          <p className={styles.intro}>
            The shop's server creates a session and redirects you to the payment page. Pay with a test card, return, and
            see the callbacks that the shop receives.
          </p>
          <OrderForm />
          <ul className={styles.more}>
            <li>
              <Link href="/shop">The full shop</Link>: a basket, card fields in its own page, its own form over S2S, a
              saved card, a wallet, a subscription.
            </li>
            <li>
              <a href={fieldsUrl}>Card fields on another origin</a>: a shop’s page with a log of everything it can read,
              which includes no digit of the card.
            </li>
            <li>
              <a href="/sandbox/outbox">The outbox</a>: links that a method sends to the payer by email or SMS.
            </li>
          </ul>
          <OrderList orders={orders} />
        </section>
        <section aria-labelledby="cards" className={styles.cards}>
          <h2 id="cards">Test cards</h2>
          <TestCards />
        </section>
      </div>
      <section aria-labelledby="own" className={styles.own}>
        <h2 id="own">From your own server</h2>
        <div className={styles.columns}>
          <Code text={curl} title="Paste this in a terminal" copies="the command" />
          <Keys baseUrl={baseUrl} />
        </div>
      </section>
      <section aria-labelledby="read" className={styles.read}>
        <h2 id="read">Documentation</h2>
        <ul>
          {docGroups[0]?.pages.map(({ slug, title, summary }) => (
            <li key={slug}>
              <Link href={`/docs/${slug}`}>{title}</Link>
              <span>{summary}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function Returned({ orderNumber, genuine }: NonNullable<Props['returned']>) {
  if (!genuine) {
    return <p className="note bad">The signature of this return address is invalid: it proves no payment.</p>;
  }
  return (
    <p className="note good">
      You are back from the payment page with order <b>{orderNumber}</b>, and the signature of the address is valid. Its
      state comes by callback, or from <code>/api/v1/payment/status</code>.
    </p>
  );
}

function Keys({ baseUrl }: { baseUrl: string }) {
  const rows = [
    ['Checkout', `${baseUrl}/api/v1`],
    ['merchant_key', demoMerchant.key],
    ['password', demoMerchant.password],
  ] as const;
  return (
    <div className={styles.keys}>
      <h3>The demo merchant</h3>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
              <CopyButton text={value} what={name} className="bare" />
            </dd>
          </div>
        ))}
      </dl>
      <p>
        The password is never sent. It is part of the hash, which is valid for the values of this command only:{' '}
        <Link href="/docs/guide/quickstart">how to compute your own</Link>.
      </p>
    </div>
  );
}

const [{ number: mainNumber } = { number: '' }] = sandboxCards;
const others = ['3ds-code', 'no-funds', 'wrong-cvv', 'timeout-settled', 'waiting-settled'];

const shortDate = (expiry: string) => expiry.replace(/^(\d\d)\/\d\d/, '$1/');

function TestCards() {
  const dates = sandboxCards.filter((card) => card.number === mainNumber);
  const chosen = sandboxCards.filter((card) => others.includes(card.id));
  return (
    <div className={cardStyles.cards}>
      <p className={cardStyles.number}>
        <span className="mono">{groupDigits(mainNumber)}</span>
        <CopyButton text={mainNumber} what="card number" word />
      </p>
      <table className={cardStyles.table}>
        <caption className="unseen">Outcome of each expiry date of this number</caption>
        <thead>
          <tr>
            <th scope="col">Expiry date</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {dates.map(({ id, expiry, name }) => (
            <tr key={id}>
              <td className="mono">{shortDate(expiry ?? '')}</td>
              <td>{name}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table className={cardStyles.table}>
        <caption className={cardStyles.caption}>Other numbers, any future date</caption>
        <tbody>
          {chosen.map(({ id, number, name }) => (
            <tr key={id}>
              <th scope="row">
                <span className="mono">{groupDigits(number)}</span>
                <span className={cardStyles.what}>{name}</span>
              </th>
              <td className={cardStyles.copy}>
                <CopyButton text={number} what={`card number for: ${name}`} className="bare" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={cardStyles.help}>
        Any security code and any name. The bank's code is <code>{sandboxCode}</code>. Real cards are always declined
        here. <a href="/docs/reference/test-cards">All test cards</a>
      </p>
    </div>
  );
}
