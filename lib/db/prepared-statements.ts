/**
 * Prepared statements whose columns are described once for each connection. A statement of pg has them described at every
 * run, which for the wide rows of the money tables costs more than the rows themselves (e2e/bench). PostgreSQL refuses
 * to run a prepared statement whose columns have changed since, so that what was described once stays true.
 */
import type pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';

type Parser = (text: string) => unknown;
/** What a row looks like: the names of its columns in order, how to read each, and an empty row to begin with. */
type RowShape = { names: string[]; parsers: Parser[]; empty: object };
type Field = { name: string; dataTypeID: number };
type Failure = Error | null | undefined;
type Callback = (failure: Failure, rows?: object[]) => void;

/** What pg gives to whoever submits statements of their own, as pg-cursor does. */
type Connection = {
  stream: { cork: () => void; uncork: () => void };
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
  parse: (statement: { name: string; text: string }) => void;
  bind: (values: { statement: string; values: unknown[] }) => void;
  describe: (what: { type: 'P'; name: string }) => void;
  execute: (portal: { portal: string }) => void;
  sync: () => void;
};

const knownShapes = new WeakMap<object, Map<string, RowShape>>();

class PreparedStatement {
  /** Given by pg. */
  callback: Callback | undefined;
  private shape: RowShape | undefined;
  private shapes = new Map<string, RowShape>();
  private rows: object[] = [];
  private fault: Failure;

  constructor(
    readonly name: string,
    readonly text: string,
    private readonly values: unknown[],
    private readonly parserOf: (oid: number) => Parser,
  ) {}

  /** Called by pg when the connection is free; what it returns is given to {@link handleError}. */
  submit(connection: Connection): Failure {
    const known = connection.parsedStatements[this.name] ?? connection.submittedNamedStatements[this.name];
    if (known !== undefined && known !== this.text) return new Error(`two statements have the name ${this.name}`);
    const values = sendable(this.values);
    if (values instanceof Error) return values;
    this.shapes = knownShapes.get(connection) ?? new Map();
    knownShapes.set(connection, this.shapes);
    this.shape = this.shapes.get(this.name);
    // One packet instead of one for each message.
    connection.stream.cork();
    if (known === undefined) {
      connection.parse({ name: this.name, text: this.text });
      connection.submittedNamedStatements[this.name] = this.text;
    }
    connection.bind({ statement: this.name, values });
    if (!this.shape) connection.describe({ type: 'P', name: '' });
    connection.execute({ portal: '' });
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    const names = fields.map(({ name }) => name);
    const parsers = fields.map(({ dataTypeID }) => this.parserOf(dataTypeID));
    this.shape = { names, parsers, empty: Object.fromEntries(names.map((name) => [name, null])) };
    this.shapes.set(this.name, this.shape);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.fault || !this.shape) return;
    const { names, parsers, empty } = this.shape;
    const row: Record<string, unknown> = { ...empty };
    try {
      for (let at = 0; at < fields.length; at += 1) {
        const text = fields[at];
        if (text !== null && text !== undefined) row[names[at] as string] = (parsers[at] as Parser)(text);
      }
      this.rows.push(row);
    } catch (err) {
      this.fault = err as Error;
    }
  }

  handleCommandComplete(): void {}

  handleError(failure: Error): void {
    this.callback?.(this.fault ?? failure);
  }

  handleReadyForQuery(): void {
    if (this.fault) this.callback?.(this.fault);
    else this.callback?.(null, this.rows);
  }
}

// Before anything is sent: a value that cannot be sent must not leave half a message behind.
function sendable(values: unknown[]): unknown[] | Error {
  try {
    return values.map((value) => prepareValue(value));
  } catch (err) {
    return err as Error;
  }
}

/** Runs one prepared statement on a pool or a connection and gives its rows. `name` identifies `text` on every connection. */
export async function runPrepared<Row extends object>(
  on: pg.Pool | pg.PoolClient,
  { name, text, values }: { name: string; text: string; values: unknown[] },
  parserOf: (oid: number) => Parser,
): Promise<Row[]> {
  const statement = new PreparedStatement(name, text, values, parserOf);
  const submit = on.query.bind(on) as unknown as (query: PreparedStatement, values: undefined, ended: Callback) => void;
  try {
    return await new Promise<Row[]>((done, failed) => {
      submit(statement, undefined, (failure, rows) => (failure ? failed(failure) : done(rows as Row[])));
    });
  } catch (err) {
    // Whoever has asked stands in the trace, and not the socket that the answer came by.
    if (err instanceof Error) Error.captureStackTrace(err);
    throw err;
  }
}
