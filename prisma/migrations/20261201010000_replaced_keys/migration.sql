-- AlterTable
ALTER TABLE "merchant_keys" ADD COLUMN     "replaces_id" UUID;

-- AddForeignKey
ALTER TABLE "merchant_keys" ADD CONSTRAINT "merchant_keys_replaces_id_fkey" FOREIGN KEY ("replaces_id") REFERENCES "merchant_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Of earlier rotations the audit log has the key that replaced another.
UPDATE "merchant_keys" n SET "replaces_id" = o."id"
  FROM "audit_entries" e JOIN "merchant_keys" o ON e."subject" = 'key:' || o."id"::text
 WHERE e."action" = 'key.rotate' AND e."after" ->> 'newKey' = n."key" AND n."merchant_id" = o."merchant_id"
   AND n."environment" = o."environment" AND n."id" <> o."id";
