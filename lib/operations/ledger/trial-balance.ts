/** The trial balance: what each account of the ledger holds, over all merchants. */
import type { ClientBase } from 'pg';

/** The balance of an account in minor units of a currency; above zero for a debit balance. */
export type Balance = { currency: string; account: string; minor: bigint };

const balances = `
select currency, account::text as account, sum(minor)::text as minor
  from (select currency, debit as account, sum(amount_minor) as minor from ledger_entries group by 1, 2
        union all
        select currency, credit, -sum(amount_minor) from ledger_entries group by 1, 2) sides
 group by 1, 2 order by 1, 2`;

/** Reads the balances by currency and account. Those of a currency add up to zero. */
export async function readTrialBalance(client: ClientBase): Promise<Balance[]> {
  const { rows } = await client.query<Record<'currency' | 'account' | 'minor', string>>(balances);
  return rows.map(({ minor, ...account }) => ({ ...account, minor: BigInt(minor) }));
}
