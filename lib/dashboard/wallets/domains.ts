/** Registers and checks the hosts of Apple Pay and their verification files. */
import { z } from 'zod';
import { audit } from '../../auth';
import { guardedClient } from '../../http';
import { domainFileOf, domainsOf, removeDomain, saveDomain, saveDomainCheck } from '../../merchants';
import { DashboardError } from '../errors';
import type { DashboardRequest } from '../guard';
import { parseBody } from '../parse-body';
import { currentWalletView, walletAuditEntry, walletOf } from './actions';
import { appleOf } from './apple';
import type { WalletView } from './contract';
import { addressOf } from './view';

const fileBytesMax = 16 * 1024;
const fetchSeconds = 5;
const domainsMax = 20;

const host = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
    'Enter a hostname such as pay.example.com.',
  );

const saving = z.object({
  host,
  file: z
    .string()
    .min(1, "Choose the file from Apple's account.")
    .refine((text) => Buffer.byteLength(text) <= fileBytesMax, "The file is larger than 16 KB; Apple's has about 9 KB.")
    // Apple's file is a signature in hex; any accepted file is harmless text.
    .regex(/^[\x20-\x7e\r\n]*$/, 'The file contains characters that Apple does not use.'),
});

/** Stores the file of a host; it is served from now on. */
export async function saveDomainAction(request: DashboardRequest): Promise<WalletView | null> {
  const wallet = await walletOf(request);
  if (!wallet) return null;
  const { id } = appleOf(wallet);
  const { host, file } = parseBody(saving, request.body);
  const known = await domainsOf(id);
  if (known.length >= domainsMax && !known.some((domain) => domain.host === host)) {
    throw new DashboardError(409, `A wallet has at most ${domainsMax} domains.`);
  }
  const after = { host, fileBytes: Buffer.byteLength(file) };
  await audit({ ...walletAuditEntry(request, wallet), action: 'wallet.domain', after }, request.now);
  await saveDomain(id, host, file, request.now);
  return currentWalletView(request, id);
}

const naming = z.object({ host });

/** Removes a host; its file is no longer served. */
export async function removeDomainAction(request: DashboardRequest): Promise<WalletView | null> {
  const wallet = await walletOf(request);
  if (!wallet) return null;
  const { id } = appleOf(wallet);
  const { host } = parseBody(naming, request.body);
  await audit({ ...walletAuditEntry(request, wallet), action: 'wallet.domain_remove', before: { host } }, request.now);
  await removeDomain(id, host);
  return currentWalletView(request, id);
}

/** Requests the file as Apple does, and stores the result. */
export async function checkDomainAction(request: DashboardRequest): Promise<WalletView | null> {
  const wallet = await walletOf(request);
  if (!wallet) return null;
  const { id } = appleOf(wallet);
  const { host } = parseBody(naming, request.body);
  const file = await domainFileOf(id, host);
  if (file === null) throw new DashboardError(409, 'The domain was removed already.');
  const served = await guardedClient().download(addressOf(host), fileBytesMax, fetchSeconds);
  await saveDomainCheck(id, host, domainError(served, file), request.now);
  return currentWalletView(request, id);
}

function domainError(served: Uint8Array | null, file: string): string | null {
  if (served === null) return 'No file was found. The host must resolve to this deployment, without a redirect.';
  const same = Buffer.from(served).toString('utf8').trim() === file.trim();
  return same ? null : 'A different file is served: from a later upload for the same host, or from another server.';
}
