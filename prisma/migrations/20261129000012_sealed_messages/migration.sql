-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "sealed" BYTEA,
ADD COLUMN     "send_at" TIMESTAMPTZ(3),
ALTER COLUMN "text" SET DEFAULT '',
ALTER COLUMN "url" SET DEFAULT '';

-- CreateIndex
CREATE INDEX "messages_send" ON "messages"("send_at") WHERE (state = 'waiting');
