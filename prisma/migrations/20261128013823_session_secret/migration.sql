-- AlterEnum
ALTER TYPE "KeyPurpose" ADD VALUE 'sessions';
