-- AlterTable
ALTER TABLE "callback_addresses" DROP COLUMN "held_since";

-- CreateTable
CREATE TABLE "callback_holds" (
    "merchant_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "held_by" TEXT NOT NULL,
    "held_since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "callback_holds_pkey" PRIMARY KEY ("merchant_id","address")
);

-- CreateIndex
CREATE INDEX "callbacks_merchant_id_id_idx" ON "callbacks"("merchant_id", "id" DESC);

-- CreateIndex
CREATE INDEX "callbacks_unsettled" ON "callbacks"("merchant_id", "id" DESC) WHERE (state = ANY (ARRAY['waiting'::"CallbackState", 'failed'::"CallbackState"]));
