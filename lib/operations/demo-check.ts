/**
 * Production refuses the demo merchant and the demo users of a sandbox: the key's password was published, and that of the
 * users was printed. docs/operations/install.md has the statements that end their access.
 */
import { env } from '../config/index.ts';
import { demoEmails, demoMerchant } from '../core/demo-merchant.ts';
import { statement } from '../db/index.ts';
import { log } from '../telemetry/index.ts';

const againMilliseconds = 5_000;

const demoAccess = statement<{ key: string; emails: readonly string[] }, { name: string }>(
  'demo-access',
  `
select 'the key ' || key as name from merchant_keys where key = :key::text and (valid_until is null or valid_until > now())
union all
select email from users where email = any(:emails::text[]) and disabled_at is null`,
);

/** The reason why a server does not start; its message is for the operator. */
export class DemoAccessError extends Error {
  constructor(names: string[]) {
    super(`This database was a sandbox's, and others know the passwords of ${names.join(', ')}.
Use another database for production, or end their access by the statements in docs/operations/install.md (step 2).`);
    this.name = 'DemoAccessError';
  }
}

/**
 * Throws a {@link DemoAccessError} in production if the demo merchant or a demo user has access. If the database does not
 * answer, the check is repeated while the server waits for it, and `refuse` gets the error.
 */
export async function refuseDemoAccess(refuse: (error: DemoAccessError) => void): Promise<void> {
  if (env.appEnv !== 'production') return;
  const found = await demoAccess({ key: demoMerchant.liveKey, emails: demoEmails }).catch((err: unknown) => {
    log.warn({ err }, 'the database could not be searched for the demo merchant and the demo users');
    return null;
  });
  if (found === null) setTimeout(() => refuseDemoAccess(refuse).catch(refuse), againMilliseconds).unref();
  else if (found.length > 0) throw new DemoAccessError(found.map(({ name }) => name));
}
