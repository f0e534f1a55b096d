// What the tests of a world that misbehaves share: how time passes, what the books say beside the provider's journal, a server
// whose clock is wrong, and one whose database answers when the test lets it.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { expect } from '@playwright/test';
import type { Adversary } from './adversary';
import { type CardMerchant, describeCardCallback } from './card-merchant';
import { messagesOf } from './catcher';
import type { Clock } from './clock';
import type { Body } from './merchant';
import { sql } from './people';
import { serverSettings } from './vault';

/** Lets time pass in steps of 40 seconds, with what falls due in each, until `isDone` says so; throws after `rounds`. */
export async function age(clock: Clock, isDone: () => Promise<boolean>, rounds = 10): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await clock.advance(40);
    for (let tries = 0; tries < 5; tries += 1) {
      if (await isDone()) return;
      await new Promise((wake) => setTimeout(wake, 150));
    }
  }
  throw new Error(`nothing came of it in ${rounds * 40} seconds`);
}

/** Lets so many steps of 40 seconds pass, whatever comes of it. */
export async function pass(clock: Clock, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await clock.advance(40);
    await new Promise((wake) => setTimeout(wake, 200));
  }
}

/** The state of an order over S2S CARD, by its number. */
export async function stateOf(shop: CardMerchant, sold: Parameters<CardMerchant['byOrder']>[0]): Promise<string> {
  const { body } = await shop.byOrder(sold);
  return body.status;
}

/** An item that needs attention, as the books list it. Amounts are minor units. */
export type Unresolved = {
  kind: string;
  reason: string;
  amount_minor: string;
  currency: string;
  closed_at: string | null;
  resolution: string | null;
};

/** The items that the books list about an order, oldest first. */
export async function unresolvedOf(order: string): Promise<Unresolved[]> {
  const [row] = await sql("select to_regclass('public.unresolved') is not null as there");
  if (!row?.there) return [];
  const rows = await sql(
    `select u.kind::text, u.reason, u.amount_minor::text, u.currency, u.closed_at, u.resolution::text from unresolved u
       join payments p on p.id = u.payment_id where p.order_number = $1 order by u.created_at`,
    [order],
  );
  return rows as Unresolved[];
}

/** What the books say that the provider holds of the payer's money for an order, or has paid out for it, in minor units. */
export async function booksOf(order: string): Promise<number> {
  const rows = await sql(
    `select state::text, settled_minor::text as settled, refunded_minor::text as refunded from payments
      where order_number = $1`,
    [order],
  );
  const kept = rows.filter(({ state }) => state === 'settled' || state === 'refund' || state === 'chargeback');
  return kept.reduce((sum, { settled, refunded }) => sum + Number(settled) - Number(refunded), 0);
}

/** The books say what the provider's journal says. */
export async function expectTrueBooks(bank: Adversary, order: string): Promise<void> {
  expect({ books: await booksOf(order), provider: bank.net(order) }).toEqual({
    books: bank.net(order),
    provider: bank.net(order),
  });
}

/** The callbacks of an order so far, each message once, as `CREDITVOID SUCCESS SETTLED`. */
export const toldOf = (shop: CardMerchant, order: string): string[] =>
  messagesOf(shop.catcher.arrived(order)).map(describeCardCallback);

/** An answer whose two words say the same: who reads `result` and who reads `status` act alike. */
export function expectConsistent(body: Body): void {
  const { result, status } = body;
  const told = `${result} ${status}`;
  expect(['DECLINED SETTLED', 'DECLINED PENDING', 'SUCCESS DECLINED']).not.toContain(told);
}

/** Settings of a process whose clock is wrong by so many seconds: every date that it takes is. */
export function skewed(seconds: number): Record<string, string> {
  const script = `
    const Real = Date;
    const now = () => Real.now() + ${seconds * 1000};
    globalThis.Date = class Date extends Real {
      constructor(...given) { given.length === 0 ? super(now()) : super(...given); }
      static now() { return now(); }
      // Own ones, as the real class has them: Next copies those alone.
      static UTC = Real.UTC;
      static parse = Real.parse;
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

/** A database whose answers the test can keep back. */
export type SlowDatabase = {
  /** Settings of a process that works on it. */
  settings: Record<string, string>;
  /** From the next statement on that holds all of these texts, no answer comes back on its connection. */
  keepBack(...texts: string[]): void;
  /** Everything that was kept back is answered. */
  letGo(): void;
  close(): Promise<void>;
};

/** Stands between one process and the database of the server under test. */
export async function slowDatabase(): Promise<SlowDatabase> {
  const url = new URL(serverSettings().DATABASE_URL ?? '');
  const sockets = new Set<Socket>();
  const kept: (() => void)[] = [];
  let wanted: string[] = [];
  const server = createServer((client) => {
    const database = connect(Number(url.port), url.hostname);
    sockets.add(client).add(database);
    let waiting: Buffer[] | null = null;
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      if (wanted.length > 0 && wanted.every((each) => text.includes(each))) {
        wanted = [];
        waiting = [];
        kept.push(() => {
          for (const each of waiting ?? []) client.write(each);
          waiting = null;
        });
      }
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      if (waiting) waiting.push(bytes);
      else client.write(bytes);
    });
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const own = new URL(url);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: { DATABASE_URL: own.href },
    keepBack(...texts) {
      wanted = texts;
    },
    letGo() {
      for (const each of kept.splice(0)) each();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
