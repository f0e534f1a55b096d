-- The list by amount is paged by amount and id; every question that the index before it answered is answered by this one.
-- CreateIndex
CREATE INDEX "payments_by_amount" ON "payments"("merchant_id", "currency", "amount_minor", "id");

-- DropIndex
DROP INDEX "payments_of_amount";
