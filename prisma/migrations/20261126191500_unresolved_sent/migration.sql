-- AlterTable
-- Nullable: of earlier void and refund requests it is not known whether they were sent.
ALTER TABLE "unresolved" ADD COLUMN "sent_at" TIMESTAMPTZ(3);
