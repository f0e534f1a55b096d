// What the pages before the dashboard say of the deployment.
import { env } from '../../lib/config';

/** The deployment's host, and whether it is a sandbox. */
export function deploymentInfo(): { host: string; sandbox: boolean } {
  return { host: new URL(env.baseUrl).host, sandbox: env.appEnv === 'sandbox' };
}

/** The query of a page; a parameter that is there twice counts as absent. */
export type Query = Promise<Record<string, string | string[] | undefined>>;
