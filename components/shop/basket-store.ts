'use client';
// The basket as this browser keeps it: how many of what, and the currency. A reload finds it again; other tabs follow.
import { useSyncExternalStore } from 'react';
import { findProduct, quantityMax, type ShopCurrency, shopCurrencies } from '../../lib/sandbox/shop/products';

export type Basket = { quantities: Readonly<Record<string, number>>; currency: ShopCurrency };

const storageKey = 'florin.shop.basket';
const empty: Basket = { quantities: {}, currency: 'EUR' };

let known = empty;
let read: string | null = null;
const listeners = new Set<() => void>();

/** What is stored, as far as it makes sense: the shop may sell something else by now. */
function parse(text: string): Basket {
  const { quantities, currency } = JSON.parse(text) as { quantities?: object; currency?: unknown };
  const kept = Object.entries(quantities ?? {}).filter(
    ([id, quantity]) => findProduct(id) && Number.isInteger(quantity) && quantity > 0 && quantity <= quantityMax,
  );
  return {
    quantities: Object.fromEntries(kept),
    currency: shopCurrencies.find((code) => code === currency) ?? 'EUR',
  };
}

function current(): Basket {
  try {
    const text = localStorage.getItem(storageKey);
    if (text === read) return known;
    read = text;
    known = text === null ? empty : parse(text);
  } catch {
    // A browser without storage keeps the basket until it leaves; something else in this place is no basket.
  }
  return known;
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  addEventListener('storage', changed);
  return () => {
    listeners.delete(changed);
    removeEventListener('storage', changed);
  };
}

/** Replaces the basket. */
export function putBasket(basket: Basket): void {
  const quantities = Object.fromEntries(Object.entries(basket.quantities).filter(([, quantity]) => quantity > 0));
  known = { ...basket, quantities };
  try {
    read = JSON.stringify(known);
    localStorage.setItem(storageKey, read);
  } catch {
    // Nothing is lost but the memory of it.
  }
  for (const changed of listeners) changed();
}

/** The basket; empty on the server. */
export function useBasket(): Basket {
  return useSyncExternalStore(subscribe, current, () => empty);
}
