-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "key_id" TEXT,
ADD COLUMN     "result" TEXT NOT NULL DEFAULT 'success',
ADD COLUMN     "source" TEXT,
ADD COLUMN     "user_agent" TEXT;

-- CreateTable
CREATE TABLE "refused_requests" (
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "protocol" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "refused_requests_pkey" PRIMARY KEY ("minute","action","subject","protocol","reason","address")
);

-- CreateTable
CREATE TABLE "event_sinks" (
    "sink" TEXT NOT NULL,
    "last_id" BIGINT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,

    CONSTRAINT "event_sinks_pkey" PRIMARY KEY ("sink")
);

-- CreateIndex
CREATE INDEX "audit_entries_source_id_idx" ON "audit_entries"("source", "id");

-- CreateIndex
CREATE INDEX "audit_entries_result_id_idx" ON "audit_entries"("result", "id");

-- Results and addresses of the entries so far. The hash of an entry without a key does not cover these columns, so the
-- chain stays valid.
ALTER TABLE "audit_entries" DISABLE TRIGGER "audit_entries_append_only";
UPDATE "audit_entries"
   SET "result" = CASE WHEN "action" LIKE '%.refused' THEN 'refused'
                       WHEN "action" IN ('sign_in.failed', 'sign_in.locked', 'proof.wrong') THEN 'failure'
                       ELSE 'success' END,
       "source" = CASE WHEN "action" IN ('sign_in', 'sign_in.failed') THEN "after" ->> 'address' END
 WHERE "action" LIKE '%.refused' OR "action" IN ('sign_in', 'sign_in.failed', 'sign_in.locked', 'proof.wrong');
ALTER TABLE "audit_entries" ENABLE TRIGGER "audit_entries_append_only";
