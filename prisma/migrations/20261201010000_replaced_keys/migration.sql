-- AlterTable
ALTER TABLE "merchant_keys" ADD COLUMN     "replaces_id" UUID;

-- AddForeignKey
ALTER TABLE "merchant_keys" ADD CONSTRAINT "merchant_keys_replaces_id_fkey" FOREIGN KEY ("replaces_id") REFERENCES "merchant_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
