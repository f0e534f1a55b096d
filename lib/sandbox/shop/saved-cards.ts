// Saved cards of visitors: Florin's token, and what a receipt shows of the card.
import { randomBytes } from 'node:crypto';
import { statement } from '../../db';
import { now } from '../../db/clock';
import type { CardView } from './order-model';
import type { Order } from './orders';

/** A row of shop_cards. */
type CardRow = CardView & { visitor: string; token: string; order_id: string };

const cardsMax = 8;

const viewed = ({ id, card, expiry }: CardRow): CardView => ({ id, card, expiry });

const insertCard = statement<{
  id: string;
  visitor: string;
  token: string;
  card: string;
  expiry: string;
  orderId: string;
  at: Date;
}>(
  'shop-card-save',
  `insert into shop_cards (id, visitor, token, card, expiry, order_id, created_at)
   values (:id, :visitor, :token, :card, :expiry, :orderId, :at)
   on conflict (visitor, token) do nothing`,
);

/** Saves the token of a genuine callback for the visitor who requested it; a repeat keeps the same card. */
export async function saveCard({ id: orderId, visitor }: Order, token: string, card: string, expiry: string) {
  await insertCard({ id: randomBytes(12).toString('base64url'), visitor, token, card, expiry, orderId, at: now() });
}

const cardsByVisitor = statement<{ visitor: string }, CardRow>(
  'shop-cards-of',
  `select * from shop_cards where visitor = :visitor order by created_at desc limit ${cardsMax}`,
);

/** The visitor's cards, the newest first. */
export async function cardsOf(visitor: string | null): Promise<CardView[]> {
  if (visitor === null) return [];
  const rows = await cardsByVisitor({ visitor });
  return rows.map(viewed);
}

const cardById = statement<{ id: string; visitor: string }, CardRow>(
  'shop-card-find',
  'select * from shop_cards where id = :id and visitor = :visitor',
);

/** The visitor's card with this id; null for others. */
export async function findCard(visitor: string, id: string): Promise<CardRow | null> {
  const [row] = await cardById({ id, visitor });
  return row ?? null;
}

const cardByOrder = statement<{ orderId: string; visitor: string }, CardRow>(
  'shop-card-of-order',
  'select * from shop_cards where order_id = :orderId and visitor = :visitor limit 1',
);

/** The card that was saved with an order. */
export async function cardSavedWith({ id, visitor }: Order): Promise<CardView | null> {
  const [row] = await cardByOrder({ orderId: id, visitor });
  return row ? viewed(row) : null;
}

const deleteCard = statement<{ id: string }>('shop-card-remove', 'delete from shop_cards where id = :id');

/** Deletes a card. */
export async function removeCard(id: string): Promise<void> {
  await deleteCard({ id });
}
