-- DropIndex
DROP INDEX "unresolved_transaction_id_kind_key";

-- AlterTable
ALTER TABLE "unresolved" ADD COLUMN     "subject" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE UNIQUE INDEX "unresolved_transaction_id_kind_subject_key" ON "unresolved"("transaction_id", "kind", "subject");
