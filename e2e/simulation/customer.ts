// What the customers of both protocols share.
import { type Draw, oneOf } from '../chaos/seeded-random.ts';
import type { Merchant } from './merchants.ts';
import type { Body, Fields } from './requests.ts';
import type { World } from './world.ts';

/** A customer of a history. */
export type Customer = {
  world: World;
  draw: Draw;
  merchant: Merchant;
  order: string;
  /** Sends a form of S2S CARD or APM until an answer comes; null if none came in time. */
  ask: (order: string, fields: Fields, protocol?: 'card' | 'apm') => Promise<Body>;
  /** Sends JSON to a Checkout endpoint until an answer comes; null if none came in time. */
  post: (path: string, body: object, about: string) => Promise<Body>;
};

/** An amount, whose last digit decides what the provider does. */
export const amountOf = (draw: Draw) =>
  `${10 + Math.floor(draw() * 90)}.${Math.floor(draw() * 10)}${oneOf(draw, [...'0000000357'])}`;

/** A part of an amount. */
export const part = (draw: Draw) =>
  `${1 + Math.floor(draw() * 9)}.${oneOf(draw, [...'00057'])}${oneOf(draw, [...'0007'])}`;
