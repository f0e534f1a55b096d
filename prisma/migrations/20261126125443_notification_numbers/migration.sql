-- AlterTable
CREATE SEQUENCE provider_notifications_number_seq;
ALTER TABLE "provider_notifications" ALTER COLUMN "number" SET DEFAULT nextval('provider_notifications_number_seq');
ALTER SEQUENCE provider_notifications_number_seq OWNED BY "provider_notifications"."number";
