-- AlterTable
ALTER TABLE "transactions" ADD COLUMN     "cancel_reason" TEXT;
