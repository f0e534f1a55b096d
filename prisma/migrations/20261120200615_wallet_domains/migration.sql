-- CreateTable
CREATE TABLE "wallet_domains" (
    "wallet_id" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "file" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "checked_at" TIMESTAMPTZ(3),
    "fault" TEXT,

    CONSTRAINT "wallet_domains_pkey" PRIMARY KEY ("wallet_id","host")
);

-- CreateIndex
CREATE INDEX "wallet_domains_host_updated_at_idx" ON "wallet_domains"("host", "updated_at" DESC);

-- AddForeignKey
ALTER TABLE "wallet_domains" ADD CONSTRAINT "wallet_domains_wallet_id_fkey" FOREIGN KEY ("wallet_id") REFERENCES "wallets"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
