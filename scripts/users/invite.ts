// The work of `npm run florin -- user invite`, on the process's settings.
import { z } from 'zod';
import {
  audit,
  createInvitation,
  invitationDays,
  invitationUrl,
  isEmailTaken,
  type Role,
  roleNames,
  seesEveryMerchant,
} from '../../lib/auth/index.ts';
import { now } from '../../lib/db/clock.ts';
import { closeDatabase, prisma } from '../../lib/db/index.ts';

export { closeDatabase };

type Options = { email: string; role: string; name?: string; merchant?: string };

/** Creates an invitation and returns the text to print. Throws an Error for invalid options. */
export async function inviteUser(options: Options): Promise<string> {
  const email = z.email().safeParse(options.email.trim().toLowerCase());
  if (!email.success) throw new Error(`${options.email} is not an email address.`);
  if (!(options.role in roleNames))
    throw new Error(`There is no role ${options.role}: ${Object.keys(roleNames).join(', ')}.`);
  const role = options.role as Role;
  const merchantId = await merchantOf(role, options.merchant);
  if (await isEmailTaken(email.data, null)) throw new Error('A user with this email exists.');
  const name = options.name?.trim() || (email.data.split('@')[0] ?? '');
  const at = now();
  const entry = { actor: 'command', action: 'invitation.send' as const, subject: `email:${email.data}`, merchantId };
  await audit({ ...entry, after: { name, email: email.data, role } }, at);
  const { token } = await createInvitation({ name, email: email.data, role, merchantId, invitedById: null }, at);
  return `Send this link to ${name}. It creates one account and expires after ${invitationDays} days:\n${invitationUrl(token)}`;
}

async function merchantOf(role: Role, merchant: string | undefined): Promise<string | null> {
  if (seesEveryMerchant(role)) {
    if (merchant) throw new Error(`The role ${role} belongs to no merchant.`);
    return null;
  }
  const id = z.uuid().safeParse(merchant).data;
  const known = id ? await prisma().merchant.findUnique({ where: { id }, select: { id: true } }) : null;
  if (!known) throw new Error(`The role ${role} needs --merchant with the id of a merchant.`);
  return known.id;
}
