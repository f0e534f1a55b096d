// The audit log as the server returns it. Times are ISO 8601, hashes hexadecimal.
import type { Answer } from '../guard.ts';
import type { auditPage, verifyChain } from './audit-log.ts';

export type AuditRow = Answer<typeof auditPage>['rows'][number];

/** The result of the hash chain check. */
export type HashChainState = Answer<typeof verifyChain>;
