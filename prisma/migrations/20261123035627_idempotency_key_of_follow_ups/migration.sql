-- AlterTable
ALTER TABLE "transactions" ADD COLUMN     "idempotency_key" TEXT,
ADD COLUMN     "request_digest" BYTEA;

-- CreateIndex
CREATE UNIQUE INDEX "transactions_idempotency_key" ON "transactions"("payment_id", "idempotency_key") WHERE (idempotency_key IS NOT NULL);
