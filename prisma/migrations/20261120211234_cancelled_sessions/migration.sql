-- CreateIndex
CREATE INDEX "sessions_cancelled" ON "sessions"("payment_id") WHERE (cancelled_at IS NOT NULL);
