-- AlterTable
ALTER TABLE "saved_views" ADD COLUMN     "export_day" DATE,
ADD COLUMN     "export_due_at" TIMESTAMPTZ(3),
ADD COLUMN     "export_error" TEXT,
ADD COLUMN     "export_tries" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "nightly" JSONB;

-- CreateIndex
CREATE INDEX "saved_views_export_due" ON "saved_views"("export_due_at") WHERE (export_due_at IS NOT NULL);
