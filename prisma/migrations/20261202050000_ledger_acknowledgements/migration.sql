-- CreateTable
CREATE TABLE "ledger_acknowledgements" (
    "day" DATE NOT NULL,
    "hash" BYTEA NOT NULL,
    "note" TEXT NOT NULL,
    "acknowledged_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_acknowledgements_pkey" PRIMARY KEY ("day","hash")
);

CREATE TRIGGER "ledger_acknowledgements_append_only" BEFORE UPDATE OR DELETE ON "ledger_acknowledgements"
  FOR EACH ROW EXECUTE FUNCTION "refuse_ledger_change"();
CREATE TRIGGER "ledger_acknowledgements_not_emptied" BEFORE TRUNCATE ON "ledger_acknowledgements"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
