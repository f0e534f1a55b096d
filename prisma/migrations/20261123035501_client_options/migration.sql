-- CreateEnum
CREATE TYPE "Uppercase" AS ENUM ('ascii', 'unicode');

-- CreateEnum
CREATE TYPE "ReversalWord" AS ENUM ('reversal', 'void');

-- AlterTable
ALTER TABLE "merchants" ADD COLUMN     "app_schemes" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "protocol_mappings" ADD COLUMN     "frame_by_success_url" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "reversal_word" "ReversalWord" NOT NULL DEFAULT 'reversal',
ADD COLUMN     "uppercase" "Uppercase" NOT NULL DEFAULT 'ascii';

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "consent_required" BOOLEAN NOT NULL DEFAULT false;
