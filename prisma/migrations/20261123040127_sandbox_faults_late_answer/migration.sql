-- AlterTable
ALTER TABLE "sim_faults" ADD COLUMN     "answer" JSONB,
ADD COLUMN     "seconds" INTEGER;
