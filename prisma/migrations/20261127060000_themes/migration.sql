-- AlterTable
ALTER TABLE "merchants" ADD COLUMN     "background" TEXT,
ADD COLUMN     "font" TEXT;

-- CreateTable
CREATE TABLE "themes" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "accent" TEXT,
    "background" TEXT,
    "radius" INTEGER,
    "font" TEXT,
    "privacy_url" TEXT,
    "terms_url" TEXT,
    "support_email" TEXT,
    "page_texts" JSONB NOT NULL DEFAULT '{}',
    "logo_url" TEXT,
    "logo_digest" TEXT,
    "logo_bytes" BYTEA,
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "themes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "theme_forms" (
    "merchant_id" UUID NOT NULL,
    "form_id" TEXT NOT NULL,
    "theme_id" UUID NOT NULL,

    CONSTRAINT "theme_forms_pkey" PRIMARY KEY ("merchant_id","form_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "themes_merchant_id_name_key" ON "themes"("merchant_id", "name");

-- CreateIndex
CREATE INDEX "themes_logo_digest_idx" ON "themes"("logo_digest");

-- CreateIndex
CREATE INDEX "theme_forms_theme_id_idx" ON "theme_forms"("theme_id");

-- AddForeignKey
ALTER TABLE "themes" ADD CONSTRAINT "themes_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "theme_forms" ADD CONSTRAINT "theme_forms_theme_id_fkey" FOREIGN KEY ("theme_id") REFERENCES "themes"("id") ON DELETE CASCADE ON UPDATE CASCADE;
