-- AlterTable
ALTER TABLE "callbacks" ADD COLUMN     "unsigned_body" TEXT,
ADD COLUMN     "body_digest" BYTEA;

-- Nothing is searched by a body.
ALTER TABLE "callbacks" ALTER COLUMN "unsigned_body" SET STATISTICS 0,
ALTER COLUMN "body_digest" SET STATISTICS 0;

-- AlterTable
ALTER TABLE "callback_attempts" ADD COLUMN     "differs" BOOLEAN NOT NULL DEFAULT false;
