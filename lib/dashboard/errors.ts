/** Errors of dashboard requests. */
import type { Conflict } from './contract';

/** A refused dashboard request: a message for the user, and one for each invalid field. */
export class DashboardError extends Error {
  readonly status: number;
  readonly fields?: Record<string, string>;
  /** Who changed the object meanwhile, and what. */
  readonly conflict?: Conflict;

  constructor(status: number, message: string, fields?: Record<string, string>, conflict?: Conflict) {
    super(message);
    this.name = 'Fault';
    this.status = status;
    if (fields) this.fields = fields;
    if (conflict) this.conflict = conflict;
  }
}

/** A request that requires the user to confirm their identity first. */
export class IdentityUnconfirmed extends Error {
  constructor() {
    super('Confirm your identity.');
    this.name = 'Unconfirmed';
  }
}
