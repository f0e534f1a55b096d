-- CreateIndex
CREATE INDEX "transactions_due_of_account" ON "transactions"("mid_id", "due_at") WHERE (due_at IS NOT NULL);
