-- AlterTable
ALTER TABLE "agreements" ADD COLUMN     "attempts" INTEGER;

-- CreateIndex
CREATE UNIQUE INDEX "agreements_payment_id_attempts_key" ON "agreements"("payment_id", "attempts");
