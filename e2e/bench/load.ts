// The load generator, in its own process. Closed load: a few persistent connections with one request in flight each;
// requests are prepared before the clock starts, so that the client takes little of the machine, and any failure ends
// the measurement. Open load: a constant request rate independent of responses; each request is timed from its
// scheduled moment, which avoids coordinated omission, and every kind of response is counted.
import { connect, type Socket } from 'node:net';
import { errorCode, messageOf } from '../../scripts/project.ts';
import { percentile } from './report.ts';
import { requestOf, type Wanted } from './requests.ts';

/**
 * `requests` are complete HTTP messages. `pick` extracts values from every response: the groups of all its matches.
 */
export type ClosedJob = { port: number; connections: number; seconds: number; requests: string[]; pick?: RegExp };

/**
 * Sends `rate` requests a second for `seconds`: either `requests`, or the kinds that requests.ts is to `make` in turn.
 * Each times out after `patienceSeconds`.
 */
export type OpenJob = {
  port: number;
  rate: number;
  seconds: number;
  requests?: string[];
  make?: Wanted[];
  patienceSeconds?: number;
  connectionsMax?: number;
};

export type ClosedResult = Awaited<ReturnType<typeof runClosed>>;
export type OpenResult = Awaited<ReturnType<typeof runOpen>>;

type State = Pick<ClosedJob, 'requests' | 'pick'> & {
  next: number;
  done: number;
  until: number;
  /** By request: the groups of each match. */
  picked: string[][][];
};

/** Sends requests until they are used up or time is over, and waits for the responses in flight. */
async function runClosed({ port, connections, seconds, requests, pick }: ClosedJob) {
  const state: State = { next: 0, done: 0, until: Number.POSITIVE_INFINITY, picked: [], requests, pick };
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const started = performance.now();
  state.until = started + seconds * 1000;
  await Promise.all(sockets.map((socket) => drive(socket, state)));
  const elapsedSeconds = (performance.now() - started) / 1000;
  for (const socket of sockets) socket.destroy();
  return { done: state.done, elapsedSeconds, perSecond: state.done / elapsedSeconds, picked: state.picked };
}

function open(port: number): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => done(socket));
    socket.once('error', fail);
  });
}

function drive(socket: Socket, state: State): Promise<void> {
  return new Promise((finished, fail) => {
    let at = 0;
    let buffer: Buffer = Buffer.alloc(0);
    const send = () => {
      if (state.next >= state.requests.length || performance.now() >= state.until) return finished();
      at = state.next;
      state.next += 1;
      socket.write(state.requests[at] ?? '');
    };
    socket.on('data', (chunk) => {
      buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
      const answer = whole(buffer);
      if (answer === null) return;
      if (answer.status !== 200)
        return fail(new Error(`An answer was ${answer.status}: ${answer.body().slice(0, 300)}`));
      buffer = Buffer.alloc(0);
      state.done += 1;
      if (state.pick) {
        const found = [...answer.body().matchAll(state.pick)].map((match) => match.slice(1));
        if (found.length === 0) return fail(new Error(`An answer lacks ${state.pick}: ${answer.body().slice(0, 300)}`));
        state.picked[at] = found;
      }
      send();
    });
    socket.on('close', () => fail(new Error('The server closed a connection.')));
    socket.on('error', fail);
    send();
  });
}

// One response is in flight per connection, so all received bytes belong to it.
function whole(bytes: Buffer): { status: number; body: () => string } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = bytes.toString('latin1', 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (!length) throw new Error(`An answer has no length:\n${head}`);
  if (bytes.length < end + 4 + Number(length[1])) return null;
  return { status: Number(head.slice(9, 12)), body: () => bytes.toString('utf8', end + 4) };
}

/** Returns the number of requests by result, the latencies of the successes, and the successes by second. */
async function runOpen({
  port,
  rate,
  seconds,
  requests,
  make = [],
  patienceSeconds = 10,
  connectionsMax = 4000,
}: OpenJob) {
  const total = requests ? Math.min(requests.length, Math.floor(rate * seconds)) : Math.floor(rate * seconds);
  const textOf = (at: number) => requests?.[at] ?? requestOf(make[at % make.length] as Wanted);
  const began = performance.now();
  const counters = newCounters(began);
  const pool = newConnectionPool({
    port,
    patienceMilliseconds: patienceSeconds * 1000,
    connectionsMax,
    note: counters.note,
  });
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * rate) + 1);
    for (; sent < due; sent += 1) pool.send(textOf(sent), began + (sent / rate) * 1000);
    pool.giveUp();
    await new Promise((wake) => setTimeout(wake, 1));
  }
  while (pool.open() > 0) {
    pool.giveUp();
    await new Promise((wake) => setTimeout(wake, 5));
  }
  const elapsedSeconds = (performance.now() - began) / 1000;
  pool.close();
  const { took, kinds, samples, bySecond } = counters;
  const sorted = Float64Array.from(took).sort();
  const at = (part: number) => percentile(sorted, part) ?? null;
  const figures = { p50: at(0.5), p95: at(0.95), p99: at(0.99), most: sorted.at(-1) ?? null };
  return { offered: total, done: sorted.length, elapsedSeconds, kinds, samples, bySecond, ...figures };
}

/** A request that is due, and its connection once it is sent. */
type Pending = { text: string; due: number; socket?: Socket };

/** A connection, and the request that it waits for. */
type Busy = Socket & { asked?: Pending };

// Counters of the results so far.
function newCounters(began: number) {
  const took: number[] = [];
  const kinds: Record<string, number> = {};
  const samples: string[] = [];
  const bySecond: number[] = [];
  const note = ({ due }: Pending, kind: string, body?: string) => {
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    const now = performance.now();
    if (kind !== '200') {
      if (body && samples.length < 3) samples.push(`${kind}: ${body.slice(0, 200)}`);
      return;
    }
    took.push(now - due);
    const second = Math.floor((now - began) / 1000);
    bySecond[second] = (bySecond[second] ?? 0) + 1;
  };
  return { took, kinds, samples, bySecond, note };
}

// Sends requests over as many connections as needed; `note` receives each result.
function newConnectionPool({
  port,
  patienceMilliseconds,
  connectionsMax,
  note,
}: {
  port: number;
  patienceMilliseconds: number;
  connectionsMax: number;
  note: (asked: Pending, kind: string, body?: string) => void;
}) {
  const idle: Busy[] = [];
  const waiting: Pending[] = [];
  const sockets = new Set<Socket>();
  const underWay = new Set<Pending>();
  const settle = (asked: Pending, kind: string, body?: string) => {
    if (underWay.delete(asked)) note(asked, kind, body);
  };

  function begin(socket: Busy, asked: Pending) {
    socket.asked = asked;
    asked.socket = socket;
    socket.write(asked.text);
  }

  function connectOne(): Busy {
    const socket: Busy = connect({ port, host: '127.0.0.1', noDelay: true });
    let buffer: Buffer = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('data', (chunk) => {
      buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
      const answer = whole(buffer);
      if (answer === null) return;
      buffer = Buffer.alloc(0);
      if (socket.asked) settle(socket.asked, String(answer.status), answer.status === 200 ? undefined : answer.body());
      socket.asked = undefined;
      const next = waiting.shift();
      if (next) begin(socket, next);
      else idle.push(socket);
    });
    let why = '';
    socket.on('error', (error) => {
      why = ` (${errorCode(error)})`;
    });
    socket.on('close', () => {
      sockets.delete(socket);
      const place = idle.indexOf(socket);
      if (place >= 0) idle.splice(place, 1);
      if (socket.asked) settle(socket.asked, `connection closed${why}`);
    });
    return socket;
  }

  return {
    send(text: string, due: number) {
      const asked: Pending = { text, due };
      underWay.add(asked);
      const free = idle.pop();
      if (free) begin(free, asked);
      else if (sockets.size < connectionsMax) begin(connectOne(), asked);
      else waiting.push(asked);
    },
    // The oldest come first.
    giveUp() {
      const before = performance.now() - patienceMilliseconds;
      for (const asked of underWay) {
        if (asked.due > before) break;
        settle(asked, asked.socket ? 'no answer in time' : 'not sent in time');
        if (asked.socket) asked.socket.destroy();
        else waiting.splice(waiting.indexOf(asked), 1);
      }
    },
    open: () => underWay.size,
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

process.on('message', (job: OpenJob | ClosedJob) => {
  const running: Promise<object> = 'rate' in job ? runOpen(job) : runClosed(job);
  running.then(
    (result) => process.send?.({ result }),
    (error) => process.send?.({ fault: messageOf(error) }),
  );
});
process.send?.('ready');
