// The inventory of the scripts of payment pages, and its self-check: one changed byte of a served script raises an
// alert.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startKillableServer } from '../support/killable-server.ts';
import { expect, test } from '../support/test.ts';

const project = resolve(import.meta.dirname, '..', '..');

/** A project folder with its own scripts; everything else links to the project. */
function copyOfProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-copy-'));
  for (const name of readdirSync(project)) {
    if (name !== 'public') symlinkSync(join(project, name), join(folder, name));
  }
  cpSync(join(project, 'public'), join(folder, 'public'), { recursive: true });
  return folder;
}

function changeByte(file: string): void {
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

type Ready = { status: number; scripts: { ok: boolean; says: string } };

async function readyOf(url: string): Promise<Ready> {
  const headers = { authorization: `Bearer ${process.env.METRICS_TOKEN}` };
  const answer = await fetch(`${url}/readyz`, { headers });
  return { status: answer.status, scripts: (await answer.json()).checks.scripts };
}

const settings = { LOG_LEVEL: 'error', JOBS: 'off' };
const isChecked = async (url: string) => (await readyOf(url)).scripts.says !== 'not checked by this process yet';

/** Starts a server on a changed copy; returns its report on the scripts. */
async function reportOf(change: (sdk: string) => void, more: Record<string, string> = {}) {
  const folder = copyOfProject();
  change(join(folder, 'public', 'sdk'));
  const server = await startKillableServer({ ...settings, ...more }, folder);
  try {
    await expect.poll(() => isChecked(server.url)).toBe(true);
    const headers = { authorization: `Bearer ${process.env.METRICS_TOKEN}` };
    const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text();
    const mismatches = Number(/^florin_script_mismatches (\d+)/m.exec(metrics)?.[1]);
    return { ...(await readyOf(server.url)), output: server.output(), mismatches };
  } finally {
    await server.kill();
    rmSync(folder, { recursive: true });
  }
}

const fileLike = (sdk: string, name: RegExp) => join(sdk, readdirSync(sdk).find((each) => name.test(each)) ?? '');

test('the served scripts are those of the build, and their inventory is published', async ({ florin }) => {
  await expect.poll(() => isChecked(florin)).toBe(true);
  expect((await readyOf(florin)).scripts).toMatchObject({ ok: true, says: '6 as approved' });
  const inventory = await (await fetch(`${florin}/sdk/inventory.json`)).json();
  for (const { path, integrity, why, where } of inventory.scripts) {
    const bytes = Buffer.from(await (await fetch(florin + path)).arrayBuffer());
    expect(integrity, path).toBe(`sha384-${createHash('sha384').update(bytes).digest('base64')}`);
    expect(Math.min(why.length, where.length)).toBeGreaterThan(10);
  }
  const printed = execFileSync('npm', ['run', '--silent', 'florin', '--', 'inventory'], {
    cwd: project,
    encoding: 'utf8',
  });
  expect(printed).toContain(`SCRIPTS_APPROVED=${inventory.digest}`);
  const checked = execFileSync(process.execPath, ['scripts/florin.mjs', 'inventory', '--check', florin], {
    cwd: project,
    encoding: 'utf8',
  });
  expect(checked).toContain('6 scripts are as approved.');
});

for (const [what, name] of [
  ['the script of the payment page', /^pay\.\w+\.js$/],
  ["the frames' script as brotli", /^field\.\w+\.js\.br$/],
] as const) {
  test(`one changed byte of ${what} raises the alert`, async () => {
    const { status, scripts, output, mismatches } = await reportOf((sdk) => changeByte(fileLike(sdk, name)));
    expect([status, scripts.ok]).toEqual([503, false]);
    expect(scripts.says).toMatch(name.source.includes('pay') ? /\/sdk\/pay\.\w+\.js/ : /\/sdk\/field\.\w+\.js \(br\)/);
    expect(output).toContain('ALERT: what payers are served differs from the inventory of scripts');
    expect(mismatches).toBeGreaterThan(0);
  });
}

test('a script that was changed together with its manifest is not the approved one', async () => {
  const folder = join(project, 'public', 'sdk');
  const { digest } = JSON.parse(readFileSync(join(folder, 'inventory.json'), 'utf8'));
  const swap = (sdk: string) => {
    const file = fileLike(sdk, /^pay\.\w+\.js$/);
    for (const ending of ['.br', '.gz']) rmSync(`${file}${ending}`);
    writeFileSync(file, `${readFileSync(file, 'utf8')};steal()`);
    const manifest = JSON.parse(readFileSync(join(sdk, 'manifest.json'), 'utf8'));
    manifest['pay.js'].integrity = `sha384-${createHash('sha384').update(readFileSync(file)).digest('base64')}`;
    writeFileSync(join(sdk, 'manifest.json'), JSON.stringify(manifest));
  };
  const accepted = await reportOf(swap);
  expect(accepted.scripts.ok).toBe(true);
  const rejected = await reportOf(swap, { SCRIPTS_APPROVED: digest });
  expect(rejected.scripts).toMatchObject({ ok: false, says: 'the inventory is not the approved one' });
});
