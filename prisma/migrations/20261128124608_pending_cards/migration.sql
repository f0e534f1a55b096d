-- CreateTable
CREATE TABLE "pending_cards" (
    "payment_id" UUID NOT NULL,
    "half" SMALLINT NOT NULL,
    "sealed" BYTEA,
    "taken_version" INTEGER,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pending_cards_pkey" PRIMARY KEY ("payment_id","half")
) PARTITION BY LIST ("half");

-- Unlogged: not in the write-ahead log, not on standbys, not in base backups, empty after a crash.
CREATE UNLOGGED TABLE "pending_cards_0" PARTITION OF "pending_cards" FOR VALUES IN (0);
CREATE UNLOGGED TABLE "pending_cards_1" PARTITION OF "pending_cards" FOR VALUES IN (1);
