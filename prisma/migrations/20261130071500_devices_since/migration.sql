-- AlterTable
ALTER TABLE "users" ADD COLUMN     "devices_since" TIMESTAMPTZ(3);
