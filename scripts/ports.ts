// Free ports for servers that tests and tools start.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Below the ephemeral ranges (Linux from 32768, others from 49152), so that no outgoing connection can occupy a port
// before its use. The tests' fixed ports are outside.
const first = 22_000;
const count = 6_000;

// Servers start seconds after their port was chosen. A file with the process that has chosen a port keeps others from it.
const reservations = join(tmpdir(), `florin-ports-${process.getuid?.() ?? 'user'}`);

/** A free TCP port, which no other call returns as long as this process runs. */
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
    if (reserve(port) && (await isFree(port))) ports.add(port);
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

function reserve(port: number): boolean {
  const file = join(reservations, String(port));
  try {
    mkdirSync(reservations, { recursive: true });
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // The process of a reservation that has ended leaves the port to a later try.
    if (!isAlive(readOwner(file))) rmSync(file, { force: true });
    return false;
  }
}

/** 0 for a file that is gone or not written yet, which `process.kill` takes for this process's group. */
function readOwner(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.on('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });
}
