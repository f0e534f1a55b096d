'use client';
// The checkout of the demo shop: the basket, its price and the payment options.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CardView } from '../../lib/sandbox/shop/order-model.ts';
import { deliveries, type Quote, type ShopCurrency, shownAmount } from '../../lib/sandbox/shop/products.ts';
import { ErrorIcon } from '../ui/icons.tsx';
import styles from './checkout.module.css';
import { LanguageSelect, OrderLines, requestJson } from './client.tsx';

type Props = { quote: Quote; currency: ShopCurrency; cards: CardView[]; busy: boolean; error: string | null };

export function Checkout({ quote, currency, cards, busy, error }: Props) {
  const [savedCards, setSavedCards] = useState(cards);
  const [method, setMethod] = useState('page');
  const [auth, setAuth] = useState(false);
  const isSaved = method.startsWith('saved:');
  const removeCard = (id: string) => {
    setSavedCards((others) => others.filter((card) => card.id !== id));
    if (method === `saved:${id}`) setMethod('page');
  };
  return (
    <section aria-labelledby="basket" className={styles.checkout}>
      <h2 id="basket">Basket</h2>
      <Lines quote={quote} currency={currency} />
      <fieldset className={styles.ways}>
        <legend>How to pay</legend>
        {savedCards.map(({ id, card, expiry }) => (
          <div key={id} className={styles.saved}>
            <MethodOption
              id={`saved:${id}`}
              chosen={method}
              choose={setMethod}
              title={`Saved card ${card.replace(/\*+/, ' •••• ')}`}
              text={`Valid until ${expiry}, charged by its token`}
              protocol="S2S CARD"
            />
            <RemoveCard card={{ id, card, expiry }} onRemoved={removeCard} />
          </div>
        ))}
        {methods.map((each) => (
          <MethodOption key={each.id} {...each} chosen={method} choose={setMethod} />
        ))}
      </fieldset>
      <div className={styles.options}>
        {isSaved || method === 'wallet' ? null : (
          <Check name="save_card" title="Save the card for next time" parameter="req_token" />
        )}
        <Check name="auth" title="Authorise now, capture later" parameter="auth" onChange={setAuth} />
        <div className={styles.language}>
          <LanguageSelect label="Language of the payer’s pages" name="language" defaultValue="" />
        </div>
      </div>
      {error ? (
        <p className={`fault ${styles.fault}`} role="alert">
          <ErrorIcon />
          {error}
        </p>
      ) : null}
      <button type="submit" className={`button primary tall ${styles.pay}`} aria-busy={busy || undefined}>
        {busy ? 'Placing the order' : buttonText(quote, currency, isSaved, auth)}
      </button>
    </section>
  );
}

function buttonText({ lines, total }: Quote, currency: ShopCurrency, isSaved: boolean, auth: boolean): string {
  if (lines.length === 0) return 'Check out';
  const amount = shownAmount(total, currency);
  if (isSaved) return `${auth ? 'Authorise' : 'Pay'} ${amount} with the saved card`;
  return `Check out, ${amount}`;
}

function Lines({ quote: { lines, total, daily }, currency }: { quote: Quote; currency: ShopCurrency }) {
  if (lines.length === 0)
    return <p className={styles.empty}>The basket is empty. Add a product with its plus button.</p>;
  return (
    <div className={styles.lines}>
      <OrderLines lines={lines} currency={currency} />
      <p className={styles.total}>
        <span>Total</span>
        <span className="figures" role="status">
          {shownAmount(total, currency)}
        </span>
      </p>
      {daily ? (
        <p className="quiet">
          Then <span className="figures">{shownAmount(daily, currency)}</span> every day, {deliveries} times, by
          schedule.
        </p>
      ) : null}
    </div>
  );
}

const methods = [
  { id: 'page', title: 'Payment page', text: 'The shop redirects you to Florin’s page', protocol: 'Checkout' },
  { id: 'fields', title: 'Card fields in the shop', text: 'Florin’s fields in the shop’s page', protocol: 'Checkout' },
  { id: 's2s', title: 'The shop’s own form', text: 'The card passes through the shop’s server', protocol: 'S2S CARD' },
  { id: 'wallet', title: 'Test wallet', text: 'The shop’s server names the payer', protocol: 'S2S APM' },
];

type MethodOptionProps = (typeof methods)[number] & { chosen: string; choose: (id: string) => void };

function MethodOption({ id, title, text, protocol, chosen, choose }: MethodOptionProps) {
  return (
    <label className={styles.way}>
      <input type="radio" name="way" value={id} checked={chosen === id} onChange={() => choose(id)} />
      <span>
        <span className={styles.title}>
          {title} <span className="tag">{protocol}</span>
        </span>
        <span className={styles.text}>{text}</span>
      </span>
    </label>
  );
}

type CheckProps = { name: string; title: string; parameter: string; onChange?: (checked: boolean) => void };

function Check({ name, title, parameter, onChange }: CheckProps) {
  return (
    <label className={styles.check}>
      <input type="checkbox" name={name} onChange={(event) => onChange?.(event.target.checked)} />
      <span>
        {title} <code className="quiet">{parameter}</code>
      </span>
    </label>
  );
}

function RemoveCard({ card, onRemoved }: { card: CardView; onRemoved: (id: string) => void }) {
  const remove = useMutation({
    mutationFn: () => requestJson(`/cards/${card.id}/forget`, {}),
    onSuccess: () => onRemoved(card.id),
  });
  return (
    <button
      type="button"
      className="button small bare"
      aria-label={`Remove the card ${card.card}`}
      title={remove.isError ? remove.error.message : undefined}
      onClick={() => remove.mutate()}
    >
      {remove.isError ? 'Not removed' : 'Remove'}
    </button>
  );
}
