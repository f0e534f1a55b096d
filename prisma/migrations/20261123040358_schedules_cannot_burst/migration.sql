-- CreateEnum
CREATE TYPE "MissedSlots" AS ENUM ('one', 'all', 'none');

-- AlterTable
ALTER TABLE "protocol_mappings" ADD COLUMN     "missed_slots" "MissedSlots" NOT NULL DEFAULT 'one';

-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "begun_at" TIMESTAMPTZ(3),
ADD COLUMN     "begun_for" TIMESTAMPTZ(3),
ADD COLUMN     "begun_slot" INTEGER,
ADD COLUMN     "brake_reason" TEXT,
ADD COLUMN     "braked_at" TIMESTAMPTZ(3),
ADD COLUMN     "catch_up_at" TIMESTAMPTZ(3),
ADD COLUMN     "placed" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "shift" INTEGER NOT NULL DEFAULT 0;

-- What live subscriptions have charged so far: the slot of the last attempt (the number of its order ends on it), the time
-- that the slot was planned for, and the time of the attempt.
UPDATE "subscriptions" u SET "begun_slot" = l.slot - 1, "begun_at" = l.last_at,
  "begun_for" = ((l.first_at AT TIME ZONE 'UTC')::date + (u."created_at" AT TIME ZONE 'UTC')::time) AT TIME ZONE 'UTC'
FROM (
  SELECT DISTINCT ON (each."subscription_id") each."subscription_id", each.slot,
         min(each."created_at") AS first_at, max(each."created_at") AS last_at
    FROM (SELECT "subscription_id", "created_at",
                 substring("order_number" from '/(\d{1,4})(?:-\d+)?(?:/[0-9a-f]{8})?$')::int AS slot
            FROM "payments" WHERE "subscription_id" IS NOT NULL AND "recurring_token" IS NOT NULL) each
   WHERE each.slot IS NOT NULL
   GROUP BY each."subscription_id", each.slot
   ORDER BY each."subscription_id", each.slot DESC
) l
WHERE l."subscription_id" = u."id" AND u."stopped_at" IS NULL;
