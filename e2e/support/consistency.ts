// Helpers for tests of misbehaving providers: time steps, unresolved items, and the comparison of the ledger with the
// provider's journal.

import { expect } from '@playwright/test';
import type { CardMerchant } from './card-merchant.ts';
import { type Clock, clockAt } from './clock.ts';
import { sql } from './database-rows.ts';
import { type KillableServer, startKillableServer } from './killable-server.ts';
import type { Body } from './merchant.ts';
import { describeS2sCallback } from './s2s-flows.ts';
import type { ScriptedProvider } from './scripted-provider.ts';
import { messagesOf } from './shop-server.ts';

/** Advances in steps of 40 seconds and runs due jobs until `isDone`; throws after `rounds`. */
export async function advanceUntil(clock: Clock, isDone: () => Promise<boolean>, rounds = 10): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await clock.advance(40);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      if (await isDone()) return;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  }
  throw new Error(`not done after ${rounds * 40} seconds`);
}

/** Advances by this many steps of 40 seconds. */
export async function advanceSteps(clock: Clock, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await clock.advance(40);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Starts a second server with the same clock offset as the server under test. */
export async function startSecondServer(clock: Clock, more: Record<string, string> = {}): Promise<KillableServer> {
  const victim = await startKillableServer(more);
  const ahead = (await clock.now()).getTime() - Date.now();
  await clockAt(victim.url).advance(Math.max(0, ahead / 1000));
  return victim;
}

/** The status of an order over S2S CARD, by order number. */
export async function stateOf(shop: CardMerchant, sold: Parameters<CardMerchant['byOrder']>[0]): Promise<string> {
  const { body } = await shop.byOrder(sold);
  return body.status;
}

/** An unresolved item as stored. Amounts are minor units. */
export type Unresolved = {
  kind: string;
  reason: string;
  amount_minor: string;
  currency: string;
  action: string;
  closed_at: string | null;
  resolution: string | null;
};

/** The unresolved items of an order, oldest first. */
export async function unresolvedOf(order: string): Promise<Unresolved[]> {
  return sql(
    `select u.kind::text, u.reason, u.amount_minor::text, u.currency, u.action::text, u.closed_at, u.resolution::text
       from unresolved u
       join payments p on p.id = u.payment_id where p.order_number = $1 order by u.created_at`,
    [order],
  );
}

/** The balance of an order at the provider according to the ledger, or its payouts, in minor units. */
export async function ledgerBalanceOf(order: string): Promise<number> {
  const rows = await sql(
    `select state::text, settled_minor::text as settled, refunded_minor::text as refunded from payments
      where order_number = $1`,
    [order],
  );
  const collected = rows.filter(({ state }) => state === 'settled' || state === 'refund' || state === 'chargeback');
  return collected.reduce((sum, { settled, refunded }) => sum + Number(settled) - Number(refunded), 0);
}

/** Expects the ledger to match the provider's journal. */
export async function expectLedgerMatches(bank: ScriptedProvider, order: string): Promise<void> {
  expect({ ledger: await ledgerBalanceOf(order), provider: bank.net(order) }).toEqual({
    ledger: bank.net(order),
    provider: bank.net(order),
  });
}

/** The callbacks of an order so far, each message once, as `CREDITVOID SUCCESS SETTLED`. */
export const callbackSummaries = (shop: CardMerchant, order: string): string[] =>
  messagesOf(shop.shopServer.arrived(order)).map(describeS2sCallback);

/** Expects `result` and `status` of a response to agree. */
export function expectConsistentAnswer(body: Body): void {
  const { result, status } = body;
  const pair = `${result} ${status}`;
  expect(['DECLINED SETTLED', 'DECLINED PENDING', 'SUCCESS DECLINED']).not.toContain(pair);
}
