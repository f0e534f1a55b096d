-- Lists have in their own indexes what their filters ask for: where hardly anything fits, the index is gone through to its
-- end, and no row is read.

-- DropIndex
DROP INDEX "api_requests_at_id_idx";

-- DropIndex
DROP INDEX "callbacks_created_at_id_idx";

-- DropIndex
DROP INDEX "payments_created_at_id_idx";

-- DropIndex
DROP INDEX "transactions_declined";

-- CreateIndex
CREATE INDEX "api_requests_listed" ON "api_requests"("at" DESC, "id" DESC, "merchant_id", "http_status", "error_code", "protocol", "action", "refused_at");

-- CreateIndex
CREATE INDEX "api_requests_order_number_idx" ON "api_requests"("order_number" text_pattern_ops);

-- CreateIndex
CREATE INDEX "callbacks_listed" ON "callbacks"("created_at" DESC, "id" DESC, "merchant_id", "state", "outcome", "address");

-- CreateIndex
CREATE INDEX "payments_listed" ON "payments"("created_at" DESC, "id" DESC, "merchant_id", "amount_minor", "state", "protocol", "operation", "currency", "method", "digital_wallet", "recurring_token", "recurring_first_id");

-- CreateIndex
CREATE INDEX "sessions_expiring" ON "sessions" USING BRIN ("expires_at");

-- CreateIndex
CREATE INDEX "transactions_declined" ON "transactions"("mid_id", "decline_class", "created_at" DESC, "payment_id") WHERE (decline_class IS NOT NULL);
