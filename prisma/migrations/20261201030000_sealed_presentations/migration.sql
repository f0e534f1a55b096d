-- AlterTable
ALTER TABLE "transactions" ADD COLUMN     "sealed_present" BYTEA;
