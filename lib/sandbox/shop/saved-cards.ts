// Saved cards of visitors: Florin's token, and what a receipt shows of the card.
import { randomBytes } from 'node:crypto';
import { query } from '../../db';
import { now } from '../../db/clock';
import type { CardView } from './order-model';
import type { Order } from './orders';

/** A row of shop_cards. */
type CardRow = CardView & { visitor: string; token: string; order_id: string };

const cardsMax = 8;

const viewed = ({ id, card, expiry }: CardRow): CardView => ({ id, card, expiry });

/** Saves the token of a genuine callback for the visitor who requested it; a repeat keeps the same card. */
export async function saveCard({ id: orderId, visitor }: Order, token: string, card: string, expiry: string) {
  await query(
    'shop-card-save',
    `insert into shop_cards (id, visitor, token, card, expiry, order_id, created_at) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (visitor, token) do nothing`,
    [randomBytes(12).toString('base64url'), visitor, token, card, expiry, orderId, now()],
  );
}

/** The visitor's cards, the newest first. */
export async function cardsOf(visitor: string | null): Promise<CardView[]> {
  if (visitor === null) return [];
  const rows = await query<CardRow>(
    'shop-cards-of',
    `select * from shop_cards where visitor = $1 order by created_at desc limit ${cardsMax}`,
    [visitor],
  );
  return rows.map(viewed);
}

/** The visitor's card with this id; null for others. */
export async function findCard(visitor: string, id: string): Promise<CardRow | null> {
  const [row] = await query<CardRow>('shop-card-find', 'select * from shop_cards where id = $1 and visitor = $2', [
    id,
    visitor,
  ]);
  return row ?? null;
}

/** The card that was saved with an order. */
export async function cardSavedWith({ id, visitor }: Order): Promise<CardView | null> {
  const [row] = await query<CardRow>(
    'shop-card-of-order',
    'select * from shop_cards where order_id = $1 and visitor = $2 limit 1',
    [id, visitor],
  );
  return row ? viewed(row) : null;
}

/** Deletes a card. */
export async function removeCard(id: string): Promise<void> {
  await query('shop-card-remove', 'delete from shop_cards where id = $1', [id]);
}
