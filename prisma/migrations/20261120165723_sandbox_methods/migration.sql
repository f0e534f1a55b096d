-- AlterTable
ALTER TABLE "sim_notifications" ADD COLUMN     "body" JSONB,
ADD COLUMN     "message_id" UUID;

-- CreateIndex
CREATE INDEX "sim_operations_key_idx" ON "sim_operations"("key");

-- CreateIndex
CREATE INDEX "sim_operations_created_at_idx" ON "sim_operations"("created_at");
