/** Registers and checks the hosts of Apple Pay and their verification files. */
import { z } from 'zod';
import { guardedClient } from '../../http/index.ts';
import { domainFileOf, domainsOf, removeDomain, saveDomain, saveDomainCheck } from '../../merchants/index.ts';
import { logAction } from '../changes.ts';
import { parseBody, refusal } from '../errors.ts';
import type { DashboardRequest } from '../guard.ts';
import { appleOf } from './apple.ts';
import { addressOf, walletOf, walletPage } from './view.ts';

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

const naming = z.object({ host });

/** Reads the body for the Apple wallet in the address, changes its domains, and returns the wallet. */
async function changeDomains<Input>(
  request: DashboardRequest,
  schema: z.ZodType<Input>,
  change: (id: string, input: Input, log: (action: string, entry: object) => Promise<void>) => Promise<unknown>,
) {
  const wallet = await walletOf(request);
  if (!wallet) return null;
  const { id, merchantId } = appleOf(wallet);
  const log = (action: string, entry: object) => logAction(request, action, `wallet:${id}`, { ...entry, merchantId });
  await change(id, parseBody(schema, request.body), log);
  return walletPage(request);
}

/** Stores the file of a host; it is served from now on. */
export const saveDomainAction = (request: DashboardRequest) =>
  changeDomains(request, saving, async (id, { host, file }, log) => {
    const known = await domainsOf(id);
    if (known.length >= domainsMax && !known.some((domain) => domain.host === host)) {
      throw refusal(`A wallet has at most ${domainsMax} domains.`);
    }
    await log('wallet.domain', { after: { host, fileBytes: Buffer.byteLength(file) } });
    await saveDomain(id, host, file, request.now);
  });

/** Removes a host; its file is no longer served. */
export const removeDomainAction = (request: DashboardRequest) =>
  changeDomains(request, naming, async (id, { host }, log) => {
    await log('wallet.domain_remove', { before: { host } });
    await removeDomain(id, host);
  });

/** Requests the file as Apple does, and stores the result. */
export const checkDomainAction = (request: DashboardRequest) =>
  changeDomains(request, naming, async (id, { host }) => {
    const file = await domainFileOf(id, host);
    if (file === null) throw refusal('The domain was removed already.');
    const served = await guardedClient().download(addressOf(host), fileBytesMax, fetchSeconds);
    await saveDomainCheck(id, host, domainError(served, file), request.now);
  });

function domainError(served: Uint8Array | null, file: string): string | null {
  if (served === null) return 'No file was found. The host must resolve to this deployment, without a redirect.';
  const same = Buffer.from(served).toString('utf8').trim() === file.trim();
  return same ? null : 'A different file is served: from a later upload for the same host, or from another server.';
}
