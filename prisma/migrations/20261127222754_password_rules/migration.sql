-- CreateTable
CREATE TABLE "former_passwords" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "password" TEXT NOT NULL,

    CONSTRAINT "former_passwords_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "former_passwords_user_id_idx" ON "former_passwords"("user_id");

-- AddForeignKey
ALTER TABLE "former_passwords" ADD CONSTRAINT "former_passwords_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
