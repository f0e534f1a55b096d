-- The new values are used by later statements only: PostgreSQL refuses them in the transaction that adds them.
ALTER TYPE "LedgerAccount" ADD VALUE 'fees';
ALTER TYPE "LedgerAccount" ADD VALUE 'bank';
ALTER TYPE "LedgerMovement" ADD VALUE 'fee';
ALTER TYPE "LedgerMovement" ADD VALUE 'fee_return';
ALTER TYPE "LedgerMovement" ADD VALUE 'adjustment';
ALTER TYPE "LedgerMovement" ADD VALUE 'bank_payout';
ALTER TYPE "LedgerMovement" ADD VALUE 'conversion';
