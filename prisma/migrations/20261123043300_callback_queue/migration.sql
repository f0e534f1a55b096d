-- CreateIndex
CREATE INDEX "callbacks_queue" ON "callbacks"("address", "merchant_id", "due_at") WHERE (due_at IS NOT NULL);

-- The queue's index has its place: its condition is one that no other index has.
DROP INDEX "callbacks_due_of_receiver";
