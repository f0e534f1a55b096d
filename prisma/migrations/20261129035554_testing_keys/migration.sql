-- AlterTable
ALTER TABLE "transactions" ADD COLUMN     "testing_keys" JSONB;
