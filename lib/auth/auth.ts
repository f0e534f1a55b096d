/**
 * The one instance of better-auth: accounts with e-mail and password, sessions in the database. Nothing of it is mounted
 * as it is; the files of this folder are its only doors, so that no address of the library answers that we do not know.
 */
import { hkdfSync } from 'node:crypto';
import { v7 } from 'uuid';
import { env } from '../config';
import { prisma } from '../db';
import { log } from '../telemetry';
import { idleSeconds, renewSeconds, secondStepSeconds } from './limits';
import { newRecoveryCodes } from './recovery-codes';

export const passwordLength = { least: 12, most: 128 };

/** Where better-auth believes to be; requests to it are made by us alone. */
export const authPath = '/dashboard/auth';
/** The cookies of the dashboard are sent to the dashboard only, never to payers' pages of the same host. */
export const cookiePath = '/dashboard';
/** The header in which the settled address of the peer is handed over. */
export const addressHeader = 'x-florin-peer';

let making: ReturnType<typeof makeAuth> | undefined;

/** The instance, made at the first use: a build has no settings, and a server that takes payments starts without it. */
export function auth(): ReturnType<typeof makeAuth> {
  making ??= makeAuth();
  return making;
}

async function makeAuth() {
  const [{ betterAuth }, { prismaAdapter }, { twoFactor }] = await Promise.all([
    import('better-auth/minimal'),
    import('better-auth/adapters/prisma'),
    import('better-auth/plugins/two-factor'),
  ]);
  return betterAuth({
    appName: 'Florin',
    baseURL: env.baseUrl,
    basePath: authPath,
    secret: sessionSecret(),
    telemetry: { enabled: false },
    logger: { level: 'error', log: (_level, message) => log.error(`sign-in: ${message}`) },
    database: prismaAdapter(prisma(), { provider: 'postgresql' }),
    user: {
      modelName: 'user',
      additionalFields: {
        role: { type: 'string', required: true, input: false },
        merchantId: { type: 'string', required: false, input: false },
        disabledAt: { type: 'date', required: false, input: false },
      },
    },
    session: {
      modelName: 'userSession',
      expiresIn: idleSeconds,
      updateAge: renewSeconds,
      additionalFields: { confirmedAt: { type: 'date', required: false, input: false } },
    },
    databaseHooks: { session: { create: { before: prepareSession } } },
    account: { modelName: 'userAccount' },
    verification: { modelName: 'userVerification' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: passwordLength.least,
      maxPasswordLength: passwordLength.most,
    },
    plugins: [
      twoFactor({
        issuer: 'Florin',
        twoFactorCookieMaxAge: secondStepSeconds,
        schema: { twoFactor: { modelName: 'userTwoFactor' } },
        // The lock of lock.ts counts both steps together; a second one beside it would open at another time.
        accountLockout: { enabled: false },
        backupCodeOptions: { storeBackupCodes: 'encrypted', customBackupCodesGenerate: newRecoveryCodes },
      }),
    ],
    rateLimit: {
      enabled: true,
      storage: 'database',
      modelName: 'signInRate',
      // A whole office signs in through one address; a machine that guesses is stopped by the lock of the account first.
      customRules: { '/sign-in/email': { window: 20, max: 30 }, '/two-factor/*': { window: 20, max: 30 } },
    },
    advanced: {
      cookiePrefix: 'florin',
      useSecureCookies: env.baseUrl.startsWith('https:'),
      defaultCookieAttributes: { path: cookiePath, sameSite: 'lax', httpOnly: true },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: () => v7() },
    },
  });
}

// Nobody who was switched off begins a session, by whatever way; and whoever begins one has just proved who they are.
async function prepareSession<Session extends { userId: string }>(session: Session) {
  const person = await prisma().user.findUnique({ where: { id: session.userId }, select: { disabledAt: true } });
  return person?.disabledAt === null ? { data: { ...session, confirmedAt: new Date() } } : false;
}

// Session cookies are signed with a key of their own, so that nothing else that the vault's key protects depends on it.
function sessionSecret(): string {
  return Buffer.from(hkdfSync('sha256', env.vaultKey, 'florin', 'dashboard sessions', 32)).toString('base64');
}
