// A proxy between a process and its database, so that a test can stop the process after a statement is executed and
// before its answer arrives.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A database proxy that can hold back answers. */
export type SlowDatabase = {
  /** The address for the process. */
  url: string;
  /**
   * Holds back answers from the next statement that contains all of these texts, on its connection. Resolves once the
   * database has executed the statement.
   */
  hold(...texts: string[]): Promise<void>;
  /** Holds back the answers of every statement that contains all of these texts, until {@link release}. */
  holdEvery(...texts: string[]): void;
  /** Releases the held answers, and holds back no more. */
  release(): void;
  close(): Promise<void>;
};

type State = { wanted: string[]; isEvery: boolean; kept: Set<() => void>; caught: () => void };

/** Starts the proxy in front of the database at `databaseUrl`. */
export async function slowDatabase(databaseUrl: string): Promise<SlowDatabase> {
  const url = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const state: State = { wanted: [], isEvery: false, kept: new Set(), caught: () => {} };
  const server = createServer((client) => {
    const database = connect(Number(url.port), url.hostname);
    sockets.add(client).add(database);
    join(client, database, state);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const own = new URL(url);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: own.href,
    hold(...texts) {
      Object.assign(state, { wanted: texts, isEvery: false });
      return new Promise((caught) => {
        state.caught = caught;
      });
    },
    holdEvery(...texts) {
      Object.assign(state, { wanted: texts, isEvery: true });
    },
    release() {
      state.wanted = [];
      for (const each of state.kept) each();
      state.kept.clear();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function join(client: Socket, database: Socket, state: State): void {
  let waiting: Buffer[] | null = null;
  client.on('data', (bytes) => {
    const text = bytes.toString('latin1');
    if (state.wanted.length > 0 && state.wanted.every((each) => text.includes(each))) {
      if (!state.isEvery) state.wanted = [];
      waiting ??= [];
      state.kept.add(() => {
        for (const each of waiting ?? []) client.write(each);
        waiting = null;
      });
    }
    database.write(bytes);
  });
  database.on('data', (bytes) => {
    if (!waiting) {
      client.write(bytes);
      return;
    }
    waiting.push(bytes);
    state.caught();
  });
  for (const [one, other] of [
    [client, database],
    [database, client],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}
