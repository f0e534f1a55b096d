/** Starts the session of a user whom a passkey has proved, with better-auth's own functions for sessions and cookies. */
import { z } from 'zod';

const startForm = z.object({
  userId: z.string(),
  /** The passkey is the second step of a sign-in: that of the request's cookie, which ends. */
  pending: z.boolean(),
});

/** An endpoint of better-auth for calls by this folder; it has no address. */
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
    },
  };
}
