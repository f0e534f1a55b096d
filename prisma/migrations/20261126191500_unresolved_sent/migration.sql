-- AlterTable
ALTER TABLE "unresolved" ADD COLUMN "refund_sent_at" TIMESTAMPTZ(3);
-- Refunds of open items may have been sent before they were recorded.
UPDATE "unresolved" SET "refund_sent_at" = "created_at" WHERE "closed_at" IS NULL AND "action" = 'refund' AND "polls" > 0;
