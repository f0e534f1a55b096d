/** Errors of dashboard requests, and the reading of their bodies with a schema. */
import { z } from 'zod';
import type { ProofWay } from '../auth/index.ts';
import { isTooBusy } from '../core/turns.ts';

/** A change that another user saved while a form was open. */
export type Conflict = {
  /** Null if no existing user made it. */
  by: string | null;
  at: string;
  changes: { name: string; before: string | null; after: string | null }[];
};

/** The body of an error answer. `fields` names the invalid fields of a form. */
export type Failure = {
  error: {
    message: string;
    reference?: string;
    fields?: Record<string, string>;
    /** The user must confirm their identity, in one of these ways, and then repeat the request. */
    confirm?: ProofWay[];
    /** The session is locked; one of these ways unlocks it, and the request can be repeated. */
    locked?: ProofWay[];
    /** The object has changed since the user opened it. */
    conflict?: Conflict;
  };
};

/** `retryAfterSeconds` is the header `Retry-After`. */
export type Details = Omit<Failure['error'], 'message'> & { retryAfterSeconds?: number };

/** A refused dashboard request: a message for the user, one for each invalid field, and what else its page needs. */
export class DashboardError extends Error {
  readonly status: number;
  readonly fields: Record<string, string> | undefined;
  readonly details: Details;

  constructor(status: number, message: string, fields?: Record<string, string>, details: Details = {}) {
    super(message);
    this.name = 'Fault';
    this.status = status;
    this.fields = fields;
    this.details = details;
  }
}

/** The error of an invalid body, with a message for each of its fields. */
export const invalid = (fields: Record<string, string>, message = 'The request is not valid.') =>
  new DashboardError(400, message, fields);

/** The error of a request that is valid and cannot be carried out now. */
export const refusal = (message: string) => new DashboardError(409, message);

/** The error of a user who sends too many requests; `field` is the one whose form shows it. */
export function tooMany(seconds: number, field?: string): DashboardError {
  const message = `Too many requests. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'} and try again.`;
  return new DashboardError(429, message, field ? { [field]: message } : undefined, { retryAfterSeconds: seconds });
}

/** The message about reads that waited too long for their turn or for the database; null for another failure. */
export const busyMessage = (thrown: unknown) =>
  isTooBusy(thrown) || isDatabaseBusy(thrown) ? 'The dashboard is busy. Try again in a moment.' : null;

/** PostgreSQL's code of a statement that exceeded its time limit. */
const statementTimeout = '57014';

/** The messages of pg and its pool about a connection that is not free, or not open, in time: these have no code. */
const lateConnections = [
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  'timeout expired',
];

function isDatabaseBusy(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code } = thrown as Error & { code?: string };
  return code === statementTimeout || lateConnections.includes(thrown.message);
}

/** What a page shows instead of its content while its user has to wait; null for another failure. */
export const waitMessage = (thrown: unknown) =>
  thrown instanceof DashboardError && thrown.status === 429 ? thrown.message : busyMessage(thrown);

/** The error of a request for an object that does not exist for this user. */
export const notFound = () => new DashboardError(404, 'Not found.');

/** The object of a request. Throws {@link notFound}. */
export function existing<T>(found: T | null | undefined): T {
  if (found == null) throw notFound();
  return found;
}

/** Whether an object does not exist for this user. */
export const isNotFound = (thrown: unknown) => thrown instanceof DashboardError && thrown.status === 404;

/** What is read; null for an object that does not exist for this user. */
export async function orNull<T>(read: Promise<T>): Promise<T | null> {
  return read.catch((thrown) => {
    if (isNotFound(thrown)) return null;
    throw thrown;
  });
}

/** The error of a request that requires a proof of identity: the page asks for one and repeats the request. */
export const identityUnconfirmed = (confirm: ProofWay[]) =>
  new DashboardError(403, 'Confirm your identity.', undefined, { confirm });

/**
 * The body as the schema reads it; an error has `message`. `further` checks rules over several fields although some
 * `failed`, and returns the errors.
 */
export function parseBody<T>(
  schema: z.ZodType<T>,
  body: unknown,
  { message, further }: { message?: string; further?: (failed: string[]) => Record<string, string> } = {},
): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.flatMap(({ path, ...issue }) => {
    const names = issue.code === 'unrecognized_keys' && path.length === 0 ? issue.keys : [path.join('.')];
    return names.map((name) => [name, issue.message] as const);
  });
  const failed = [...new Set(parsed.error.issues.map(({ path }) => String(path[0] ?? '')))];
  const others = Object.entries(further?.(failed) ?? {});
  const fields = [...others.filter(([field]) => !failed.includes(field.split('.')[0] ?? '')), ...issues];
  // The first of several issues of a field is shown.
  const first = fields.filter(([field], at) => fields.findIndex(([name]) => name === field) === at);
  throw invalid(Object.fromEntries(first), message);
}

// PostgreSQL cannot store NUL or half a surrogate pair. Characters that change the direction could make a page read
// differently from its text.
const plain = /^[^\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u;

/** A line of text, trimmed, with at most `most` characters; may be empty. */
export function textLine(most: number) {
  return z
    .string('Enter text.')
    .trim()
    .max(most, `Enter at most ${most} characters.`)
    .regex(plain, 'Enter one line of text without control or invisible characters.');
}

/** A whole number within bounds. */
export function wholeNumber({ least, most }: { least: number; most: number }) {
  const message = `Enter a whole number from ${least} to ${most}.`;
  return z.int(message).min(least, message).max(most, message);
}

/** The version of the row when the form was opened. */
export const versionField = z.int('The version is missing.').min(0);
