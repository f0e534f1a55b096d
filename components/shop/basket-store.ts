'use client';
// The basket in this browser's storage: quantities and the currency. It survives a reload, and other tabs follow it.
import { useSyncExternalStore } from 'react';
import { findProduct, quantityMax, type ShopCurrency, shopCurrencies } from '../../lib/sandbox/shop/products.ts';

export type Basket = { quantities: Readonly<Record<string, number>>; currency: ShopCurrency };

const storageKey = 'florin.shop.basket';
const empty: Basket = { quantities: {}, currency: 'EUR' };

let known = empty;
let read: string | null = null;
const listeners = new Set<() => void>();

/** Reads the stored basket; entries that the shop no longer sells are dropped. */
function parse(text: string): Basket {
  const { quantities, currency } = JSON.parse(text) as { quantities?: object; currency?: unknown };
  const stored = Object.entries(quantities ?? {}).filter(
    ([id, quantity]) => findProduct(id) && Number.isInteger(quantity) && quantity > 0 && quantity <= quantityMax,
  );
  return {
    quantities: Object.fromEntries(stored),
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
    // Without storage the basket lasts as long as the page; malformed content counts as empty.
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
    // The basket is still in memory.
  }
  for (const changed of listeners) changed();
}

/** The basket; empty on the server. */
export function useBasket(): Basket {
  return useSyncExternalStore(subscribe, current, () => empty);
}
