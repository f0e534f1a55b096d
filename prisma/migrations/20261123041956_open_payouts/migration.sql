-- Mappings that exist go on as they were; new ones are closed.
ALTER TABLE "protocol_mappings" ADD COLUMN     "open_payouts" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "protocol_mappings" ALTER COLUMN "open_payouts" SET DEFAULT false;
