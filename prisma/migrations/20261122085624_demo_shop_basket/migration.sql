-- AlterTable
ALTER TABLE "shop_orders" ADD COLUMN     "fields_token" TEXT,
ADD COLUMN     "first_recurring" TEXT,
ADD COLUMN     "first_trans_id" TEXT,
ADD COLUMN     "lines" JSONB,
ADD COLUMN     "next" JSONB,
ADD COLUMN     "parent_id" TEXT,
ADD COLUMN     "recurring_token" TEXT,
ADD COLUMN     "schedule_amount" TEXT,
ADD COLUMN     "schedule_id" TEXT,
ADD COLUMN     "subscription" TEXT,
ADD COLUMN     "visitor" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "way" TEXT NOT NULL DEFAULT 'page';

-- CreateTable
CREATE TABLE "shop_sales" (
    "number" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "trans_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "shop_sales_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "shop_cards" (
    "id" TEXT NOT NULL,
    "visitor" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "card" TEXT NOT NULL,
    "expiry" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "shop_cards_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "shop_sales_order_id_created_at_idx" ON "shop_sales"("order_id", "created_at");

-- CreateIndex
CREATE INDEX "shop_cards_created_at_idx" ON "shop_cards"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "shop_cards_visitor_token_key" ON "shop_cards"("visitor", "token");

-- CreateIndex
CREATE INDEX "shop_orders_visitor_created_at_idx" ON "shop_orders"("visitor", "created_at");

-- AddForeignKey
ALTER TABLE "shop_sales" ADD CONSTRAINT "shop_sales_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "shop_orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;
