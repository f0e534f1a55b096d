// Deployment data of the pages before the sign-in.
import { env } from '../../lib/config';

/** The deployment's host, and whether it is a sandbox. */
export function deploymentInfo(): { host: string; sandbox: boolean } {
  return { host: new URL(env.baseUrl).host, sandbox: env.appEnv === 'sandbox' };
}

/** The query of a page; a repeated parameter counts as absent. */
export type Query = Promise<Record<string, string | string[] | undefined>>;
