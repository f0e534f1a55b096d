-- AlterTable
-- Only equality of numbers matters: after the last one the sequence begins again.
CREATE SEQUENCE provider_notifications_number_seq AS integer CYCLE;
ALTER TABLE "provider_notifications" ALTER COLUMN "number" SET DEFAULT nextval('provider_notifications_number_seq');
ALTER SEQUENCE provider_notifications_number_seq OWNED BY "provider_notifications"."number";
