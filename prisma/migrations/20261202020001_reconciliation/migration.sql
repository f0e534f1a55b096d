-- The movements of settlement reports belong to no payment.
ALTER TABLE "ledger_entries" ALTER COLUMN "payment_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "settlement_mappings" (
    "mid_id" UUID NOT NULL,
    "settings" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settlement_mappings_pkey" PRIMARY KEY ("mid_id")
);

-- CreateTable
CREATE TABLE "settlement_limits" (
    "merchant_id" UUID NOT NULL,
    "currency" TEXT NOT NULL,
    "minor" BIGINT NOT NULL,

    CONSTRAINT "settlement_limits_pkey" PRIMARY KEY ("merchant_id","currency")
);

-- CreateTable
CREATE TABLE "settlement_reports" (
    "id" UUID NOT NULL,
    "mid_id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "mapping_version" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'staging',
    "lines" INTEGER NOT NULL DEFAULT 0,
    "bad" INTEGER NOT NULL DEFAULT 0,
    "errors" JSONB NOT NULL DEFAULT '[]',
    "period_from" DATE,
    "period_to" DATE,
    "imported_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3),
    "matched_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),

    CONSTRAINT "settlement_reports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "settlement_progress" (
    "mid_id" UUID NOT NULL,
    "swept_until" DATE,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settlement_progress_pkey" PRIMARY KEY ("mid_id")
);

-- CreateTable
CREATE TABLE "settlement_lines" (
    "id" UUID NOT NULL,
    "report_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "mid_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "reference" TEXT,
    "provider_reference" TEXT,
    "arn" TEXT,
    "rrn" TEXT,
    "batch" TEXT,
    "currency" TEXT NOT NULL,
    "gross_minor" BIGINT NOT NULL,
    "fee_minor" BIGINT,
    "net_minor" BIGINT NOT NULL,
    "day" DATE NOT NULL,
    "result" TEXT,
    "entry_id" BIGINT,
    "transaction_id" UUID,
    "repeat_of" UUID,
    "likeness" TEXT,

    CONSTRAINT "settlement_lines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "settlement_differences" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "merchant_id" UUID NOT NULL,
    "mid_id" UUID NOT NULL,
    "line_id" UUID,
    "entry_id" BIGINT,
    "payment_id" UUID,
    "transaction_id" UUID,
    "reported_minor" BIGINT,
    "reported_currency" TEXT,
    "expected_minor" BIGINT,
    "expected_currency" TEXT,
    "delta_minor" BIGINT NOT NULL,
    "fee_minor" BIGINT NOT NULL DEFAULT 0,
    "bank_minor" BIGINT NOT NULL DEFAULT 0,
    "converted_minor" BIGINT NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL DEFAULT 'open',
    "resolution" TEXT,
    "note" TEXT,
    "noted_by" TEXT,
    "proposed_by" TEXT,
    "closed_by" TEXT,
    "second" BOOLEAN NOT NULL DEFAULT false,
    "limit_minor" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "settlement_differences_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "settlement_reports_created_at_id_idx" ON "settlement_reports"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "settlement_reports_merchant_id_created_at_id_idx" ON "settlement_reports"("merchant_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "settlement_reports_mid_id_digest_key" ON "settlement_reports"("mid_id", "digest");

-- CreateIndex
CREATE INDEX "settlement_reports_read" ON "settlement_reports"("due_at") WHERE (state = 'read'::text);

-- CreateIndex
CREATE INDEX "settlement_lines_mid_id_batch_idx" ON "settlement_lines"("mid_id", "batch") WHERE (batch IS NOT NULL);

-- CreateIndex
CREATE INDEX "settlement_lines_missing" ON "settlement_lines"("mid_id", "id") WHERE (result = 'missing_here'::text);

-- CreateIndex
CREATE INDEX "settlement_lines_alike" ON "settlement_lines"("mid_id", "likeness") WHERE (likeness IS NOT NULL);

-- CreateIndex
CREATE INDEX "settlement_lines_payouts" ON "settlement_lines"("mid_id", "batch") WHERE (type = 'payout'::text);

-- CreateIndex
CREATE INDEX "settlement_lines_payouts_of_report" ON "settlement_lines"("report_id") WHERE (type = 'payout'::text);

-- CreateIndex
CREATE INDEX "settlement_lines_repeats" ON "settlement_lines"("repeat_of") WHERE (repeat_of IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "settlement_lines_report_id_number_key" ON "settlement_lines"("report_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "settlement_lines_entry" ON "settlement_lines"("entry_id") WHERE (entry_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "settlement_differences_open" ON "settlement_differences"("created_at" DESC, "id" DESC) WHERE (closed_at IS NULL);

-- CreateIndex
CREATE INDEX "settlement_differences_of_merchant" ON "settlement_differences"("merchant_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "settlement_differences_open_of_mid" ON "settlement_differences"("mid_id") WHERE (closed_at IS NULL);

-- CreateIndex
CREATE INDEX "settlement_differences_adjusted" ON "settlement_differences"("mid_id") WHERE (resolution = 'adjusted'::text);

-- CreateIndex
CREATE UNIQUE INDEX "settlement_differences_line" ON "settlement_differences"("line_id", "kind") WHERE ((line_id IS NOT NULL) AND (kind <> 'adjusted_before'::text));

-- CreateIndex
CREATE UNIQUE INDEX "settlement_differences_adjusted_before" ON "settlement_differences"("line_id") WHERE ((kind = 'adjusted_before'::text) AND (closed_at IS NULL));

-- CreateIndex
CREATE UNIQUE INDEX "settlement_differences_entry" ON "settlement_differences"("entry_id", "kind") WHERE (line_id IS NULL);

-- AddForeignKey
ALTER TABLE "settlement_mappings" ADD CONSTRAINT "settlement_mappings_mid_id_fkey" FOREIGN KEY ("mid_id") REFERENCES "mids"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "settlement_limits" ADD CONSTRAINT "settlement_limits_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "settlement_reports" ADD CONSTRAINT "settlement_reports_mid_id_fkey" FOREIGN KEY ("mid_id") REFERENCES "mids"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "settlement_progress" ADD CONSTRAINT "settlement_progress_mid_id_fkey" FOREIGN KEY ("mid_id") REFERENCES "mids"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "settlement_lines" ADD CONSTRAINT "settlement_lines_report_id_fkey" FOREIGN KEY ("report_id") REFERENCES "settlement_reports"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
