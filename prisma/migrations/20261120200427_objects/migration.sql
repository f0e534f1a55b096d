-- DropIndex
DROP INDEX "recurring_chains_merchant_id_idx";

-- CreateIndex
CREATE INDEX "card_tokens_merchant_id_created_at_card_id_idx" ON "card_tokens"("merchant_id", "created_at" DESC, "card_id" DESC);

-- CreateIndex
CREATE INDEX "card_tokens_created_at_card_id_idx" ON "card_tokens"("created_at" DESC, "card_id" DESC);

-- CreateIndex
CREATE INDEX "payouts_of_merchant" ON "payments"("merchant_id", "created_at" DESC, "id" DESC) WHERE (operation = ANY (ARRAY['credit'::"Operation", 'transfer'::"Operation"]));

-- CreateIndex
CREATE INDEX "payouts" ON "payments"("created_at" DESC, "id" DESC) WHERE (operation = ANY (ARRAY['credit'::"Operation", 'transfer'::"Operation"]));

-- CreateIndex
CREATE INDEX "payments_of_chain" ON "payments"("recurring_token", "created_at" DESC, "id" DESC) WHERE (recurring_token IS NOT NULL);

-- CreateIndex
CREATE INDEX "recurring_chains_merchant_id_created_at_payment_id_idx" ON "recurring_chains"("merchant_id", "created_at" DESC, "payment_id" DESC);

-- CreateIndex
CREATE INDEX "recurring_chains_created_at_payment_id_idx" ON "recurring_chains"("created_at" DESC, "payment_id" DESC);

-- CreateIndex
CREATE INDEX "subscriptions_schedule_id_created_at_id_idx" ON "subscriptions"("schedule_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "subscriptions_chain_token_idx" ON "subscriptions"("chain_token");

-- CreateIndex
CREATE INDEX "chargebacks" ON "transactions"("created_at" DESC, "id" DESC) WHERE (kind = 'chargeback'::"TransactionKind");
