-- CreateTable
CREATE TABLE "agreements" (
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "ticked" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agreements_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "agreements_payment_id_idx" ON "agreements"("payment_id");

-- AddForeignKey
ALTER TABLE "agreements" ADD CONSTRAINT "agreements_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
