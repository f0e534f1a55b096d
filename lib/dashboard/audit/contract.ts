// The audit log as the server returns it. Times are ISO 8601, hashes hexadecimal.
import type { Answer } from '../guard';
import type { auditPage, verifyChain } from './audit-log';
import type { fieldsOf } from './labels';

export type AuditRow = Answer<typeof auditPage>['rows'][number];

/** A field of an entry. Null if the value was absent. */
export type AuditField = ReturnType<typeof fieldsOf>['fields'][number];

/** The result of the hash chain check. */
export type HashChainState = Answer<typeof verifyChain>;
