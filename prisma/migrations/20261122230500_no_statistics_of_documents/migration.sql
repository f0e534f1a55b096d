-- Nothing is searched by these documents as wholes (what is asked of a document has an index over an expression, with
-- statistics of its own). Sorting thirty thousand of them is half of what looking through the payments costs, and it is
-- done again and again while the tables are young.
ALTER TABLE "payments" ALTER COLUMN "payer" SET STATISTICS 0;
ALTER TABLE "payments" ALTER COLUMN "payee" SET STATISTICS 0;
ALTER TABLE "payments" ALTER COLUMN "parameters" SET STATISTICS 0;
ALTER TABLE "payments" ALTER COLUMN "custom_data" SET STATISTICS 0;
ALTER TABLE "payments" ALTER COLUMN "trace" SET STATISTICS 0;
ALTER TABLE "payments" ALTER COLUMN "request_digest" SET STATISTICS 0;
ALTER TABLE "transactions" ALTER COLUMN "facts" SET STATISTICS 0;
ALTER TABLE "transactions" ALTER COLUMN "action" SET STATISTICS 0;
ALTER TABLE "transactions" ALTER COLUMN "browser" SET STATISTICS 0;
ALTER TABLE "callbacks" ALTER COLUMN "facts" SET STATISTICS 0;
ALTER TABLE "cards" ALTER COLUMN "sealed" SET STATISTICS 0;
ALTER TABLE "api_requests" ALTER COLUMN "request" SET STATISTICS 0;
ALTER TABLE "api_requests" ALTER COLUMN "response" SET STATISTICS 0;
