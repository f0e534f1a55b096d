-- AlterTable
ALTER TABLE "callbacks" ADD COLUMN     "body" TEXT,
ADD COLUMN     "refused_at" TIMESTAMPTZ(3);

-- Nothing is searched by a body.
ALTER TABLE "callbacks" ALTER COLUMN "body" SET STATISTICS 0;

-- What waits for a repeat was refused by its first try.
UPDATE "callbacks" SET "refused_at" = coalesce(
    (SELECT min(a."at") FROM "callback_attempts" a WHERE a."callback_id" = "callbacks"."id"), "created_at")
  WHERE state = 'waiting' AND "attempts" > 0;
