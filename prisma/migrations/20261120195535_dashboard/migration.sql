-- AlterTable
ALTER TABLE "callback_addresses" ADD COLUMN     "held_since" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "callback_attempts" ADD COLUMN     "answer_headers" JSONB;

-- AlterTable
ALTER TABLE "merchants" ADD COLUMN     "page_texts" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "support_email" TEXT,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "mids" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "protocol_mappings" ADD COLUMN     "routing_version" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "user_sessions" ADD COLUMN     "confirmed_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "disabled_at" TIMESTAMPTZ(3),
ADD COLUMN     "two_factor_enabled" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "wallets" ADD COLUMN     "pending" BYTEA,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "user_two_factors" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "secret" TEXT NOT NULL,
    "backup_codes" TEXT NOT NULL,
    "verified" BOOLEAN NOT NULL DEFAULT true,
    "failed_verification_count" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),

    CONSTRAINT "user_two_factors_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "token_digest" BYTEA NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" "UserRole" NOT NULL,
    "merchant_id" UUID,
    "invited_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "withdrawn_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "saved_views" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "page" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "merchant_logos" (
    "merchant_id" UUID NOT NULL,
    "digest" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merchant_logos_pkey" PRIMARY KEY ("merchant_id")
);

-- CreateTable
CREATE TABLE "routing_drafts" (
    "mapping_id" UUID NOT NULL,
    "rules" JSONB NOT NULL,
    "based_on" INTEGER NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "dry_run" JSONB,
    "dry_run_of" INTEGER,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "routing_drafts_pkey" PRIMARY KEY ("mapping_id")
);

-- CreateTable
CREATE TABLE "api_requests" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "merchant_id" UUID,
    "protocol" "Protocol" NOT NULL,
    "action" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "http_status" INTEGER NOT NULL,
    "error_code" INTEGER,
    "order_number" TEXT,
    "payment_id" UUID,
    "duration_ms" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "media_type" TEXT,
    "user_agent" TEXT,
    "request" TEXT NOT NULL,
    "response" TEXT NOT NULL,
    "refused_at" TEXT,

    CONSTRAINT "api_requests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "user_two_factors_user_id_idx" ON "user_two_factors"("user_id");

-- CreateIndex
CREATE INDEX "user_two_factors_secret_idx" ON "user_two_factors"("secret");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_token_digest_key" ON "invitations"("token_digest");

-- CreateIndex
CREATE INDEX "invitations_merchant_id_idx" ON "invitations"("merchant_id");

-- CreateIndex
CREATE INDEX "invitations_email_idx" ON "invitations"("email");

-- CreateIndex
CREATE UNIQUE INDEX "saved_views_user_id_page_name_key" ON "saved_views"("user_id", "page", "name");

-- CreateIndex
CREATE INDEX "merchant_logos_digest_idx" ON "merchant_logos"("digest");

-- CreateIndex
CREATE INDEX "api_requests_merchant_id_at_id_idx" ON "api_requests"("merchant_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "api_requests_at_id_idx" ON "api_requests"("at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "api_requests_payment_id_at_idx" ON "api_requests"("payment_id", "at") WHERE (payment_id IS NOT NULL);

-- AddForeignKey
ALTER TABLE "user_two_factors" ADD CONSTRAINT "user_two_factors_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_id_fkey" FOREIGN KEY ("invited_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merchant_logos" ADD CONSTRAINT "merchant_logos_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "routing_drafts" ADD CONSTRAINT "routing_drafts_mapping_id_fkey" FOREIGN KEY ("mapping_id") REFERENCES "protocol_mappings"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- As with users: whoever belongs to nobody sees every merchant.
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_belong"
  CHECK (("role" IN ('administrator', 'account_manager')) = ("merchant_id" IS NULL));
