-- The suspense of the items that were open before the ledger. Their locks are taken in the order of other statements; the
-- trigger of the update posts the entries.
SELECT 1 FROM unresolved WHERE closed_at IS NULL ORDER BY transaction_id, kind, subject FOR UPDATE;
UPDATE unresolved SET polls = polls WHERE closed_at IS NULL;
