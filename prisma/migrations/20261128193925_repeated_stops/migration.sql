-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "repeated_stops" INTEGER[] DEFAULT ARRAY[]::INTEGER[];
