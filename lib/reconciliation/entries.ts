/** The entries of the ledger that settlement reports and decisions about their differences post. */

/**
 * A statement that posts the entries of `rows` with the columns id, merchant_id, mid_id, currency, expected_currency,
 * delta_minor (added to the receivable, against the payable to the merchant), converted_minor (the same, in the expected
 * currency), fee_minor and bank_minor (taken from the receivable). Each id makes each movement once, so that a repeat posts none.
 */
export const postedFrom = (rows: string) => `
  insert into ledger_entries (movement, debit, credit, amount_minor, currency, merchant_id, mid_id, transaction_id)
  select v.movement::"LedgerMovement",
         (case when v.minor > 0 then 'provider_receivable' else v.account end)::"LedgerAccount",
         (case when v.minor > 0 then v.account else 'provider_receivable' end)::"LedgerAccount",
         abs(v.minor), v.currency, c.merchant_id, c.mid_id, c.id
    from (${rows}) c cross join lateral (values
           ('adjustment', 'merchant_payable', c.converted_minor, c.expected_currency),
           (case when c.converted_minor = 0 then 'adjustment' else 'conversion' end, 'merchant_payable', c.delta_minor, c.currency),
           (case when c.fee_minor > 0 then 'fee' else 'fee_return' end, 'fees', -c.fee_minor, c.currency),
           ('bank_payout', 'bank', -c.bank_minor, c.currency)) v(movement, account, minor, currency)
   where v.minor <> 0
      on conflict do nothing`;

/** The columns of {@link postedFrom} for a line `d`, whose fee and payout to the bank are these. */
export const lineEntries = (fee: string, bank = '0') => `
  d.id, :merchant::uuid as merchant_id, d.mid_id, d.currency, null::text as expected_currency, 0::bigint as delta_minor,
  0::bigint as converted_minor, (${fee})::bigint as fee_minor, (${bank})::bigint as bank_minor`;

/** Lines that are of no transaction: they are booked as they are reported. */
export const otherTypes = "('fee', 'fee_return', 'payout')";

/** Locks a MID until the transaction ends: work on it that would not see the rows of another process runs one by one. */
export const lockMidSql = `select pg_advisory_xact_lock(hashtext('florin.settlement ' || :mid::text))`;
