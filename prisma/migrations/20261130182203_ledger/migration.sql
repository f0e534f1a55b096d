-- CreateEnum
CREATE TYPE "LedgerAccount" AS ENUM ('payer', 'authorised', 'provider_receivable', 'merchant_payable', 'refunds_in_transit', 'payouts_in_transit', 'dispute_reserve', 'suspense');

-- CreateEnum
CREATE TYPE "LedgerMovement" AS ENUM ('authorisation', 'release', 'settlement', 'reservation', 'reservation_release', 'refund', 'payout', 'return', 'chargeback', 'chargeback_won', 'suspense', 'suspense_release');

-- CreateTable
CREATE TABLE "ledger_entries" (
    "id" BIGSERIAL NOT NULL,
    "movement" "LedgerMovement" NOT NULL,
    "debit" "LedgerAccount" NOT NULL,
    "credit" "LedgerAccount" NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mid_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "unresolved_id" UUID,
    "posted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "ledger_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_days" (
    "day" DATE NOT NULL,
    "entries" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "findings" INTEGER NOT NULL,
    "broken" JSONB NOT NULL,
    "took_ms" INTEGER NOT NULL,
    "closed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_days_pkey" PRIMARY KEY ("day")
);

-- CreateIndex
CREATE INDEX "ledger_entries_by_day" ON "ledger_entries" USING BRIN ("posted_at");

-- CreateIndex
CREATE INDEX "ledger_entries_of_item" ON "ledger_entries"("unresolved_id") WHERE (unresolved_id IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "ledger_entries_once" ON "ledger_entries"("transaction_id", "movement") WHERE (unresolved_id IS NULL);

ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_amount" CHECK ("amount_minor" > 0);

-- A line of the ledger before it is stored.
CREATE TYPE "LedgerLine" AS (movement "LedgerMovement", debit "LedgerAccount", credit "LedgerAccount", minor BIGINT);

-- The lines of a change of a transaction from `was` to `is`; `was` is null for a new one. `settled` is the settled amount of
-- the payment after the change.
CREATE FUNCTION "ledger_lines"("is" "transactions", "was" "transactions", "settled" BIGINT)
RETURNS "LedgerLine"[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  lines "LedgerLine"[] := '{}';
  transit "LedgerAccount";
  succeeds BOOLEAN := "is".status = 'success' AND "was".status IS DISTINCT FROM 'success';
  held BIGINT := 0;
BEGIN
  IF "is".kind IN ('refund', 'credit') THEN
    transit := CASE "is".kind WHEN 'refund' THEN 'refunds_in_transit' ELSE 'payouts_in_transit' END;
    IF "was".id IS NULL THEN
      lines := lines || ROW('reservation', 'merchant_payable', transit, "is".amount_minor)::"LedgerLine";
    END IF;
    IF succeeds THEN
      lines := lines || ROW(CASE "is".kind WHEN 'refund' THEN 'refund' ELSE 'payout' END, transit, 'provider_receivable',
                            "is".amount_minor)::"LedgerLine";
    ELSIF "is".status = 'fail' AND "was".status IS DISTINCT FROM 'fail' THEN
      lines := lines || ROW('reservation_release', transit, 'merchant_payable', "is".amount_minor)::"LedgerLine";
    END IF;
  ELSIF "is".kind = 'chargeback' THEN
    IF succeeds THEN
      lines := lines || ROW('chargeback', 'dispute_reserve', 'provider_receivable', "is".amount_minor)::"LedgerLine";
    END IF;
    IF "is".facts #>> '{extended,chargeback_status}' = 'won'
       AND "was".facts #>> '{extended,chargeback_status}' IS DISTINCT FROM 'won' THEN
      lines := lines || ROW('chargeback_won', 'provider_receivable', 'dispute_reserve', "is".amount_minor)::"LedgerLine";
    END IF;
  ELSIF "is".kind IN ('void', 'reversal') AND succeeds AND settled > 0 THEN
    lines := lines || ROW('return', 'merchant_payable', 'provider_receivable', "is".amount_minor)::"LedgerLine";
  ELSIF "is".kind IN ('capture', 'void', 'reversal') AND succeeds THEN
    -- Whatever part is captured, nothing of the authorisation is left.
    SELECT coalesce(sum(a.amount_minor), 0) INTO held FROM transactions a
     WHERE a.payment_id = "is".payment_id AND a.kind = 'authorize' AND a.status = 'success'
       AND coalesce(a.attempt_id, a.id) = "is".attempt_id;
    lines := lines || ROW('release', 'payer', 'authorised', held)::"LedgerLine";
    IF "is".kind = 'capture' THEN
      lines := lines || ROW('settlement', 'provider_receivable', 'merchant_payable', "is".amount_minor)::"LedgerLine";
    END IF;
  ELSIF "is".kind = 'authorize' THEN
    -- A provider may settle at once what it was asked to authorise.
    IF succeeds AND settled > 0 AND "is".decline_code IS NULL AND NOT EXISTS (
         SELECT FROM transactions c
          WHERE c.payment_id = "is".payment_id AND c.kind = 'capture' AND c.status = 'success') THEN
      lines := lines || ROW('settlement', 'provider_receivable', 'merchant_payable', "is".amount_minor)::"LedgerLine";
    ELSIF succeeds THEN
      lines := lines || ROW('authorisation', 'authorised', 'payer', "is".amount_minor)::"LedgerLine";
    END IF;
    -- An authorisation that has expired remains a success, with a decline code.
    IF "is".status = 'success' AND "is".decline_code IS NOT NULL AND "was".decline_code IS NULL THEN
      lines := lines || ROW('release', 'payer', 'authorised', "is".amount_minor)::"LedgerLine";
    END IF;
  ELSIF succeeds THEN
    lines := lines || ROW('settlement', 'provider_receivable', 'merchant_payable', "is".amount_minor)::"LedgerLine";
  END IF;
  RETURN lines;
END
$$;

CREATE FUNCTION "post_transaction"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_entries (movement, debit, credit, amount_minor, currency, merchant_id, mid_id, payment_id, transaction_id)
  SELECT l.movement, l.debit, l.credit, l.minor, NEW.currency, p.merchant_id, NEW.mid_id, p.id, NEW.id
    FROM payments p, unnest(ledger_lines(NEW, OLD, p.settled_minor)) l
   WHERE p.id = NEW.payment_id AND l.minor > 0
      -- An outcome is never lost because of its entries: the check finds those that are missing.
      ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

CREATE TRIGGER "transactions_inserted" AFTER INSERT ON "transactions" FOR EACH ROW
  WHEN (NEW.kind IN ('refund', 'credit') OR NEW.status = 'success') EXECUTE FUNCTION "post_transaction"();
CREATE TRIGGER "transactions_updated" AFTER UPDATE ON "transactions" FOR EACH ROW
  WHEN ((NEW.status = 'success' OR (NEW.status = 'fail' AND NEW.kind IN ('refund', 'credit')))
        AND (NEW.status <> OLD.status OR NEW.kind = 'chargeback' OR NEW.decline_code IS DISTINCT FROM OLD.decline_code))
  EXECUTE FUNCTION "post_transaction"();

-- By how much the provider holds more money than the payment says because of an open item, in minor units of the item's
-- currency; negative for less. What is not known is 0.
CREATE FUNCTION "suspense_of"("item" "unresolved", "of" "transactions", "settled" BIGINT)
RETURNS BIGINT LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN item.closed_at IS NOT NULL THEN 0
    -- Of a chargeback that is booked and changed, a user finds out the difference.
    WHEN item.kind = 'chargeback_mismatch' THEN CASE WHEN "of".kind = 'chargeback' THEN 0 ELSE -item.amount_minor END
    WHEN item.kind NOT IN ('late_success', 'taken_back', 'amount_mismatch', 'underpaid', 'overpaid', 'captured_elsewhere')
      THEN 0
    -- Authorisations and their releases move no money.
    WHEN "of".kind IN ('void', 'reversal') AND settled = 0 THEN 0
    WHEN "of".kind = 'authorize' AND item.kind <> 'captured_elsewhere' THEN
      CASE WHEN item.kind = 'taken_back' THEN -settled ELSE 0 END
    ELSE CASE WHEN "of".kind IN ('refund', 'credit', 'void', 'reversal') THEN -1 ELSE 1 END * CASE
      WHEN item.kind = 'taken_back' THEN -item.amount_minor
      WHEN item.kind = 'amount_mismatch' AND "of".status = 'success' AND "of".currency = item.currency
        THEN item.amount_minor - "of".amount_minor
      ELSE item.amount_minor
    END
  END
$$;

-- Posts what is missing to the suspense of an item, in each currency that it has had. The difference is computed when the
-- item changes; an item is due again, and so changes, after its transaction has become final.
CREATE FUNCTION "post_item"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_entries (movement, debit, credit, amount_minor, currency, merchant_id, mid_id, payment_id,
                              transaction_id, unresolved_id)
  SELECT CASE WHEN d.minor > 0 THEN 'suspense' ELSE 'suspense_release' END::"LedgerMovement",
         CASE WHEN d.minor > 0 THEN 'provider_receivable' ELSE 'suspense' END::"LedgerAccount",
         CASE WHEN d.minor > 0 THEN 'suspense' ELSE 'provider_receivable' END::"LedgerAccount",
         abs(d.minor), d.currency, NEW.merchant_id, d.mid_id, NEW.payment_id, NEW.transaction_id, NEW.id
    FROM (SELECT x.currency, sum(x.minor)::bigint AS minor, min(x.mid_id::text)::uuid AS mid_id
            FROM (SELECT NEW.currency, suspense_of(NEW, t, p.settled_minor) AS minor, t.mid_id
                    FROM transactions t JOIN payments p ON p.id = t.payment_id WHERE t.id = NEW.transaction_id
                  UNION ALL
                  SELECT e.currency, CASE e.movement WHEN 'suspense' THEN -e.amount_minor ELSE e.amount_minor END, e.mid_id
                    FROM ledger_entries e WHERE e.unresolved_id = NEW.id) x
           GROUP BY x.currency) d
   WHERE d.minor <> 0;
  RETURN NULL;
END
$$;

CREATE TRIGGER "unresolved_inserted" AFTER INSERT ON "unresolved" FOR EACH ROW EXECUTE FUNCTION "post_item"();
CREATE TRIGGER "unresolved_updated" AFTER UPDATE ON "unresolved" FOR EACH ROW
  WHEN (NEW.closed_at IS NULL OR OLD.closed_at IS NULL) EXECUTE FUNCTION "post_item"();

CREATE FUNCTION "refuse_ledger_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;

CREATE TRIGGER "ledger_entries_append_only" BEFORE UPDATE OR DELETE ON "ledger_entries"
  FOR EACH ROW EXECUTE FUNCTION "refuse_ledger_change"();
CREATE TRIGGER "ledger_entries_not_emptied" BEFORE TRUNCATE ON "ledger_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
CREATE TRIGGER "ledger_days_append_only" BEFORE UPDATE OR DELETE ON "ledger_days"
  FOR EACH ROW EXECUTE FUNCTION "refuse_ledger_change"();
CREATE TRIGGER "ledger_days_not_emptied" BEFORE TRUNCATE ON "ledger_days"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
