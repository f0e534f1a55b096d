/** What a user signs in with, to notice that it has changed while a sign-in was under way. */
import { prisma } from '../db/index.ts';

/** The password, the second factor and the passkeys of a user, as a text to compare; null for an unknown one. */
export async function credentialsOf(user: { id: string } | { email: string }): Promise<string | null> {
  const found = await prisma().user.findUnique({
    where: user,
    select: {
      disabledAt: true,
      twoFactorEnabled: true,
      accounts: { select: { password: true }, orderBy: { id: 'asc' } },
      twoFactor: { select: { secret: true, verified: true } },
      passkeys: { select: { id: true }, orderBy: { id: 'asc' } },
    },
  });
  return found && JSON.stringify(found);
}
