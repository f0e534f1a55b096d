/** Starts the session of a user who was proved here, and renews tokens, with better-auth's functions for cookies. */
import { z } from 'zod';
import { prisma } from '../db/index.ts';
import { newToken } from './one-time-links.ts';

const startForm = z.object({
  userId: z.string(),
  /** The user completes the pending sign-in of the request's cookie, which ends. */
  pending: z.boolean(),
});

const renewalForm = z.object({ id: z.uuid(), token: z.string() });

/** Endpoints of better-auth for calls by this folder; they have no address. */
export async function sessionStart() {
  const [{ createAuthEndpoint }, { expireCookie, setSessionCookie }] = await Promise.all([
    import('better-auth/api'),
    import('better-auth/cookies'),
  ]);
  return {
    id: 'session-start',
    endpoints: {
      /** Whether the session was started: not for a deactivated user, and not without the pending sign-in. */
      startSession: createAuthEndpoint.serverOnly({ method: 'POST', body: startForm }, async (ctx) => {
        const { internalAdapter, createAuthCookie, secret } = ctx.context;
        const { userId, pending } = ctx.body;
        if (pending) {
          const cookie = createAuthCookie('two_factor');
          const identifier = await ctx.getSignedCookie(cookie.name, secret);
          const step = identifier ? await internalAdapter.consumeVerificationValue(identifier) : null;
          if (step?.value !== userId) return false;
          expireCookie(ctx, cookie);
        }
        const session = await internalAdapter.createSession(userId);
        const user = session ? await internalAdapter.findUserById(userId) : null;
        if (!user) return false;
        await setSessionCookie(ctx, { session, user });
        return true;
      }),
      /** Replaces the token of a session whose user has just proved their identity; of two at once the first does. */
      renewSession: createAuthEndpoint.serverOnly({ method: 'POST', body: renewalForm }, async (ctx) => {
        const [token, at] = [newToken(), new Date()];
        const data = { token, confirmedAt: at, usedAt: at };
        const { count } = await prisma().userSession.updateMany({
          where: { ...ctx.body, expiresAt: { gt: at } },
          data,
        });
        const renewed = count > 0 ? await ctx.context.internalAdapter.findSession(token) : null;
        if (renewed) await setSessionCookie(ctx, renewed);
      }),
    },
  };
}
