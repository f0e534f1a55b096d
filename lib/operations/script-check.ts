/**
 * Checks the scripts for payers' browsers: the process requests every script of the inventory in every encoding, and
 * the documents that load them, from itself and compares each with the inventory. A mismatch causes a log line that
 * begins with ALERT, a metric and an error in /readyz. `npm run florin -- inventory --check` checks the path between
 * the process and the browser from outside.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from '../config/index.ts';
import { processWide } from '../core/process-wide.ts';
import {
  type Inventory,
  integrityOf,
  inventoryOf,
  pageMismatches,
  type ScriptManifest,
} from '../core/script-inventory.ts';
import { log, metrics } from '../telemetry/index.ts';

const firstMilliseconds = 500;
const everyMilliseconds = 5 * 60_000;
const timeoutMilliseconds = 10_000;
/** Two checks in a row have failed. */
const missedMinutes = 11;

/** Pages that need no payment: the document of payment pages and a frame of hosted fields. */
const pages = ['/pay/self-check', '/fields/card'];
const encodings = ['identity', 'gzip', 'br'];

const scriptState = processWide('scripts', () => ({
  faults: null as string[] | null,
  scripts: 0,
  at: performance.now(),
}));

/** Checks the scripts that this process serves at `origin` periodically until the returned function is called. */
export function watchScripts(root: string, origin: string): () => void {
  // Read once on start, as are the served files.
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

/** Returns the text for /readyz; throws an error that lists the mismatches. */
export async function scriptsReady(): Promise<string | undefined> {
  const minutes = Math.floor((performance.now() - scriptState.at) / 60_000);
  if (minutes > missedMinutes) throw new Error(`not checked for ${minutes} minutes`);
  if (scriptState.faults === null) return 'not checked by this process yet';
  if (scriptState.faults.length > 0) throw new Error(scriptState.faults.join('; ').slice(0, 500));
  return `${scriptState.scripts} as approved`;
}

function readInventory(root: string): Inventory {
  const text = readFileSync(join(root, 'public', 'sdk', 'manifest.json'), 'utf8');
  return inventoryOf(JSON.parse(text) as ScriptManifest);
}

async function checkScripts(origin: string, inventory: Inventory): Promise<void> {
  const mismatches: string[] = [];
  const approved = env.scriptsApproved;
  if (approved !== null && approved !== inventory.digest) mismatches.push('the inventory is not the approved one');
  for (const { path, integrity } of inventory.scripts) {
    for (const encoding of encodings) {
      const response = await fetchPage(origin + path, { 'accept-encoding': encoding });
      const served = response.ok ? await integrityServed(response) : `${response.status}`;
      if (served !== integrity) mismatches.push(`${path} (${encoding}) is not what was built`);
    }
  }
  for (const page of pages) {
    const response = await fetchPage(origin + page, {});
    const policy = response.headers.get('content-security-policy');
    mismatches.push(...pageMismatches(await response.text(), policy, inventory).map((error) => `${page}: ${error}`));
  }
  if (mismatches.length > 0)
    log.error({ faults: mismatches }, 'ALERT: what payers are served differs from the inventory of scripts');
  metrics.scriptMismatches.set(mismatches.length);
  Object.assign(scriptState, { faults: mismatches, scripts: inventory.scripts.length, at: performance.now() });
}

// A malformed encoding is a mismatch, not an error of the check.
async function integrityServed(response: Response): Promise<string> {
  const bytes = await response.arrayBuffer().catch(() => null);
  return bytes === null ? 'unreadable' : integrityOf(new Uint8Array(bytes));
}

function fetchPage(url: string, headers: Record<string, string>): Promise<Response> {
  return fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMilliseconds) });
}
