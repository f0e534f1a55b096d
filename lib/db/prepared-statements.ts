/**
 * Prepared statements whose columns are described once per connection. pg requests the description at every run, which
 * for the wide rows of the money tables costs more than the rows (e2e/bench). PostgreSQL rejects a prepared
 * statement whose result columns have changed, so the stored description remains valid.
 */
import type pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';

type Parser = (text: string) => unknown;
/** The shape of a row: the column names in order, their parsers, and an empty row to copy. */
type RowShape = { names: string[]; parsers: Parser[]; empty: object };
type Field = { name: string; dataTypeID: number };
type Failure = Error | null | undefined;
type Callback = (failure: Failure, rows?: object[]) => void;

/** The part of pg's connection that custom query classes use, as in pg-cursor. */
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
  /** Set by pg. */
  callback: Callback | undefined;
  private shape: RowShape | undefined;
  private shapes = new Map<string, RowShape>();
  private rows: object[] = [];
  private failure: Failure;
  readonly name: string;
  readonly text: string;
  private readonly values: unknown[];
  private readonly parserOf: (oid: number) => Parser;

  constructor(name: string, text: string, values: unknown[], parserOf: (oid: number) => Parser) {
    this.name = name;
    this.text = text;
    this.values = values;
    this.parserOf = parserOf;
  }

  /** Called by pg when the connection is free; pg passes a returned error to {@link handleError}. */
  submit(connection: Connection): Failure {
    const preparedText = connection.parsedStatements[this.name] ?? connection.submittedNamedStatements[this.name];
    if (preparedText !== undefined && preparedText !== this.text)
      return new Error(`two statements have the name ${this.name}`);
    const values = prepareValues(this.values);
    if (values instanceof Error) return values;
    this.shapes = knownShapes.get(connection) ?? new Map();
    knownShapes.set(connection, this.shapes);
    this.shape = this.shapes.get(this.name);
    // One packet for all messages.
    connection.stream.cork();
    if (preparedText === undefined) {
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
    if (this.failure || !this.shape) return;
    const { names, parsers, empty } = this.shape;
    const row: Record<string, unknown> = { ...empty };
    try {
      for (let at = 0; at < fields.length; at += 1) {
        const text = fields[at];
        if (text !== null && text !== undefined) row[names[at] as string] = (parsers[at] as Parser)(text);
      }
      this.rows.push(row);
    } catch (err) {
      this.failure = err as Error;
    }
  }

  handleCommandComplete(): void {}

  handleError(failure: Error): void {
    this.callback?.(this.failure ?? failure);
  }

  handleReadyForQuery(): void {
    if (this.failure) this.callback?.(this.failure);
    else this.callback?.(null, this.rows);
  }
}

// Runs before the first message, because a failure must not leave a partial request on the connection.
function prepareValues(values: unknown[]): unknown[] | Error {
  try {
    return values.map((value) => prepareValue(value));
  } catch (err) {
    return err as Error;
  }
}

/** Runs a prepared statement on a pool or a connection. `name` identifies `text` on every connection. */
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
    // The stack trace should show the caller, not the socket that received the response.
    if (err instanceof Error) Error.captureStackTrace(err);
    throw err;
  }
}
