// Free ports for servers that tests and tools start.
import { createServer } from 'node:net';

// Below the ephemeral ranges (Linux from 32768, others from 49152), so that no outgoing connection can occupy a port
// before its use. The tests' fixed ports are outside.
const first = 22_000;
const count = 6_000;

/** A TCP port that is free right now. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port;
}

/** Different free ports, as many as `wanted`. */
export async function freePorts<Count extends number>(wanted: Count): Promise<Ports<Count>> {
  const ports = new Set<number>();
  for (let tries = 0; ports.size < wanted; tries += 1) {
    if (tries === count) throw new Error(`No ${wanted} ports are free from ${first} to ${first + count - 1}.`);
    const port = first + Math.floor(Math.random() * count);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports] as Ports<Count>;
}

type Ports<Count extends number> = Count extends 1
  ? [number]
  : Count extends 2
    ? [number, number]
    : Count extends 3
      ? [number, number, number]
      : number[];

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.on('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });
}
