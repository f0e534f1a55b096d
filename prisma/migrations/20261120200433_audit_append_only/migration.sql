-- DropIndex
DROP INDEX "user_two_factors_user_id_idx";

-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "merchant_id" UUID;

-- AlterTable
ALTER TABLE "messages" ALTER COLUMN "payment_id" DROP NOT NULL,
ALTER COLUMN "transaction_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "user_two_factors" ADD COLUMN     "last_step" BIGINT;

-- CreateIndex
CREATE INDEX "audit_entries_merchant_id_id_idx" ON "audit_entries"("merchant_id", "id");

-- CreateIndex
CREATE INDEX "audit_entries_actor_id_idx" ON "audit_entries"("actor", "id");

-- CreateIndex
CREATE INDEX "audit_entries_action_id_idx" ON "audit_entries"("action", "id");

-- CreateIndex
CREATE UNIQUE INDEX "user_two_factors_user_id_key" ON "user_two_factors"("user_id");

-- Whose the entries so far are.
UPDATE "audit_entries" e SET "merchant_id" = p."merchant_id"
  FROM "payments" p WHERE e."subject" = 'payment:' || p."id"::text;
UPDATE "audit_entries" e SET "merchant_id" = u."merchant_id"
  FROM "users" u WHERE e."subject" = 'user:' || u."id"::text;

-- Nobody changes the log or takes out of it, whatever statement they come with.
CREATE FUNCTION "audit_entries_stand"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_entries is append-only';
END
$$;

CREATE TRIGGER "audit_entries_append_only" BEFORE UPDATE OR DELETE ON "audit_entries"
  FOR EACH ROW EXECUTE FUNCTION "audit_entries_stand"();
CREATE TRIGGER "audit_entries_not_emptied" BEFORE TRUNCATE ON "audit_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_entries_stand"();
