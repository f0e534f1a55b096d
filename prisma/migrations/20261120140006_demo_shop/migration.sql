-- CreateTable
CREATE TABLE "shop_orders" (
    "id" TEXT NOT NULL,
    "number" TEXT NOT NULL,
    "item" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "amount" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "authorize_only" BOOLEAN NOT NULL,
    "recurring_init" BOOLEAN NOT NULL,
    "request_token" BOOLEAN NOT NULL,
    "language" TEXT,
    "page_url" TEXT,
    "payment_id" TEXT,
    "state" TEXT,
    "state_sequence" INTEGER NOT NULL DEFAULT -1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "shop_orders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "shop_events" (
    "id" BIGSERIAL NOT NULL,
    "order_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "once" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "data" JSONB NOT NULL,

    CONSTRAINT "shop_events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "shop_orders_number_key" ON "shop_orders"("number");

-- CreateIndex
CREATE INDEX "shop_orders_created_at_idx" ON "shop_orders"("created_at");

-- CreateIndex
CREATE INDEX "shop_events_order_id_id_idx" ON "shop_events"("order_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "shop_events_order_id_once_key" ON "shop_events"("order_id", "once");

-- AddForeignKey
ALTER TABLE "shop_events" ADD CONSTRAINT "shop_events_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "shop_orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;
