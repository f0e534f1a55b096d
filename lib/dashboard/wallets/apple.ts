/** Certificates and domains of Apple Pay. A private key, generated or uploaded, is encrypted and never returned. */

import { z } from 'zod';
import type { AuditAction } from '../../auth/index.ts';
import { guardedClient, type HttpResult, httpResult } from '../../http/index.ts';
import {
  type AppleSettings,
  type AppleWallet,
  type DecryptedWallet,
  domainsOf,
  findDomainFile,
  isAcceptedByApple,
  type PendingRequest,
  removeDomain,
  saveDomain,
  saveDomainCheck,
} from '../../merchants/index.ts';
import {
  type CertificateInfo,
  certificateInfo,
  certificateMatchesKey,
  certificateRequest,
  makePrivateKey,
  merchantHashOf,
  type Pkcs12Error,
  readApplePayKey,
  readCertificateFile,
  readPkcs12,
  readPrivateKeyFile,
} from '../../wallets/index.ts';
import { logAction } from '../changes.ts';
import { existing, invalid, parseBody, refusal } from '../errors.ts';
import type { DashboardRequest } from '../guard.ts';
import { changeWallet, keyIn, versionForm } from './actions.ts';
import { addressOf, pageHost, walletOf, walletPage } from './view.ts';

/** The maximum number of certificates during a rotation. */
const processingMax = 4;

const slot = z.enum(['processing', 'identity']);

const requesting = versionForm.extend({ slot, kind: z.enum(['EC', 'RSA']) });

/** Generates a key pair and its certificate signing request, which replace earlier ones of the same kind. */
export function requestAction(request: DashboardRequest) {
  const { slot, kind } = parseBody(requesting, request.body);
  return changeWallet(request, `wallet.request_${slot}`, async (wallet) => {
    const { pending, settings, merchantName } = appleOf(wallet);
    if (slot === 'identity' && kind === 'EC') refuse('kind', 'Apple issues identity certificates for RSA keys only.');
    const key = await makePrivateKey(kind);
    const subject = { commonName: settings.merchantIdentifier, organisation: merchantName };
    const made: PendingRequest = {
      kind,
      privateKey: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
      request: certificateRequest(key, subject),
      madeAt: request.now.toISOString(),
    };
    return { pending: { ...pending, [slot]: made } };
  });
}

/** The CSR as a file for Apple. */
export async function requestFile(request: DashboardRequest): Promise<HttpResult> {
  const wallet = await walletOf(request);
  const named = slot.safeParse(request.params.slot);
  const made = existing(wallet?.kind === 'applepay' && named.success ? wallet.pending[named.data] : undefined);
  return httpResult(made.request, {
    headers: {
      'content-type': 'application/pkcs10',
      'content-disposition': `attachment; filename="${named.data}.certSigningRequest"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}

const base64 = z
  .string()
  .max(64 * 1024, 'The file is too large for a certificate or a key.')
  .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'The file is incomplete. Upload it again.');

const uploading = versionForm.extend({
  slot,
  /** The files in Base64. */
  certificate: base64.min(1, 'Choose the certificate.'),
  privateKey: base64.optional(),
  password: z.string().max(256).optional(),
  /** The provider decrypts the tokens and has the private key. */
  elsewhere: z.boolean().optional(),
});

type Upload = z.infer<typeof uploading>;

/** Stores a certificate and, unless it was requested here, its private key. */
export function certificateAction(request: DashboardRequest) {
  const upload = parseBody(uploading, request.body);
  return changeWallet(request, `wallet.certificate_${upload.slot}`, async (wallet) => {
    const apple = appleOf(wallet);
    const read = await readUpload(upload, apple.pending[upload.slot]);
    const facts = certificateInfo(read.certificate) ?? refuse('certificate', 'The certificate cannot be read.');
    if (Date.parse(facts.validTo) <= request.now.getTime()) {
      refuse('certificate', `The certificate expired on ${facts.validTo.slice(0, 10)}. Request a new one from Apple.`);
    }
    const settings =
      upload.slot === 'processing'
        ? withProcessing(apple, { ...read, facts }, upload.elsewhere ?? false)
        : withIdentity(apple, { ...read, facts });
    const { [upload.slot]: _answered, ...pending } = apple.pending;
    return { settings, ...(read.wasRequested && { pending }) };
  });
}

type Read = { certificate: string; privateKey: string | null; wasRequested: boolean };

async function readUpload(upload: Upload, request: PendingRequest | undefined): Promise<Read> {
  const file = Buffer.from(upload.certificate, 'base64');
  const certificate = readCertificateFile(file);
  if (certificate === null) {
    const pair = await readPkcs12(file, upload.password ?? '');
    return { ...(typeof pair === 'string' ? refuse(...p12Errors[pair]) : pair), wasRequested: false };
  }
  if (upload.privateKey) {
    const privateKey =
      readPrivateKeyFile(Buffer.from(upload.privateKey, 'base64')) ??
      refuse('privateKey', 'The file is not a private key without a password, in PEM or DER.');
    if (!certificateMatchesKey(certificate, privateKey)) {
      refuse('privateKey', 'The private key does not belong to the certificate.');
    }
    return { certificate, privateKey, wasRequested: false };
  }
  if (request && certificateMatchesKey(certificate, request.privateKey)) {
    return { certificate, privateKey: request.privateKey, wasRequested: true };
  }
  return { certificate, privateKey: null, wasRequested: false };
}

const p12Errors: Record<Pkcs12Error, [field: string, message: string]> = {
  form: ['certificate', 'The file is neither a certificate (DER or PEM) nor a P12 file.'],
  password: ['password', 'The password of the P12 file is wrong.'],
  cipher: [
    'certificate',
    'The encryption of the P12 file is not supported. Upload the key and the certificate in PEM.',
  ],
  pair: ['certificate', 'The P12 file does not contain a private key with its certificate.'],
};

type Candidate = Read & { facts: CertificateInfo };

const noKey = (request: PendingRequest | undefined) =>
  request
    ? `The certificate does not match the CSR of ${request.madeAt.slice(0, 10)}. Upload the one that Apple issued for it, or add its private key.`
    : 'Add the private key: no CSR was generated here.';

function withProcessing(wallet: AppleWallet, candidate: Candidate, elsewhere: boolean): AppleSettings {
  const { certificate, privateKey, facts } = candidate;
  const { settings, pending } = wallet;
  if (facts.merchantHash === null) {
    refuse(
      'certificate',
      "This is not a payment processing certificate: Apple's extension 1.2.840.113635.100.6.32 is missing.",
    );
  }
  if (facts.merchantHash !== merchantHashOf(settings.merchantIdentifier)) {
    const other = facts.merchantIdentifier ?? 'another merchant identifier';
    refuse('certificate', `The certificate is for ${other}, but this wallet is ${settings.merchantIdentifier}.`);
  }
  if (privateKey === null && !elsewhere) refuse('certificate', noKey(pending.processing));
  if (privateKey !== null) keyIn('certificate', () => readApplePayKey({ certificate, privateKey }));
  const others = settings.processingKeys.filter(
    (key) => certificateInfo(key.certificate)?.fingerprint !== facts.fingerprint,
  );
  if (others.length >= processingMax) {
    refuse('certificate', `There are ${processingMax} certificates already. Remove an expired one.`);
  }
  const processingKeys = [...others, { certificate, ...(privateKey !== null && { privateKey }) }];
  return { ...settings, processingKeys };
}

function withIdentity(wallet: AppleWallet, candidate: Candidate): AppleSettings {
  const { certificate, privateKey, facts } = candidate;
  const { settings, pending } = wallet;
  if (facts.merchantIdentifier !== null && facts.merchantIdentifier !== settings.merchantIdentifier) {
    const own = settings.merchantIdentifier;
    refuse('certificate', `The certificate is for ${facts.merchantIdentifier}, but this wallet is ${own}.`);
  }
  if (privateKey === null) return refuse('certificate', noKey(pending.identity));
  return { ...settings, merchantIdentity: { certificate, privateKey } };
}

const removing = versionForm.extend({ slot, fingerprint: z.string().regex(/^[0-9a-f]{64}$/) });

/** Deletes a certificate with its private key. */
export function removeCertificateAction(request: DashboardRequest) {
  const { slot, fingerprint } = parseBody(removing, request.body);
  return changeWallet(request, `wallet.remove_${slot}`, (wallet) => {
    const { settings } = appleOf(wallet);
    const changed = remaining(settings, slot, fingerprint);
    if (!changed) throw refusal('The certificate was removed already.');
    return { settings: changed };
  });
}

function remaining(settings: AppleSettings, slot: Upload['slot'], fingerprint: string): AppleSettings | null {
  const isIt = ({ certificate }: { certificate: string }) => certificateInfo(certificate)?.fingerprint === fingerprint;
  if (slot === 'identity') {
    const { merchantIdentity, ...rest } = settings;
    return merchantIdentity && isIt(merchantIdentity) ? rest : null;
  }
  const stored = settings.processingKeys.filter((key) => !isIt(key));
  return stored.length < settings.processingKeys.length ? { ...settings, processingKeys: stored } : null;
}

/** Requests a session from Apple, as a payment page does. */
export async function validationAction(request: DashboardRequest) {
  const wallet = await walletOf(request);
  const { settings } = appleOf(wallet);
  if (!settings.merchantIdentity) throw refusal('A test requires the identity certificate. Upload it first.');
  const host = pageHost();
  await logAction(request, 'wallet.check', `wallet:${wallet.id}`, { after: { host }, merchantId: wallet.merchantId });
  const error = `Apple did not create a session. Check that the identity certificate is current and that ${host} is registered for ${settings.merchantIdentifier}.`;
  return { host, fault: (await isAcceptedByApple(settings, host)) ? null : error };
}

/** An Apple wallet; requests that apply only to Apple are refused for others. */
export function appleOf(wallet: DecryptedWallet): AppleWallet {
  if (wallet.kind !== 'applepay') throw refusal('Only Apple Pay has certificates and domains.');
  return wallet;
}

function refuse(field: string, message: string): never {
  throw invalid({ [field]: message }, message);
}

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
  change: (id: string, input: Input, log: (action: AuditAction, entry: object) => Promise<void>) => Promise<unknown>,
) {
  const wallet = await walletOf(request);
  const { id, merchantId } = appleOf(wallet);
  const log = (action: AuditAction, entry: object) =>
    logAction(request, action, `wallet:${id}`, { ...entry, merchantId });
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
  changeDomains(request, naming, async (id, { host }, log) => {
    const file = await findDomainFile(host, id);
    if (file === null) throw refusal('The domain was removed already.');
    await log('wallet.domain_check', { after: { host } });
    const served = await guardedClient().download(addressOf(host), fileBytesMax, fetchSeconds);
    await saveDomainCheck(id, host, domainError(served, file), request.now);
  });

function domainError(served: Uint8Array | null, file: string): string | null {
  if (served === null) return 'No file was found. The host must resolve to this deployment, without a redirect.';
  const same = Buffer.from(served).toString('utf8').trim() === file.trim();
  return same ? null : 'A different file is served: from a later upload for the same host, or from another server.';
}
