// The work of `npm run user:invite`, on the settings of the process as the server has them.
import { z } from 'zod';
import { audit } from '../../lib/auth/audit';
import { invite } from '../../lib/auth/invitations';
import { invitationDays } from '../../lib/auth/limits';
import { isTaken } from '../../lib/auth/people';
import { type Role, roleNames, seesEveryMerchant } from '../../lib/auth/roles';
import { merchantChoices } from '../../lib/dashboard/merchants/choices';
import { invitationUrl } from '../../lib/dashboard/people/letters';
import { now } from '../../lib/db/clock';
import { closeDatabase } from '../../lib/db/db';

export { closeDatabase };

/** What the command was asked for. */
export type Asked = { email: string; role: string; name?: string; merchant?: string };

/** Makes an invitation and gives what is to be printed. Throws an Error in words for what does not fit. */
export async function inviteFromHere(asked: Asked): Promise<string> {
  const email = z.email().safeParse(asked.email.trim().toLowerCase());
  if (!email.success) throw new Error(`${asked.email} is no e-mail address.`);
  if (!(asked.role in roleNames))
    throw new Error(`There is no role ${asked.role}: ${Object.keys(roleNames).join(', ')}.`);
  const role = asked.role as Role;
  const merchantId = await merchantOf(role, asked.merchant);
  if (await isTaken(email.data)) throw new Error('Somebody has an account with this e-mail.');
  const name = asked.name?.trim() || (email.data.split('@')[0] ?? '');
  const at = now();
  const entry = { actor: 'command', action: 'invitation.send', subject: `email:${email.data}`, merchantId };
  await audit({ ...entry, after: { name, email: email.data, role } }, at);
  const { token } = await invite({ name, email: email.data, role, merchantId, invitedById: null }, at);
  return `Hand this link to ${name}. It makes one account, within ${invitationDays} days:\n${invitationUrl(token)}`;
}

async function merchantOf(role: Role, merchant: string | undefined): Promise<string | null> {
  if (seesEveryMerchant(role)) {
    if (merchant) throw new Error(`The role ${role} belongs to no merchant.`);
    return null;
  }
  const known = merchant && z.uuid().safeParse(merchant).success ? await merchantChoices(merchant) : [];
  if (!known[0]) throw new Error(`The role ${role} needs --merchant with the id of a merchant.`);
  return known[0].id;
}
