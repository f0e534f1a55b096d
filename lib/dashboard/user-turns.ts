/** What one user has of a process at a time: a few reads of the dashboard, whose further ones wait, and files in transfer. */
import { processWide } from '../core/process-wide.ts';
import { inTurn, newTurns, type Turns } from '../core/turns.ts';

/** A page sends about six requests, of which most end at once. */
const readsMax = 4;

const users = processWide('dashboardTurns', () => new Map<string, Turns>());

/** Reads for a user in their turn. Throws the error `tooBusy` if it does not come in time. */
export async function inUserTurn<T>(userId: string, read: () => Promise<T>): Promise<T> {
  const turns = users.get(userId) ?? newTurns();
  users.set(userId, turns);
  try {
    return await inTurn(turns, readsMax, read);
  } finally {
    if (turns.running === 0) users.delete(userId);
  }
}

/** A page of a file takes memory until its reader has it, who may be slow: up to 3 MB of the audit log. */
const exportsMax = { user: 4, merchant: 8, process: 20 };

/** `merchantId`: null for users of all merchants, who share the places of one. */
type Exporter = { id: string; merchantId: string | null };

const exporting = processWide('dashboardExports', () => new Set<Exporter>());

/** Takes a place for a file of a user; returns what gives it back. Null while too many are in transfer. */
export function takeExportPlace({ id, merchantId }: Exporter): (() => void) | null {
  const ofMerchant = [...exporting].filter((each) => each.merchantId === merchantId);
  const own = ofMerchant.filter((each) => each.id === id).length;
  if (own >= exportsMax.user || ofMerchant.length >= exportsMax.merchant) return null;
  if (exporting.size >= exportsMax.process) return null;
  const place = { id, merchantId };
  exporting.add(place);
  return () => {
    exporting.delete(place);
  };
}
