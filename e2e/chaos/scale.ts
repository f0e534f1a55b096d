// npm run chaos -- scale: two processes and a worker behind HAProxy, over PgBouncer and three PostgreSQL nodes under
// Patroni and etcd, all from Debian's packages, under load. Primaries are killed, paused, cut off and upgraded
// (scale/faults.ts). Nothing acknowledged may be lost, and sales go on within 15 seconds.
//   --faults killed,paused   --clients 8   --seed N
// It runs as root, in namespaces of its own: what it mounts, connects and starts ends with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPrograms } from './scale/programs.ts';
import { options } from './scale/run.ts';
import { readOptions } from './seeded-random.ts';

readOptions(options);
if (process.getuid?.() !== 0) throw new Error('The scale test runs as root: it creates namespaces.');
const folder = mkdtempSync(join(tmpdir(), 'florin-scale-'));
chmodSync(folder, 0o711);
const programs = findPrograms(folder);
// The shell is the namespace's first process. It reaps the processes of killed nodes, which Node would not.
const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
const test = [process.execPath, join(import.meta.dirname, 'scale', 'run.ts'), ...process.argv.slice(2)];
const child = spawn('unshare', [...namespaces, 'sh', '-c', '"$@"; exit $?', 'sh', ...test], {
  env: { ...process.env, SCALE: JSON.stringify({ folder, programs }) },
  stdio: 'inherit',
});
const abort = () => child.kill('SIGKILL');
process.on('SIGINT', abort).on('SIGTERM', abort);
const [code] = await once(child, 'exit');
process.exitCode = code ?? 130;
if (code) console.log(`The logs are in ${folder}.`);
else rmSync(folder, { recursive: true, force: true });
