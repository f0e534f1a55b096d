-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "subscription_id" UUID;

-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "payment_id" UUID;
