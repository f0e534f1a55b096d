-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "first_recurring" DATE,
ADD COLUMN     "return_target" TEXT,
ADD COLUMN     "return_url" TEXT,
ADD COLUMN     "trace" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "protocol_mappings" ADD COLUMN     "cascade_limit" INTEGER NOT NULL DEFAULT 3,
ADD COLUMN     "schedule_retries" INTEGER NOT NULL DEFAULT 3,
ADD COLUMN     "schedule_retry_hours" INTEGER NOT NULL DEFAULT 24;

-- AlterTable
ALTER TABLE "subscriptions" DROP COLUMN "charged",
ADD COLUMN     "done" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "first_day" INTEGER NOT NULL,
ADD COLUMN     "retries" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "stop_reason" TEXT;

-- AlterTable
ALTER TABLE "transactions" ADD COLUMN     "decline_soft" BOOLEAN;

-- CreateTable
CREATE TABLE "routing_rules" (
    "id" UUID NOT NULL,
    "mapping_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "conditions" JSONB NOT NULL DEFAULT '{}',
    "targets" JSONB NOT NULL,

    CONSTRAINT "routing_rules_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "routing_rules_mapping_id_position_idx" ON "routing_rules"("mapping_id", "position");

-- CreateIndex
CREATE INDEX "subscriptions_due" ON "subscriptions"("due_at") WHERE (due_at IS NOT NULL);

-- AddForeignKey
ALTER TABLE "routing_rules" ADD CONSTRAINT "routing_rules_mapping_id_fkey" FOREIGN KEY ("mapping_id") REFERENCES "protocol_mappings"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
