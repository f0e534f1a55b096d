-- AlterTable
ALTER TABLE "callback_attempts" ADD COLUMN     "signature" TEXT;
