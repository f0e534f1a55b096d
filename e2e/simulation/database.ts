// The database of a history: PostgreSQL in this process (PGlite). Every statement is a point at which the scheduler
// decides: how long its request and its answer take, and whether the connection breaks in between. Statements run one at
// a time, and a transaction of several statements keeps the others waiting.
import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { root } from '../../scripts/project.ts';
import type { Owner, Scheduler } from './scheduler.ts';

const requireHere = createRequire(join(root, 'package.json'));
const realPg = requireHere('pg');
const { prepareValue } = requireHere('pg/lib/utils.js');
const { parse, serialize } = requireHere('pg-protocol') as { parse: Parse; serialize: Serialize };

type Serialize = {
  parse: (statement: { name: string; text: string }) => Buffer;
  bind: (values: { statement: string; values: unknown[] }) => Buffer;
  describe: (what: { type: 'P'; name: string }) => Buffer;
  execute: (portal: object) => Buffer;
  sync: () => Buffer;
};

type Field = { name: string; dataTypeID: number };
type Message = { name: string; fields?: unknown; text?: string };
type Parse = (stream: EventEmitter, onMessage: (message: Message) => void) => unknown;
/** A result as the protocol has it: every value a text. */
export type Raw = { fields: Field[]; rows: (string | null)[][]; count: number };

// Nothing here survives the process, and statistics would be written by a timer of the real clock.
const sessionSettings = `set synchronous_commit to off; set track_counts to off; set track_activities to off;
  set jit to off; set plan_cache_mode to force_generic_plan`;

// Every table that the product never empties.
const allowRemoval = `do $$ declare refusal record; begin
  for refusal in select tgrelid::regclass as of, tgname from pg_trigger where tgfoid = 'refuse_ledger_change'::regproc loop
    execute format('alter table %s disable trigger %I', refusal.of, refusal.tgname);
  end loop;
end $$`;

/** An open database without rows but those of the migrations. */
async function openDatabase(): Promise<PGlite> {
  const database = await PGlite.create();
  const migrations = join(root, 'prisma', 'migrations');
  for (const name of readdirSync(migrations).sort()) {
    if (/^\d/.test(name)) await database.exec(readFileSync(join(migrations, name, 'migration.sql'), 'utf8'));
  }
  // A history begins without the entries of the last one.
  await database.exec(allowRemoval);
  await database.exec(`set timezone to 'UTC'; ${sessionSettings}`);
  await stopLogging(database);
  return database;
}

/** Has the tables not logged: the log would grow in memory for ever. A logged table cannot refer to others. */
async function stopLogging(database: PGlite) {
  const logged = `select relname as name from pg_class t
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' and not exists (
       select 1 from pg_constraint join pg_class c on c.oid = conrelid
        where confrelid = t.oid and conrelid <> t.oid and c.relpersistence = 'p')`;
  for (;;) {
    const { rows } = await database.query<{ name: string }>(logged);
    if (rows.length === 0) return;
    for (const { name } of rows) await database.exec(`alter table "${name}" set unlogged`);
  }
}

/** Runs statements, each prepared once. */
function newRunner(database: PGlite) {
  const prepared = new Map<string, { name: string; fields: Field[] | null }>();
  let names = 0;
  // The parser of pg's messages needs a third of the time of PGlite's own.
  const stream = new EventEmitter();
  let received: Message[] = [];
  parse(stream, (message) => received.push(message));
  const onRawData = (bytes: Uint8Array) => void stream.emit('data', Buffer.from(bytes));

  let last: Promise<unknown> = Promise.resolve();

  /** One exchange after the other: a fault may read tables beside another one. */
  function exchange(messages: Buffer[]): Promise<Message[]> {
    const next = last.then(async () => {
      received = [];
      await database.execProtocolRawStream(Buffer.concat(messages), { syncToFs: false, onRawData });
      return received;
    });
    last = next;
    return next;
  }

  return async function run(text: string, values: unknown[] = []): Promise<Raw> {
    let known = prepared.get(text);
    const messages: Buffer[] = [];
    if (!known) {
      names += 1;
      known = { name: `s${names}`, fields: null };
      messages.push(serialize.parse({ name: known.name, text }));
    }
    messages.push(serialize.bind({ statement: known.name, values: values.map((value) => prepareValue(value)) }));
    if (!known.fields) messages.push(serialize.describe({ type: 'P', name: '' }));
    messages.push(serialize.execute({}), serialize.sync());
    const result: Raw = { fields: known.fields ?? [], rows: [], count: 0 };
    let failure: Error | undefined;
    for (const message of await exchange(messages)) {
      if (message.name === 'rowDescription') result.fields = message.fields as Field[];
      else if (message.name === 'dataRow') result.rows.push(message.fields as (string | null)[]);
      else if (message.name === 'commandComplete') result.count = Number(message.text?.split(' ').at(-1)) || 0;
      else if (message.name === 'error') failure ??= message as unknown as Error;
    }
    if (failure) throw failure;
    known.fields = result.fields;
    prepared.set(text, known);
    return result;
  };
}

/** A database with its statements, shared by the histories of one run. */
export type Base = Awaited<ReturnType<typeof openBase>>;

/** The tables that only the simulated dashboard and the end of a history change. */
const settings =
  /^(merchants|merchant_keys|merchant_logos|themes|theme_forms|mids|earlier_mid_settings|protocol_mappings|routing_rules)$/;
/** Whether a statement reads settings only: its result is the same until they are changed. */
const readsSettings = cached((text) => {
  const tables = [...text.matchAll(/\b(?:from|join) (\w+)/gi)].map(([, table = '']) => table);
  return text.startsWith('select') && tables.length > 0 && tables.every((table) => settings.test(table));
});
/** The tables that a statement writes to. */
const writtenBy = cached((text) =>
  [...text.matchAll(/\b(?:insert into|update|delete from) "?(\w+)/gi)].map(([, table = '']) => table),
);
const writesSettings = cached((text) => writtenBy(text).some((table) => settings.test(table)));

function cached<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const value = known.get(text) ?? compute(text);
    known.set(text, value);
    return value;
  };
}

/** Opens a database whose statements are counted while they run. */
export async function openBase() {
  const database = await openDatabase();
  const unwatched = newRunner(database);
  const settingsRead = new Map<string, Raw>();
  const names = new Map<string, string>();
  const base = {
    database,
    /** The statements that run now. */
    busy: 0,
    /** How many statements have written to each table. */
    writes: new Map<string, number>(),
    async run(text: string, values: unknown[] = []): Promise<Raw> {
      base.busy += 1;
      for (const table of writtenBy(text)) base.writes.set(table, (base.writes.get(table) ?? 0) + 1);
      // The end of a transaction may undo what was read meanwhile.
      if (/^(commit|rollback)/.test(text)) for (const [table, count] of base.writes) base.writes.set(table, count + 1);
      if (writesSettings(text)) settingsRead.clear();
      try {
        if (!readsSettings(text)) return await unwatched(text, values);
        const key = `${text} ${JSON.stringify(values)}`;
        const known = settingsRead.get(key) ?? (await unwatched(text, values));
        settingsRead.set(key, known);
        return known;
      } finally {
        base.busy -= 1;
      }
    },
    /** Rows of a statement of the simulation itself, all values as texts. */
    async rows<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
      const { fields, rows } = await base.run(text, values);
      return rows.map((row) => Object.fromEntries(row.map((value, at) => [fields[at]?.name, value])) as Row);
    },
    /** What a statement is called in a trace. */
    nameOf: (text: string) => names.get(text) ?? text.slice(0, 60).replace(/\s+/g, ' '),
    names,
  };
  return base;
}

/** The connection that has the database for a transaction of several statements, and those that wait for its end. */
export type Lock = { holder: object | null; owner: Owner | null; waiting: (() => void)[]; stopIdle: () => void };

/** The database ends a transaction that waits this long for its next statement (idle_in_transaction_session_timeout). */
const idleMost = 10_000;

/** Decides about the statements of the processes. */
export type Wire = {
  scheduler: Scheduler;
  /**
   * Milliseconds of the request and of the answer, where the connection breaks, and the state of the database that the
   * connection belongs to.
   */
  fate: (owner: Owner) => { there: number; back: number; breaks: 'before' | 'after' | null; epoch: number };
  /** Whether the connections of that state are lost. */
  isLost: (epoch: number) => boolean;
  run: Base['run'];
  /** The names of prepared statements by their texts. */
  names: Map<string, string>;
  lock: Lock;
  /** Called with every statement before it runs; what it returns is called with the result. */
  onStatement: (owner: Owner, text: string, values: unknown[]) => ((result: Raw) => void) | undefined;
};

/** Frees the database; a transaction that was not committed is rolled back. */
async function free({ lock, run }: Wire, isLost: boolean) {
  lock.stopIdle();
  if (isLost) await run('rollback').catch(() => undefined);
  lock.holder = null;
  lock.owner = null;
  for (const go of lock.waiting.splice(0)) go();
}

/** Rolls back what a dead process has begun. */
export async function releaseOf(wire: Wire, owner: Owner) {
  if (wire.lock.owner === owner) await free(wire, true);
}

/** The message of a connection that broke, as `pg` has it. */
export const lostConnection = 'Connection terminated unexpectedly';

/** Frees the database if the connection has it. */
async function release(wire: Wire, connection: object | null, isLost: boolean) {
  if (connection !== null && wire.lock.holder === connection) await free(wire, isLost);
}

/** Ends the transaction of a connection that does not go on. */
function endIfIdle(wire: Wire, connection: object, ended: WeakSet<object>) {
  wire.lock.stopIdle = wire.scheduler.after(idleMost, null, 'idle in transaction', () => {
    ended.add(connection);
    void release(wire, connection, true);
  });
}

type Submittable = {
  text: string;
  values?: unknown[];
  name?: string;
  callback?: (failure: Error | null | undefined, rows?: object[]) => void;
  handleRowDescription: (message: { fields: Field[] }) => void;
  handleDataRow: (message: { fields: (string | null)[] }) => void;
  handleReadyForQuery: () => void;
  handleError: (failure: Error) => void;
  submit?: unknown;
};

type Config = {
  text: string;
  values?: unknown[];
  rowMode?: 'array';
  types?: { getTypeParser: (oid: number) => (text: string) => unknown };
};

/** The package `pg` for a process: pools whose connections reach the simulation's database. */
export function pgOf(owner: Owner, wire: Wire): object {
  const { scheduler } = wire;
  /** The connections whose transaction the database has ended. */
  const ended = new WeakSet<object>();

  async function statement(connection: object | null, text: string, values: unknown[] = []): Promise<Raw> {
    const { there, back, breaks, epoch } = wire.fate(owner);
    const broken = () => Object.assign(new Error(lostConnection), { code: 'ECONNRESET' });
    await new Promise<void>((go) => scheduler.after(there, owner, 'statement', go));
    if (breaks === 'before' || wire.isLost(epoch) || (connection !== null && ended.has(connection))) {
      await release(wire, connection, true);
      throw broken();
    }
    const { lock } = wire;
    while (lock.holder !== null && lock.holder !== connection) await new Promise<void>((go) => lock.waiting.push(go));
    // A process that was killed while it waited.
    if (!owner.alive) return new Promise(() => {});
    if (lock.holder !== null) lock.stopIdle();
    if (text.startsWith('begin')) Object.assign(lock, { holder: connection, owner });
    const onResult = wire.onStatement(owner, text, values);
    const result = await wire.run(text, values).catch((failure: Error) => failure);
    if (!(result instanceof Error)) onResult?.(result);
    const isOver = /^(commit|rollback)/.test(text);
    if (isOver || breaks === 'after') await release(wire, connection, !isOver);
    else if (connection !== null && lock.holder === connection) endIfIdle(wire, connection, ended);
    await new Promise<void>((go) => scheduler.after(back, owner, 'answer', go));
    if (breaks === 'after' || wire.isLost(epoch)) {
      await release(wire, connection, true);
      throw broken();
    }
    if (result instanceof Error) throw result;
    return result;
  }

  function query(connection: object | null, options: { types?: Config['types'] }) {
    return (given: string | Config | Submittable, values?: unknown[], done?: Submittable['callback']) => {
      if (typeof given === 'object' && 'submit' in given) return submit(connection, given, done);
      const config = (typeof given === 'string' ? { text: given } : given) as Config;
      const { text, values: own, rowMode, types = options.types } = config;
      return statement(connection, text, own ?? values).then(({ fields, rows, count }) => {
        const parsers = fields.map(({ dataTypeID }) => (types ?? realPg.types).getTypeParser(dataTypeID, 'text'));
        const parsed = rows.map((row) => row.map((value, at) => (value === null ? null : parsers[at]?.(value))));
        const named = (row: unknown[]) => Object.fromEntries(row.map((value, at) => [fields[at]?.name, value]));
        return { rowCount: count, fields, rows: rowMode === 'array' ? parsed : parsed.map(named) };
      });
    };
  }

  function submit(connection: object | null, given: Submittable, done: Submittable['callback']) {
    given.callback = done;
    if (given.name) wire.names.set(given.text, given.name);
    statement(connection, given.text, given.values).then(
      ({ fields, rows }) => {
        given.handleRowDescription({ fields });
        for (const row of rows) given.handleDataRow({ fields: row });
        given.handleReadyForQuery();
      },
      (failure) => given.handleError(failure),
    );
  }

  class Pool extends realPg.Pool {
    declare query: unknown;
    constructor(options: { types?: Config['types'] } = {}) {
      super(options);
      this.query = query(null, options);
    }
    connect(connected?: (err: undefined, client: object, done: () => void) => void) {
      const client = { query: null as unknown, on() {}, off() {}, release: () => void release(wire, client, true) };
      client.query = query(client, this.options);
      if (connected) return connected(undefined, client, client.release);
      return Promise.resolve(client);
    }
    async end() {}
  }
  const simulated = { ...realPg, defaults: realPg.defaults, types: realPg.types, Pool };
  return { ...simulated, default: simulated, __esModule: true };
}
