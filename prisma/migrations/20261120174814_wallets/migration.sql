-- CreateEnum
CREATE TYPE "WalletKind" AS ENUM ('applepay', 'googlepay');

-- CreateEnum
CREATE TYPE "WalletEnvironment" AS ENUM ('test', 'production');

-- CreateTable
CREATE TABLE "wallets" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "kind" "WalletKind" NOT NULL,
    "environment" "WalletEnvironment" NOT NULL,
    "settings" BYTEA NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "wallets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "used_wallet_tokens" (
    "digest" BYTEA NOT NULL,
    "request_digest" BYTEA NOT NULL,
    "payment_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_wallet_tokens_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE UNIQUE INDEX "wallets_merchant_id_kind_key" ON "wallets"("merchant_id", "kind");

-- CreateIndex
CREATE INDEX "used_wallet_tokens_expires_at_idx" ON "used_wallet_tokens"("expires_at");

-- AddForeignKey
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
