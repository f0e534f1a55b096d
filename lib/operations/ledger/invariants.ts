// The invariants of the ledger: they hold in every database of Florin at every moment, open transactions included. `on`
// is a source (sources.ts) and `broken` the SQL condition of a violating row, so that the query is `select <show> from
// <source> where <broken>`. NULL is no violation.
import { ledgerInvariants } from './ledger-invariants.ts';
import { otherInvariants } from './other-invariants.ts';
import { paymentInvariants } from './payment-invariants.ts';

/** A row of the table. */
export type Invariant = { name: string; rule: string; on: string; broken: string };

export const invariants: Invariant[] = [...paymentInvariants, ...ledgerInvariants, ...otherInvariants];

/**
 * Columns that reference another table without a foreign key and that no invariant above covers: table.column -> its
 * key.
 */
export const references = `
  payments.key_id          -> merchant_keys.id
  payments.schedule_id     -> schedules.id
  payments.recurring_token -> recurring_chains.token
`;
