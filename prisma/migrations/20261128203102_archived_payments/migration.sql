-- CreateTable
CREATE TABLE "archived_payments" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "order_number" TEXT NOT NULL,
    "holds_order" BOOLEAN NOT NULL,
    "state" "PaymentState" NOT NULL,
    "currency" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "archived_at" TIMESTAMPTZ(3) NOT NULL,
    "file" TEXT NOT NULL,

    CONSTRAINT "archived_payments_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "archived_payments_order_number_merchant_id_idx" ON "archived_payments"("order_number", "merchant_id");

-- CreateIndex
CREATE INDEX "messages_payment_id_idx" ON "messages"("payment_id") WHERE (payment_id IS NOT NULL);

-- AddForeignKey
ALTER TABLE "archived_payments" ADD CONSTRAINT "archived_payments_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
