-- CreateEnum
CREATE TYPE "LateSuccess" AS ENUM ('void', 'refund', 'task');

-- AlterTable
ALTER TABLE "mids" ADD COLUMN     "late_success" "LateSuccess" NOT NULL DEFAULT 'void',
ADD COLUMN     "settings_version" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "charged_back_minor" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "transactions" ADD COLUMN     "cancels" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "due_back_at" TIMESTAMPTZ(3),
ADD COLUMN     "heard_at" TIMESTAMPTZ(3),
ADD COLUMN     "number" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "settings_version" INTEGER NOT NULL DEFAULT 1;

-- The sequence begins with the rows to come, so that a large table is not written anew.
CREATE SEQUENCE "transactions_number_seq" AS BIGINT OWNED BY "transactions"."number";
ALTER TABLE "transactions" ALTER COLUMN "number" SET DEFAULT nextval('"transactions_number_seq"');

-- CreateTable
CREATE TABLE "earlier_mid_settings" (
    "id" UUID NOT NULL,
    "mid_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "connector" TEXT NOT NULL,
    "settings" BYTEA NOT NULL,
    "replaced_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "earlier_mid_settings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "unresolved" (
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "action" "LateSuccess" NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "polls" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "closed_by" TEXT,
    "resolution" TEXT,

    CONSTRAINT "unresolved_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provider_notifications" (
    "transaction_id" UUID NOT NULL,
    "mid_id" UUID NOT NULL,
    "number" INTEGER NOT NULL DEFAULT 1,
    "polls" INTEGER NOT NULL DEFAULT 0,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "provider_notifications_pkey" PRIMARY KEY ("transaction_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "earlier_mid_settings_mid_id_version_key" ON "earlier_mid_settings"("mid_id", "version");

-- CreateIndex
CREATE INDEX "unresolved_payment_id_idx" ON "unresolved"("payment_id");

-- CreateIndex
CREATE INDEX "unresolved_open" ON "unresolved"("created_at" DESC, "id" DESC) WHERE (closed_at IS NULL);

-- CreateIndex
CREATE INDEX "unresolved_of_merchant" ON "unresolved"("merchant_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "unresolved_due" ON "unresolved"("due_at") WHERE (due_at IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "unresolved_transaction_id_kind_key" ON "unresolved"("transaction_id", "kind");

-- CreateIndex
CREATE INDEX "provider_notifications_mid_id_due_at_idx" ON "provider_notifications"("mid_id", "due_at");

-- AddForeignKey
ALTER TABLE "earlier_mid_settings" ADD CONSTRAINT "earlier_mid_settings_mid_id_fkey" FOREIGN KEY ("mid_id") REFERENCES "mids"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "unresolved" ADD CONSTRAINT "unresolved_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "unresolved" ADD CONSTRAINT "unresolved_transaction_id_fkey" FOREIGN KEY ("transaction_id") REFERENCES "transactions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What was charged back before.
UPDATE "payments" p SET "charged_back_minor" = least(t.minor, p."settled_minor")
  FROM (SELECT "payment_id", sum("amount_minor") AS minor FROM "transactions"
         WHERE "kind" = 'chargeback' AND "status" = 'success' GROUP BY "payment_id") t
 WHERE t."payment_id" = p."id" AND p."state" = 'chargeback';
