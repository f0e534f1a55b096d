/** A request of the dashboard that is refused: a sentence for the person, and one for each faulty field. */
export class DashboardError extends Error {
  readonly status: number;
  readonly fields?: Record<string, string>;

  constructor(status: number, message: string, fields?: Record<string, string>) {
    super(message);
    this.name = 'Fault';
    this.status = status;
    if (fields) this.fields = fields;
  }
}

/** A request of somebody who first has to prove once more who they are. */
export class IdentityUnconfirmed extends Error {
  constructor() {
    super('Confirm that it is you.');
    this.name = 'Unconfirmed';
  }
}
