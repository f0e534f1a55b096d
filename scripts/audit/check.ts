// The work of `npm run florin -- audit check`, on the process's settings.
export { checkAuditLog, readAnchors } from '../../lib/auth/index.ts';
export { closeDatabase } from '../../lib/db/index.ts';
