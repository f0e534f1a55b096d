-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "keeps_card" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "protocol_mappings" ADD COLUMN     "offer_saving_cards" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "pending_url" TEXT;
