-- AlterTable
ALTER TABLE "callbacks" ADD COLUMN     "claimed_at" TIMESTAMPTZ(3);
