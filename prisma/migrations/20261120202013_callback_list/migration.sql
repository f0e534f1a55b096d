-- DropIndex
DROP INDEX "callbacks_merchant_id_id_idx";

-- DropIndex
DROP INDEX "callbacks_unsettled";

-- CreateIndex
CREATE INDEX "callback_attempts_error" ON "callback_attempts"("callback_id") WHERE (btrim(answer) = 'ERROR'::text);

-- CreateIndex
CREATE INDEX "callbacks_merchant_id_created_at_id_idx" ON "callbacks"("merchant_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "callbacks_created_at_id_idx" ON "callbacks"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "callbacks_unsettled" ON "callbacks"("created_at" DESC, "id" DESC) WHERE (state = ANY (ARRAY['waiting'::"CallbackState", 'failed'::"CallbackState"]));
