// The settings of nightly exports: the bucket that gets them.
import type { Reader } from './reader.ts';
import { isOwnHost, isSecure, parseWebAddress, urlOf } from './web-addresses.ts';

/** The bucket of an S3-compatible store; its credentials are those of the AWS SDK (AWS_ACCESS_KEY_ID, or a role). */
export function exportSettings({ matching, optional, take }: Pick<Reader, 'matching' | 'optional' | 'take'>) {
  return {
    /** `null`: exports are sent as links by e-mail only. */
    exportBucket: matching('EXPORT_BUCKET', 'the name of a bucket', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
    /** Before the names of the files, such as `florin/`. */
    exportPrefix: take('EXPORT_PREFIX', '', 'letters, digits, /, - and _', (text) =>
      /^[\w/-]{0,200}$/.test(text) ? text : undefined,
    ),
    exportRegion: take('AWS_REGION', 'us-east-1', 'a region such as eu-central-1', (text) =>
      /^[a-z0-9-]{2,40}$/.test(text) ? text : undefined,
    ),
    /** The address of a store other than AWS S3. */
    exportEndpoint: optional('AWS_ENDPOINT_URL_S3', 'an http or https address', parseWebAddress),
  };
}

/** An address that production does not allow: files of payments would be sent without encryption. */
export function exportProblems({
  appEnv,
  exportEndpoint,
}: { appEnv: string } & Pick<ReturnType<typeof exportSettings>, 'exportEndpoint'>): string[] {
  if (appEnv !== 'production' || exportEndpoint === null || isSecure(exportEndpoint)) return [];
  if (isOwnHost(urlOf(exportEndpoint, /^http:$/)?.hostname ?? '')) return [];
  return ['AWS_ENDPOINT_URL_S3 should begin with https:// in production, except on this machine.'];
}
