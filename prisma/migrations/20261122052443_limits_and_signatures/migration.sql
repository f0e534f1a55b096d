-- AlterTable
ALTER TABLE "protocol_mappings" ADD COLUMN     "signed_requests" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE UNLOGGED TABLE "tallies" (
    "key" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "process" UUID NOT NULL,
    "hits" INTEGER NOT NULL,
    "bad" INTEGER NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tallies_pkey" PRIMARY KEY ("key","slot","process")
);

-- CreateTable
CREATE TABLE "used_signatures" (
    "digest" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_signatures_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE INDEX "used_signatures_expires_at_idx" ON "used_signatures"("expires_at");
