// Addresses that a request brings: where the payer comes back to, and where callbacks go.
import { appSchemeOf } from '../../core/app-schemes';
import { fieldErrorTexts, throwFieldErrors } from '../../core/errors';
import { guardedClient } from '../../http';
import type { KnownCaller } from '../pipeline/handle';

/** Refuses a return address with an app's scheme that the merchant has not listed. */
export function checkReturnUrls({ merchant }: KnownCaller, addresses: { [path: string]: string | undefined }): void {
  const fieldErrors = Object.entries(addresses).filter(([, address]) => {
    const scheme = address === undefined ? null : appSchemeOf(address);
    return scheme !== null && !merchant.appSchemes.includes(scheme);
  });
  if (fieldErrors.length > 0) throwFieldErrors(fieldErrors.map(([path]) => ({ path, text: fieldErrorTexts.notUrl })));
}

/** Rejects an unreachable address. The text is the same for every reason, so that requests cannot probe the network. */
export async function checkReachable(url: string, path = 'notification_url'): Promise<void> {
  if (!(await guardedClient().reachable(url))) throwFieldErrors([{ path, text: fieldErrorTexts.notUrl }]);
}
