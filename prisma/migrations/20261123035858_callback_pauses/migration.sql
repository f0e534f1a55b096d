-- CreateTable
CREATE TABLE "callback_pauses" (
    "merchant_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "timeouts" INTEGER NOT NULL DEFAULT 0,
    "first_timeout" TIMESTAMPTZ(3),
    "paused_until" TIMESTAMPTZ(3),

    CONSTRAINT "callback_pauses_pkey" PRIMARY KEY ("merchant_id","address")
);

-- CreateIndex
CREATE INDEX "callbacks_due_of_receiver" ON "callbacks"("address", "merchant_id", "due_at") WHERE (state = 'waiting');
