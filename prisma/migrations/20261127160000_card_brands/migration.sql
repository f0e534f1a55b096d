-- AlterTable
ALTER TABLE "mids" ADD COLUMN     "card_brands" TEXT[] DEFAULT ARRAY[]::TEXT[];
