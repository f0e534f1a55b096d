// florin user invite: invites the first user of a deployment, or a later one without the dashboard. Prints an invitation
// link; the user chooses the password there, so that none is on a command line.
import { completeSettings } from '../project.ts';
import { defineCommand, UsageError } from './command.ts';

const text = { type: 'string' } as const;

export const userInvite = defineCommand({
  usage: `florin user invite --email ann@example.com --role administrator
    --email EMAIL       of the user; the link is printed, not sent
    --role ROLE         administrator, account_manager, merchant_owner, operator or viewer
    --name NAME         display name (default: the part of the email before the @)
    --merchant ID       the merchant of an owner, operator or viewer`,
  options: { email: text, role: text, name: text, merchant: text },
  run: async ({ email, role, ...rest }) => {
    if (!email || !role) throw new UsageError('--email and --role are required.');
    const end = await completeSettings(2);
    const users = await import('../users/invite.ts');
    try {
      console.log(await users.inviteUser({ email, role, ...rest }));
    } finally {
      await users.closeDatabase();
      await end();
    }
  },
});
