-- CreateEnum
CREATE TYPE "CallbackState" AS ENUM ('waiting', 'delivered', 'failed', 'undelivered');

-- CreateEnum
CREATE TYPE "CallbackOutcome" AS ENUM ('success', 'fail', 'waiting', 'undefined');

-- CreateEnum
CREATE TYPE "KeyPurpose" AS ENUM ('seal', 'fingerprint', 'link');

-- CreateEnum
CREATE TYPE "Environment" AS ENUM ('sandbox', 'production');

-- CreateEnum
CREATE TYPE "Protocol" AS ENUM ('checkout', 's2s_card', 's2s_apm');

-- CreateEnum
CREATE TYPE "Digest" AS ENUM ('md5', 'sha256');

-- CreateEnum
CREATE TYPE "PaymentMode" AS ENUM ('sms', 'dms', 'sms_dms');

-- CreateEnum
CREATE TYPE "OrderIdReuse" AS ENUM ('never', 'after_failed', 'always');

-- CreateEnum
CREATE TYPE "RefundSupport" AS ENUM ('api', 'portal', 'none');

-- CreateEnum
CREATE TYPE "LinkTarget" AS ENUM ('blank', 'self', 'parent', 'top');

-- CreateEnum
CREATE TYPE "Operation" AS ENUM ('purchase', 'debit', 'credit', 'transfer', 'recurring');

-- CreateEnum
CREATE TYPE "PaymentState" AS ENUM ('prepare', 'threeds', 'redirect', 'pending', 'settled', 'declined', 'refund', 'reversal', 'void', 'chargeback');

-- CreateEnum
CREATE TYPE "TransactionKind" AS ENUM ('sale', 'authorize', 'debit', 'credit', 'transfer', 'recurring', 'capture', 'refund', 'reversal', 'void', 'chargeback');

-- CreateEnum
CREATE TYPE "TransactionStatus" AS ENUM ('sent', 'challenge', 'redirect', 'waiting', 'unknown', 'success', 'fail');

-- CreateEnum
CREATE TYPE "IntervalUnit" AS ENUM ('day', 'month');

-- CreateEnum
CREATE TYPE "DelayedFirstPayment" AS ENUM ('none', 'delay_by_interval', 'day_of_week', 'day_of_month');

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "previous" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "callbacks" (
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "sequence" INTEGER NOT NULL,
    "outcome" "CallbackOutcome" NOT NULL,
    "type" TEXT NOT NULL,
    "order_state" "PaymentState" NOT NULL,
    "reason" TEXT,
    "amount_minor" BIGINT NOT NULL,
    "facts" JSONB NOT NULL DEFAULT '{}',
    "url" TEXT,
    "address" TEXT,
    "state" "CallbackState" NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "callbacks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "callback_attempts" (
    "id" UUID NOT NULL,
    "callback_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "http_status" INTEGER,
    "error" TEXT,
    "answer" TEXT,

    CONSTRAINT "callback_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "callback_addresses" (
    "address" TEXT NOT NULL,
    "timeouts" INTEGER NOT NULL DEFAULT 0,
    "first_timeout" TIMESTAMPTZ(3),
    "paused_until" TIMESTAMPTZ(3),

    CONSTRAINT "callback_addresses_pkey" PRIMARY KEY ("address")
);

-- CreateTable
CREATE TABLE "cards" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "sealed" BYTEA,
    "first6" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "brand" TEXT,
    "exp_month" INTEGER NOT NULL,
    "exp_year" INTEGER NOT NULL,
    "holder" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "cards_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "card_tokens" (
    "token" TEXT NOT NULL,
    "merchant_id" UUID NOT NULL,
    "card_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "card_tokens_pkey" PRIMARY KEY ("token")
);

-- CreateTable
CREATE TABLE "data_keys" (
    "purpose" "KeyPurpose" NOT NULL,
    "version" INTEGER NOT NULL,
    "wrapped" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "data_keys_pkey" PRIMARY KEY ("purpose","version")
);

-- CreateTable
CREATE TABLE "merchants" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "site" TEXT,
    "logo_url" TEXT,
    "accent" TEXT,
    "radius" INTEGER,
    "privacy_url" TEXT,
    "terms_url" TEXT,
    "frame_ancestors" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merchants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "merchant_keys" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "key" TEXT NOT NULL,
    "password" BYTEA NOT NULL,
    "valid_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merchant_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mids" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "priority" INTEGER NOT NULL DEFAULT 100,
    "payment_mode" "PaymentMode" NOT NULL DEFAULT 'sms_dms',
    "connector" TEXT NOT NULL,
    "settings" BYTEA NOT NULL,
    "capabilities" JSONB NOT NULL DEFAULT '{}',
    "methods" TEXT[],
    "currencies" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "operations" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "override_link_target" "LinkTarget",
    "card_on_file_support" BOOLEAN NOT NULL DEFAULT false,
    "refund_support" "RefundSupport" NOT NULL DEFAULT 'api',
    "zero_amounts" BOOLEAN NOT NULL DEFAULT false,
    "fee_options" JSONB NOT NULL DEFAULT '{}',
    "hold_days" INTEGER NOT NULL DEFAULT 7,
    "daily_limit_minor" BIGINT,
    "monthly_limit_minor" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mids_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "protocol_mappings" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "protocol" "Protocol" NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "digest" "Digest" NOT NULL DEFAULT 'md5',
    "required_payer_fields" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "callback_fields" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "status_fields" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "redirect_parameters" BOOLEAN NOT NULL DEFAULT false,
    "default_language" TEXT,
    "maximum_declines" INTEGER,
    "order_id_reuse" "OrderIdReuse" NOT NULL DEFAULT 'after_failed',
    "ip_allowlist" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "default_notification_url" TEXT,
    "daily_limit_minor" BIGINT,
    "weekly_limit_minor" BIGINT,

    CONSTRAINT "protocol_mappings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payments" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "protocol" "Protocol" NOT NULL,
    "operation" "Operation" NOT NULL,
    "state" "PaymentState" NOT NULL DEFAULT 'prepare',
    "version" INTEGER NOT NULL DEFAULT 0,
    "current" BOOLEAN NOT NULL DEFAULT true,
    "request_digest" BYTEA NOT NULL,
    "order_number" TEXT NOT NULL,
    "order_amount" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "description" TEXT NOT NULL,
    "settled_minor" BIGINT NOT NULL DEFAULT 0,
    "refunded_minor" BIGINT NOT NULL DEFAULT 0,
    "refunding_minor" BIGINT NOT NULL DEFAULT 0,
    "authorize_only" BOOLEAN NOT NULL DEFAULT false,
    "recurring_init" BOOLEAN NOT NULL DEFAULT false,
    "request_token" BOOLEAN NOT NULL DEFAULT false,
    "payer" JSONB NOT NULL DEFAULT '{}',
    "payee" JSONB NOT NULL DEFAULT '{}',
    "parameters" JSONB NOT NULL DEFAULT '{}',
    "custom_data" JSONB,
    "notification_url" TEXT,
    "channel_id" TEXT,
    "vat_calc" BOOLEAN NOT NULL DEFAULT false,
    "schedule_id" UUID,
    "schedule_start" DATE,
    "schedule_amount" TEXT,
    "attempt_id" UUID,
    "in_flight_id" UUID,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "declines" INTEGER NOT NULL DEFAULT 0,
    "method" TEXT,
    "card_id" UUID,
    "card_token" TEXT,
    "recurring_token" TEXT,
    "recurring_first_id" UUID,
    "digital_wallet" TEXT,
    "pan_type" TEXT,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "payments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "payment_id" UUID NOT NULL,
    "methods" TEXT[],
    "language" TEXT,
    "success_url" TEXT,
    "cancel_url" TEXT,
    "error_url" TEXT,
    "expiry_url" TEXT,
    "return_url" TEXT,
    "link_target" TEXT,
    "card_tokens" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "form_id" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "cancelled_at" TIMESTAMPTZ(3),
    "hosted_fields" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("payment_id")
);

-- CreateTable
CREATE TABLE "transactions" (
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "kind" "TransactionKind" NOT NULL,
    "status" "TransactionStatus" NOT NULL DEFAULT 'sent',
    "amount_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "mid_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "attempt_id" UUID,
    "card_id" UUID,
    "facts" JSONB NOT NULL DEFAULT '{}',
    "action" JSONB,
    "browser" JSONB,
    "decline_code" TEXT,
    "decline_reason" TEXT,
    "decline_class" TEXT,
    "initiator" TEXT,
    "source" TEXT,
    "sequence" TEXT,
    "due_at" TIMESTAMPTZ(3),
    "polls" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "transactions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recurring_chains" (
    "token" TEXT NOT NULL,
    "merchant_id" UUID NOT NULL,
    "first_trans_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "operation" "Operation" NOT NULL,
    "card_id" UUID,
    "mid_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "stopped_at" TIMESTAMPTZ(3),

    CONSTRAINT "recurring_chains_pkey" PRIMARY KEY ("token")
);

-- CreateTable
CREATE TABLE "schedules" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "interval_length" INTEGER NOT NULL,
    "interval_unit" "IntervalUnit" NOT NULL,
    "day_of_month" INTEGER,
    "payments_count" INTEGER NOT NULL,
    "delayed_first_payment" "DelayedFirstPayment" NOT NULL DEFAULT 'none',
    "first_payment_interval_length" INTEGER,
    "first_payment_interval_unit" "IntervalUnit",
    "first_payment_day_of_week" INTEGER,
    "first_payment_day_of_month" INTEGER,
    "paused" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "schedules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscriptions" (
    "id" UUID NOT NULL,
    "schedule_id" UUID NOT NULL,
    "chain_token" TEXT NOT NULL,
    "amount" TEXT,
    "first_date" DATE NOT NULL,
    "charged" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "stopped_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sim_operations" (
    "id" UUID NOT NULL,
    "account" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "original_id" UUID,
    "fingerprint" TEXT NOT NULL,
    "operation" TEXT,
    "method" TEXT,
    "order_number" TEXT NOT NULL DEFAULT '',
    "descriptor" TEXT NOT NULL DEFAULT '',
    "currency" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "status" TEXT NOT NULL,
    "card_mask" TEXT,
    "scenario" JSONB NOT NULL DEFAULT '{}',
    "facts" JSONB NOT NULL DEFAULT '{}',
    "decline" JSONB,
    "first_answer" JSONB NOT NULL,
    "return_url" TEXT,
    "notify_url" TEXT,
    "wrong_codes" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 0,
    "calls" INTEGER NOT NULL DEFAULT 1,
    "captured_minor" BIGINT NOT NULL DEFAULT 0,
    "captured_at" TIMESTAMPTZ(3),
    "refunded_minor" BIGINT NOT NULL DEFAULT 0,
    "voided_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sim_operations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sim_notifications" (
    "id" UUID NOT NULL,
    "operation_id" UUID NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sim_notifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sim_faults" (
    "id" UUID NOT NULL,
    "order_number" TEXT,
    "call" TEXT,
    "fault" TEXT NOT NULL,
    "carried_out" BOOLEAN NOT NULL,
    "remaining" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sim_faults_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "audit_entries_subject_at_idx" ON "audit_entries"("subject", "at");

-- CreateIndex
CREATE INDEX "callbacks_due" ON "callbacks"("address", "due_at") WHERE (state = 'waiting');

-- CreateIndex
CREATE UNIQUE INDEX "callbacks_payment_id_sequence_key" ON "callbacks"("payment_id", "sequence");

-- CreateIndex
CREATE INDEX "callback_attempts_callback_id_at_idx" ON "callback_attempts"("callback_id", "at");

-- CreateIndex
CREATE UNIQUE INDEX "cards_merchant_id_fingerprint_key" ON "cards"("merchant_id", "fingerprint");

-- CreateIndex
CREATE UNIQUE INDEX "card_tokens_merchant_id_card_id_key" ON "card_tokens"("merchant_id", "card_id");

-- CreateIndex
CREATE UNIQUE INDEX "merchant_keys_key_key" ON "merchant_keys"("key");

-- CreateIndex
CREATE INDEX "merchant_keys_merchant_id_idx" ON "merchant_keys"("merchant_id");

-- CreateIndex
CREATE INDEX "mids_merchant_id_priority_idx" ON "mids"("merchant_id", "priority");

-- CreateIndex
CREATE UNIQUE INDEX "protocol_mappings_merchant_id_protocol_key" ON "protocol_mappings"("merchant_id", "protocol");

-- CreateIndex
CREATE INDEX "payments_merchant_id_order_number_created_at_idx" ON "payments"("merchant_id", "order_number", "created_at" DESC);

-- CreateIndex
CREATE INDEX "payments_merchant_id_created_at_idx" ON "payments"("merchant_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "payments_current_order" ON "payments"("merchant_id", "order_number") WHERE (current);

-- CreateIndex
CREATE INDEX "transactions_payment_id_created_at_idx" ON "transactions"("payment_id", "created_at");

-- CreateIndex
CREATE INDEX "transactions_due" ON "transactions"("due_at") WHERE (due_at IS NOT NULL);

-- CreateIndex
CREATE INDEX "transactions_mid_id_created_at_idx" ON "transactions"("mid_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "recurring_chains_payment_id_key" ON "recurring_chains"("payment_id");

-- CreateIndex
CREATE INDEX "recurring_chains_merchant_id_idx" ON "recurring_chains"("merchant_id");

-- CreateIndex
CREATE INDEX "schedules_merchant_id_idx" ON "schedules"("merchant_id");

-- CreateIndex
CREATE UNIQUE INDEX "subscriptions_schedule_id_chain_token_key" ON "subscriptions"("schedule_id", "chain_token");

-- CreateIndex
CREATE INDEX "sim_operations_order_number_idx" ON "sim_operations"("order_number");

-- CreateIndex
CREATE INDEX "sim_operations_original_id_idx" ON "sim_operations"("original_id");

-- CreateIndex
CREATE INDEX "sim_operations_due_at_idx" ON "sim_operations"("due_at");

-- CreateIndex
CREATE UNIQUE INDEX "sim_operations_account_key_key" ON "sim_operations"("account", "key");

-- CreateIndex
CREATE INDEX "sim_notifications_operation_id_idx" ON "sim_notifications"("operation_id");

-- CreateIndex
CREATE INDEX "sim_notifications_due_at_idx" ON "sim_notifications"("due_at");

-- AddForeignKey
ALTER TABLE "callbacks" ADD CONSTRAINT "callbacks_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "callback_attempts" ADD CONSTRAINT "callback_attempts_callback_id_fkey" FOREIGN KEY ("callback_id") REFERENCES "callbacks"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cards" ADD CONSTRAINT "cards_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_tokens" ADD CONSTRAINT "card_tokens_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_tokens" ADD CONSTRAINT "card_tokens_card_id_fkey" FOREIGN KEY ("card_id") REFERENCES "cards"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merchant_keys" ADD CONSTRAINT "merchant_keys_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mids" ADD CONSTRAINT "mids_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "protocol_mappings" ADD CONSTRAINT "protocol_mappings_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_card_id_fkey" FOREIGN KEY ("card_id") REFERENCES "cards"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_mid_id_fkey" FOREIGN KEY ("mid_id") REFERENCES "mids"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_schedule_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "schedules"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_chain_token_fkey" FOREIGN KEY ("chain_token") REFERENCES "recurring_chains"("token") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sim_operations" ADD CONSTRAINT "sim_operations_original_id_fkey" FOREIGN KEY ("original_id") REFERENCES "sim_operations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sim_notifications" ADD CONSTRAINT "sim_notifications_operation_id_fkey" FOREIGN KEY ("operation_id") REFERENCES "sim_operations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
