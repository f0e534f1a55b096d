-- DropIndex
DROP INDEX "payments_merchant_id_order_number_created_at_idx";

-- AlterTable
ALTER TABLE "saved_views" ADD COLUMN     "columns" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateIndex
CREATE INDEX "payments_merchant_id_order_number_created_at_idx" ON "payments"("merchant_id", "order_number" text_pattern_ops, "created_at" DESC);

-- CreateIndex
CREATE INDEX "payments_of_state" ON "payments"("merchant_id", "state", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payments_of_operation" ON "payments"("merchant_id", "protocol", "operation", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payments_of_amount" ON "payments"("merchant_id", "currency", "amount_minor");

-- CreateIndex
CREATE INDEX "payments_of_chains" ON "payments"("merchant_id", "created_at" DESC, "id" DESC) WHERE (recurring_token IS NOT NULL);

-- CreateIndex
CREATE INDEX "payments_of_wallet" ON "payments"("merchant_id", "digital_wallet") WHERE (digital_wallet IS NOT NULL);

-- CreateIndex
CREATE INDEX "transactions_of_method" ON "transactions"("mid_id", "method", "created_at" DESC);

-- CreateIndex
CREATE INDEX "transactions_declined" ON "transactions"("mid_id", "decline_class", "created_at" DESC) WHERE (decline_class IS NOT NULL);

-- Searches by the beginning of an e-mail or of a decline's reason. An index over an expression cannot be told in the schema.
DROP INDEX "payments_payer_email";
CREATE INDEX "payments_payer_email" ON "payments" ("merchant_id", lower("payer" ->> 'email') text_pattern_ops, "created_at" DESC, "id" DESC)
  WHERE "payer" ? 'email';
CREATE INDEX "payments_of_reason" ON "payments" ("merchant_id", lower("reason") text_pattern_ops, "created_at" DESC, "id" DESC)
  WHERE "reason" IS NOT NULL;
