/** Errors of dashboard requests. */

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
    /** The user must confirm their identity and then repeat the request. */
    confirm?: true;
    /** The object has changed since the user opened it. */
    conflict?: Conflict;
  };
};

type Details = Omit<Failure['error'], 'message' | 'reference'>;

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

/** The error of a request that requires a proof of identity: the page asks for one and repeats the request. */
export const identityUnconfirmed = () =>
  new DashboardError(403, 'Confirm your identity.', undefined, { confirm: true });
