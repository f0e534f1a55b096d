// What the tests of a world that misbehaves share: how time passes, and what the books say beside the provider's journal.

import { expect } from '@playwright/test';
import type { Adversary } from './adversary';
import { type CardMerchant, describeCardCallback } from './card-merchant';
import { messagesOf } from './catcher';
import { type Clock, clockAt } from './clock';
import type { Body } from './merchant';
import { sql } from './users';
import { startVictim, type Victim } from './victim';

/** Lets time pass in steps of 40 seconds, with what falls due in each, until `isDone` says so; throws after `rounds`. */
export async function advanceUntil(clock: Clock, isDone: () => Promise<boolean>, rounds = 10): Promise<void> {
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
export async function advanceSteps(clock: Clock, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await clock.advance(40);
    await new Promise((wake) => setTimeout(wake, 200));
  }
}

/** A server of the test's own whose clock has been moved as far as that of the server under test. */
export async function startSecondServer(clock: Clock, more: Record<string, string> = {}): Promise<Victim> {
  const victim = await startVictim(more);
  const ahead = (await clock.now()).getTime() - Date.now();
  await clockAt(victim.url).advance(Math.max(0, ahead / 1000));
  return victim;
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
export async function ledgerBalanceOf(order: string): Promise<number> {
  const rows = await sql(
    `select state::text, settled_minor::text as settled, refunded_minor::text as refunded from payments
      where order_number = $1`,
    [order],
  );
  const kept = rows.filter(({ state }) => state === 'settled' || state === 'refund' || state === 'chargeback');
  return kept.reduce((sum, { settled, refunded }) => sum + Number(settled) - Number(refunded), 0);
}

/** The books say what the provider's journal says. */
export async function expectLedgerMatches(bank: Adversary, order: string): Promise<void> {
  expect({ ledger: await ledgerBalanceOf(order), provider: bank.net(order) }).toEqual({
    ledger: bank.net(order),
    provider: bank.net(order),
  });
}

/** The callbacks of an order so far, each message once, as `CREDITVOID SUCCESS SETTLED`. */
export const callbackSummaries = (shop: CardMerchant, order: string): string[] =>
  messagesOf(shop.catcher.arrived(order)).map(describeCardCallback);

/** An answer whose two words say the same: who reads `result` and who reads `status` act alike. */
export function expectConsistentAnswer(body: Body): void {
  const { result, status } = body;
  const words = `${result} ${status}`;
  expect(['DECLINED SETTLED', 'DECLINED PENDING', 'SUCCESS DECLINED']).not.toContain(words);
}
