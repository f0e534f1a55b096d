// Ports for servers that are started to be talked to by whoever started them.
import { createServer } from 'node:net';

// Below what any system gives away by itself (Linux from 32768, others from 49152), so that no outgoing connection can sit
// on a port between its choice and its use. The tests' fixed ports lie outside.
const first = 22_000;
const count = 6_000;

/** A TCP port that is free on this machine right now. */
export async function freePort() {
  const [port] = await freePorts(1);
  return port;
}

/** Free ports of this machine, all different. */
export async function freePorts(wanted) {
  const ports = new Set();
  for (let tries = 0; ports.size < wanted; tries += 1) {
    if (tries === count) throw new Error(`No ${wanted} ports are free from ${first} to ${first + count - 1}.`);
    const port = first + Math.floor(Math.random() * count);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port) {
  return new Promise((done) => {
    const probe = createServer();
    probe.on('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });
}
