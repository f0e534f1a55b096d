/**
 * The one instance of better-auth: users with email and password, and sessions in the database. None of its routes is
 * mounted; the functions of this folder are its only callers, so that no address of the library is reachable.
 */
import { v7 } from 'uuid';
import { dashboardBaseUrl, env } from '../config/index.ts';
import { rememberLast } from '../core/remember.ts';
import { prisma } from '../db/index.ts';
import { cookieName } from '../http/index.ts';
import { log } from '../telemetry/index.ts';
import { sessionSecret } from '../vault/index.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { sessionStart } from './session-start.ts';
import { secondStepSeconds, sessionSeconds } from './time-limits.ts';

export const passwordLength = { least: 12, most: 128 };

/** The base URL for better-auth; only this folder sends requests to it. */
export const authPath = '/dashboard/auth';
/** The header that passes the client IP to the library. */
export const addressHeader = 'x-florin-peer';

const made = rememberLast<ReturnType<typeof makeAuth>>(1);

/**
 * The instance, created at first use: a build has no settings, and a server that only takes payments needs none. After a
 * failure, as without a database, the next use tries again.
 */
export const auth = (): ReturnType<typeof makeAuth> => made('auth', makeAuth);

async function makeAuth() {
  const [{ betterAuth }, { prismaAdapter }, { twoFactor }, startPlugin] = await Promise.all([
    import('better-auth/minimal'),
    import('better-auth/adapters/prisma'),
    import('better-auth/plugins/two-factor'),
    sessionStart(),
  ]);
  return betterAuth({
    appName: 'Florin',
    baseURL: dashboardBaseUrl(),
    basePath: authPath,
    secret: (await sessionSecret()).toString('base64'),
    telemetry: { enabled: false },
    logger: { level: 'error', log: (_level, message) => log.error(`sign-in: ${message}`) },
    database: prismaAdapter(prisma(), { provider: 'postgresql' }),
    user: {
      modelName: 'user',
      additionalFields: {
        role: { type: 'string', required: true, input: false },
        merchantId: { type: 'string', required: false, input: false },
        disabledAt: { type: 'date', required: false, input: false },
        devicesSince: { type: 'date', required: false, input: false },
      },
    },
    session: {
      modelName: 'userSession',
      expiresIn: sessionSeconds,
      disableSessionRefresh: true,
      additionalFields: {
        confirmedAt: { type: 'date', required: false, input: false },
        usedAt: { type: 'date', required: true, input: false },
      },
    },
    databaseHooks: { session: { create: { before: prepareSession } } },
    account: { modelName: 'userAccount' },
    verification: { modelName: 'userVerification' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: passwordLength.least,
      maxPasswordLength: passwordLength.most,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    plugins: [
      twoFactor({
        issuer: 'Florin',
        twoFactorCookieMaxAge: secondStepSeconds,
        schema: { twoFactor: { modelName: 'userTwoFactor' } },
        // Codes are checked by second-factor.ts.
        totpOptions: { disable: true },
      }),
      startPlugin,
    ],
    rateLimit: {
      enabled: true,
      storage: 'database',
      modelName: 'signInRate',
      customRules: {
        // A whole office can share one IP; the account lock stops a guessing machine first.
        '/sign-in/email': { window: 20, max: 30 },
        // Called without an address, so that all users would share one limit.
        '/sign-out': false,
      },
    },
    advanced: {
      // The library's own prefix for https is `__Secure-`, which other hosts of the domain can set too.
      cookiePrefix: cookieName('florin-dashboard'),
      useSecureCookies: false,
      defaultCookieAttributes: { path: '/', sameSite: 'lax', httpOnly: true, secure: env.baseUrl.startsWith('https:') },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: () => v7() },
    },
  });
}

// A deactivated user cannot start a session by any path; a new session counts as a fresh proof of identity.
async function prepareSession<Session extends { userId: string }>(session: Session) {
  const person = await prisma().user.findUnique({ where: { id: session.userId }, select: { disabledAt: true } });
  const at = new Date();
  return person?.disabledAt === null ? { data: { ...session, confirmedAt: at, usedAt: at } } : false;
}
