/**
 * The self-check of what payers' browsers are served: this process asks itself for every script of the inventory, in every
 * encoding, and for the documents that load them, as a browser does, and holds each against the inventory. It tells of a
 * difference by a line that begins with ALERT, a figure, and /readyz. What lies between this process and the browser is
 * checked from outside: npm run scripts:inventory -- --check.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from '../config';
import {
  type Inventory,
  integrityOf,
  inventoryOf,
  pageMismatches,
  type ScriptManifest,
} from '../core/script-inventory';
import { log, metrics } from '../telemetry';

const firstMilliseconds = 500;
const everyMilliseconds = 5 * 60_000;
const patienceMilliseconds = 10_000;

/** Pages that need no payment: the document around every payment page, and a frame of hosted fields. */
const pages = ['/pay/self-check', '/fields/card'];
const encodings = ['identity', 'gzip', 'br'];

// The bundle of the server and those of Next tell one readyz.
const scriptStateKey = Symbol.for('florin.scripts');
const holder = globalThis as { [scriptStateKey]?: { faults: string[] | null; scripts: number } };
holder[scriptStateKey] ??= { faults: null, scripts: 0 };
const scriptState = holder[scriptStateKey];

/** Checks now and then until the returned function is called. */
export function watchScripts(root: string, port: number): () => void {
  const origin = `http://127.0.0.1:${port}`;
  // Once, as the files are: whoever changes both afterwards changes nothing that is served.
  const inventory = readInventory(root);
  const check = () =>
    checkScripts(origin, inventory).catch((err: unknown) => {
      log.warn({ err }, 'the scripts of payers could not be checked');
    });
  const first = setTimeout(check, firstMilliseconds).unref();
  const timer = setInterval(check, everyMilliseconds).unref();
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}

/** What /readyz says: throws naming what differs. */
export async function scriptsReady(): Promise<string | undefined> {
  if (scriptState.faults === null) return 'not checked by this process yet';
  if (scriptState.faults.length > 0) throw new Error(scriptState.faults.join('; ').slice(0, 500));
  return `${scriptState.scripts} as approved`;
}

function readInventory(root: string): Inventory {
  const text = readFileSync(join(root, 'public', 'sdk', 'manifest.json'), 'utf8');
  return inventoryOf(JSON.parse(text) as ScriptManifest);
}

async function checkScripts(origin: string, inventory: Inventory): Promise<void> {
  const faults: string[] = [];
  const approved = env.scriptsApproved;
  if (approved !== null && approved !== inventory.digest) faults.push('the inventory is not the approved one');
  for (const { path, integrity } of inventory.scripts) {
    for (const encoding of encodings) {
      const answer = await fetchPage(origin + path, { 'accept-encoding': encoding });
      const served = answer.ok ? await integrityServed(answer) : `${answer.status}`;
      if (served !== integrity) faults.push(`${path} (${encoding}) is not what was built`);
    }
  }
  for (const page of pages) {
    const answer = await fetchPage(origin + page, {});
    const policy = answer.headers.get('content-security-policy');
    faults.push(...pageMismatches(await answer.text(), policy, inventory).map((fault) => `${page}: ${fault}`));
  }
  if (faults.length > 0) log.error({ faults }, 'ALERT: what payers are served differs from the inventory of scripts');
  metrics.scriptMismatches.set(faults.length);
  Object.assign(scriptState, { faults, scripts: inventory.scripts.length });
}

// An encoding that nobody can read is a difference too, not a fault of the check.
async function integrityServed(answer: Response): Promise<string> {
  const bytes = await answer.arrayBuffer().catch(() => null);
  return bytes === null ? 'unreadable' : integrityOf(new Uint8Array(bytes));
}

function fetchPage(url: string, headers: Record<string, string>): Promise<Response> {
  return fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(patienceMilliseconds) });
}
