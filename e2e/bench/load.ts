// @ts-nocheck
// The load generator, in its own process. Closed load: a few persistent connections with one request in flight each;
// requests are prepared before the clock starts, so that the client takes little of the machine, and any failure ends
// the measurement. Open load: a constant request rate independent of responses; each request is timed from its
// scheduled moment, which avoids coordinated omission, and every kind of response is counted.
import { connect } from 'node:net';
import { percentile } from './report.ts';
import { requestOf } from './requests.ts';

/**
 * Sends requests until they are used up or time is over, and waits for the responses in flight.
 * @param {{ port: number, connections: number, seconds: number, requests: string[], pick?: RegExp }} job
 * `requests` are complete HTTP messages. `pick` extracts values from every response: the groups of all its matches.
 */
async function runClosed({ port, connections, seconds, requests, pick }) {
  const state = { next: 0, done: 0, until: Number.POSITIVE_INFINITY, picked: [], requests, pick };
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const started = performance.now();
  state.until = started + seconds * 1000;
  await Promise.all(sockets.map((socket) => drive(socket, state)));
  const elapsedSeconds = (performance.now() - started) / 1000;
  for (const socket of sockets) socket.destroy();
  return { done: state.done, elapsedSeconds, perSecond: state.done / elapsedSeconds, picked: state.picked };
}

function open(port) {
  return new Promise((done, fail) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => done(socket));
    socket.once('error', fail);
  });
}

function drive(socket, state) {
  return new Promise((finished, fail) => {
    let at = 0;
    let buffer = Buffer.alloc(0);
    const send = () => {
      if (state.next >= state.requests.length || performance.now() >= state.until) return finished();
      at = state.next;
      state.next += 1;
      socket.write(state.requests[at]);
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
function whole(bytes) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = bytes.latin1Slice(0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (!length) throw new Error(`An answer has no length:\n${head}`);
  if (bytes.length < end + 4 + Number(length[1])) return null;
  return { status: Number(head.slice(9, 12)), body: () => bytes.utf8Slice(end + 4) };
}

/**
 * Sends `rate` requests a second for `seconds`; each times out after `patienceSeconds`.
 * @param {{ port: number, rate: number, seconds: number, requests?: string[], make?: object[], patienceSeconds?: number,
 * connectionsMax?: number }} job either `requests`, or the kinds that requests.mjs is to `make` in turn
 * @returns the number of requests by result, the latencies of the successes, and the successes by second
 */
async function runOpen({ port, rate, seconds, requests, make, patienceSeconds = 10, connectionsMax = 4000 }) {
  const total = requests ? Math.min(requests.length, Math.floor(rate * seconds)) : Math.floor(rate * seconds);
  const textOf = (at) => (requests ? requests[at] : requestOf(make[at % make.length]));
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
  const at = (part) => percentile(sorted, part) ?? null;
  const figures = { p50: at(0.5), p95: at(0.95), p99: at(0.99), most: sorted.at(-1) ?? null };
  return { offered: total, done: sorted.length, elapsedSeconds, kinds, samples, bySecond, ...figures };
}

// Counters of the results so far.
function newCounters(began) {
  const counters = { took: [], kinds: {}, samples: [], bySecond: [] };
  counters.note = ({ due }, kind, body) => {
    counters.kinds[kind] = (counters.kinds[kind] ?? 0) + 1;
    const now = performance.now();
    if (kind !== '200') {
      if (body && counters.samples.length < 3) counters.samples.push(`${kind}: ${body.slice(0, 200)}`);
      return;
    }
    counters.took.push(now - due);
    const second = Math.floor((now - began) / 1000);
    counters.bySecond[second] = (counters.bySecond[second] ?? 0) + 1;
  };
  return counters;
}

// Sends requests over as many connections as needed; `note` receives each result.
function newConnectionPool({ port, patienceMilliseconds, connectionsMax, note }) {
  const [idle, waiting, sockets, underWay] = [[], [], new Set(), new Set()];
  const settle = (asked, kind, body) => {
    if (underWay.delete(asked)) note(asked, kind, body);
  };

  function begin(socket, asked) {
    socket.asked = asked;
    asked.socket = socket;
    socket.write(asked.text);
  }

  function connectOne() {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let buffer = Buffer.alloc(0);
    sockets.add(socket);
    socket.on('data', (chunk) => {
      buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
      const answer = whole(buffer);
      if (answer === null) return;
      buffer = Buffer.alloc(0);
      settle(socket.asked, String(answer.status), answer.status === 200 ? undefined : answer.body());
      socket.asked = undefined;
      const next = waiting.shift();
      if (next) begin(socket, next);
      else idle.push(socket);
    });
    let why = '';
    socket.on('error', ({ code }) => {
      why = ` (${code})`;
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
    send(text, due) {
      const asked = { text, due };
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

process.on('message', (job) => {
  (job.rate ? runOpen(job) : runClosed(job)).then(
    (result) => process.send({ result }),
    (error) => process.send({ fault: error.message }),
  );
});
process.send('ready');
