-- CreateEnum
CREATE TYPE "MessageChannel" AS ENUM ('email', 'sms');

-- CreateEnum
CREATE TYPE "MessageState" AS ENUM ('waiting', 'sent', 'failed');

-- CreateTable
CREATE TABLE "messages" (
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "channel" "MessageChannel" NOT NULL,
    "recipient" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "state" "MessageState" NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "sent_by" TEXT,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "messages_transaction_id_key" ON "messages"("transaction_id");

-- CreateIndex
CREATE INDEX "messages_due" ON "messages"("due_at") WHERE (state = 'waiting');

-- CreateIndex
CREATE INDEX "messages_created_at_idx" ON "messages"("created_at" DESC);
