// The load: a few connections that stay open, each with one request under way at a time, in a process of its own. The
// requests are made before the clock starts, and of the answers only the length is read, so that the client takes as
// little of the machine as it can. It refuses to measure anything but successes.
import { connect } from 'node:net';

/**
 * Sends requests until they are used up or the time is over, and waits for the answers under way.
 * @param {{ port: number, connections: number, seconds: number, requests: string[], pick?: RegExp }} job
 *   `requests` are whole HTTP texts. `pick` finds what is wanted of every answer: the groups of all its matches.
 */
async function run({ port, connections, seconds, requests, pick }) {
  const state = { next: 0, done: 0, until: Number.POSITIVE_INFINITY, picked: [], requests, pick };
  const lanes = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const started = performance.now();
  state.until = started + seconds * 1000;
  await Promise.all(lanes.map((socket) => drive(socket, state)));
  const elapsedSeconds = (performance.now() - started) / 1000;
  for (const socket of lanes) socket.destroy();
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
    let held = Buffer.alloc(0);
    const send = () => {
      if (state.next >= state.requests.length || performance.now() >= state.until) return finished();
      at = state.next;
      state.next += 1;
      socket.write(state.requests[at]);
    };
    socket.on('data', (chunk) => {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const answer = whole(held);
      if (answer === null) return;
      if (answer.status !== 200)
        return fail(new Error(`An answer was ${answer.status}: ${answer.body().slice(0, 300)}`));
      held = Buffer.alloc(0);
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

// One answer is under way per connection, so that whatever has come belongs to it.
function whole(bytes) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = bytes.latin1Slice(0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (!length) throw new Error(`An answer has no length:\n${head}`);
  if (bytes.length < end + 4 + Number(length[1])) return null;
  return { status: Number(head.slice(9, 12)), body: () => bytes.utf8Slice(end + 4) };
}

process.on('message', (job) => {
  run(job).then(
    (result) => process.send({ result }),
    (fault) => process.send({ fault: fault.message }),
  );
});
process.send('ready');
