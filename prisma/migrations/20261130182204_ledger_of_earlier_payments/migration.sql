-- The entries of the transactions and open items before the ledger. Its triggers exist since the migration before, so that
-- processes of the previous version post what they change meanwhile; no lock keeps them from it.
INSERT INTO ledger_entries (movement, debit, credit, amount_minor, currency, merchant_id, mid_id, payment_id, transaction_id, posted_at)
SELECT l.movement, l.debit, l.credit, l.minor, t.currency, p.merchant_id, t.mid_id, p.id, t.id,
       coalesce(t.finished_at, t.created_at)
  FROM transactions t JOIN payments p ON p.id = t.payment_id, unnest(ledger_lines(t, NULL, p.settled_minor)) l
 WHERE (t.kind IN ('refund', 'credit') OR t.status = 'success') AND l.minor > 0
   AND NOT EXISTS (SELECT FROM ledger_entries e
                    WHERE e.transaction_id = t.id AND e.movement = l.movement AND e.unresolved_id IS NULL)
 ORDER BY coalesce(t.finished_at, t.created_at), t.id, l.movement
    ON CONFLICT DO NOTHING;
