'use client';
// The demo shop: a few products, a basket and a checkout. It is one form, so that it works without script too; the
// shop's server computes the amount again.
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type CheckoutInput, checkoutForm } from '../../lib/sandbox/shop/form-schemas.ts';
import type { CardView, OrderRow } from '../../lib/sandbox/shop/order-model.ts';
import {
  type Product,
  products,
  quantityMax,
  quoteOf,
  shopCurrencies,
  shownAmount,
} from '../../lib/sandbox/shop/products.ts';
import { Icon } from '../ui/icons.tsx';
import { type Basket, putBasket, useBasket } from './basket-store.ts';
import { Checkout } from './checkout.tsx';
import { requestJson, type ShopError, useReturn, withClient } from './client.tsx';
import { OrderList } from './order-list.tsx';
import styles from './shop.module.css';

type Props = { cards: CardView[]; orders: OrderRow[] };

export const Shop = withClient(Counter);

type Placed = { id: string; go: string };

function errorOf(order: CheckoutInput): string | null {
  const parsed = checkoutForm.safeParse(order);
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? 'Something is missing.');
}

function Counter({ cards, orders }: Props) {
  const basket = useBasket();
  const [error, setError] = useState<string | null>(null);
  const place = useMutation<Placed, ShopError, CheckoutInput>({
    mutationFn: (order) => requestJson('/checkout', order),
    onSuccess: ({ go }) => {
      putBasket({ ...basket, quantities: {} });
      location.assign(go);
    },
    onError: (failure) => setError(failure.message),
  });
  const busy = place.isPending || place.isSuccess;
  useReturn(place.reset);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const order = orderOf(new FormData(event.currentTarget), basket);
    const message = errorOf(order);
    setError(message);
    if (!message) place.mutate(order);
  };
  const lines = linesOf(basket);
  const quote = quoteOf(lines, basket.currency);
  return (
    <div className="wide">
      <div className={styles.head}>
        <h1>Demo shop</h1>
        <p className="soft">
          A merchant like any other: its server calls Florin over HTTP, and every order shows its requests and
          callbacks. This is the sandbox: no money moves.
        </p>
      </div>
      <form
        noValidate
        method="post"
        action="/sandbox/shop/checkout"
        aria-label="Demo shop"
        className={styles.counter}
        onSubmit={submit}
        onChange={() => setError(null)}
      >
        <section aria-labelledby="things" className={styles.things}>
          <div className={styles.bar}>
            <h2 id="things">Products</h2>
            <Currency basket={basket} />
          </div>
          <ul className={styles.grid}>
            {products.map((product) => (
              <ProductCard key={product.id} product={product} basket={basket} />
            ))}
          </ul>
          {lines.length > 0 ? (
            <a href="#basket" className={`button primary tall ${styles.dock}`}>
              Basket, {shownAmount(quote.total, basket.currency)}
            </a>
          ) : null}
        </section>
        <Checkout quote={quote} currency={basket.currency} cards={cards} busy={busy} error={error} />
      </form>
      <OrderList orders={orders} />
    </div>
  );
}

const linesOf = ({ quantities }: Basket) =>
  products.map(({ id }) => ({ product: id, quantity: quantities[id] ?? 0 })).filter(({ quantity }) => quantity > 0);

function orderOf(form: FormData, basket: Basket): CheckoutInput {
  const [way, card] = String(form.get('way') ?? '').split(':', 2);
  return {
    lines: linesOf(basket),
    currency: basket.currency,
    way: way as CheckoutInput['way'],
    ...(card && { card }),
    save_card: form.has('save_card'),
    auth: form.has('auth'),
    language: String(form.get('language') ?? ''),
  };
}

function Currency({ basket }: { basket: Basket }) {
  return (
    <label className={styles.currency}>
      <span>Currency</span>
      <select
        name="currency"
        className="input"
        value={basket.currency}
        onChange={(event) => putBasket({ ...basket, currency: event.target.value as Basket['currency'] })}
      >
        {shopCurrencies.map((code) => (
          <option key={code}>{code}</option>
        ))}
      </select>
    </label>
  );
}

function ProductCard({ product, basket }: { product: Product; basket: Basket }) {
  const { id, name, note, prices, daily } = product;
  const quantity = basket.quantities[id] ?? 0;
  const put = (count: number) => {
    const next = Number.isInteger(count) ? Math.min(Math.max(count, 0), quantityMax) : 0;
    putBasket({ ...basket, quantities: { ...basket.quantities, [id]: next } });
  };
  return (
    <li className={styles.product} data-chosen={quantity > 0 || undefined}>
      <div className={styles.art}>
        <svg viewBox="0 0 120 84" aria-hidden="true" focusable="false">
          <use href={`/shop-products.svg#${id}`} />
        </svg>
        {daily ? <span className={styles.daily}>Daily</span> : null}
      </div>
      <h3 id={`name-${id}`}>{name}</h3>
      <p className={styles.note}>{note}</p>
      <div className={styles.buy}>
        <span className={`figures ${styles.price}`}>{shownAmount(prices[basket.currency], basket.currency)}</span>
        <span className={styles.stepper}>
          <button type="button" aria-label={`Fewer: ${name}`} onClick={() => put(quantity - 1)}>
            <Icon name="minus" />
          </button>
          <input
            name={`quantity.${id}`}
            aria-label={`Quantity: ${name}`}
            className="figures"
            inputMode="numeric"
            autoComplete="off"
            maxLength={2}
            value={quantity}
            onChange={(event) => put(Number(event.target.value))}
            onFocus={(event) => event.target.select()}
          />
          <button type="button" aria-label={`More: ${name}`} onClick={() => put(quantity + 1)}>
            <Icon name="plus" />
          </button>
        </span>
      </div>
    </li>
  );
}
