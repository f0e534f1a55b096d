/** Failures of statements after which it is unknown whether PostgreSQL has committed them. */
import pg from 'pg';

const unknown = new WeakSet<object>();

/** Marks the failure of a statement that was sent: only an answer of PostgreSQL says that nothing was committed. */
export function withUnknownOutcome<Failure>(failure: Failure): Failure {
  if (failure instanceof Error && !(failure instanceof pg.DatabaseError)) unknown.add(failure);
  return failure;
}

/** Whether the statement that failed so may have been committed. */
export const isOutcomeUnknown = (failure: unknown): boolean => failure instanceof Error && unknown.has(failure);
