// npm run user:invite: invites the first user of a deployment, or a later one without the dashboard. Prints an
// invitation link; the user chooses the password there, so that none is on a command line.
import { parseArgs } from 'node:util';
import { importTypeScript } from './bundle.mjs';
import { completeSettings } from './settings.mjs';

const usage = `npm run user:invite -- --email ann@example.com --role administrator
    --email E-MAIL      of the user; the link is printed, not sent
    --role ROLE         administrator, account_manager, merchant_owner, operator or viewer
    --name NAME         display name (default: the part of the email before the @)
    --merchant ID       the merchant of an owner, operator or viewer`;

function readArguments() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { email: text, role: text, name: text, merchant: text } });
  if (!values.email || !values.role) throw new Error('usage');
  return values;
}

let options;
try {
  options = readArguments();
} catch {
  console.error(usage);
  process.exit(2);
}

async function run() {
  const end = await completeSettings(2);
  const users = await importTypeScript('scripts/users/invite.ts');
  try {
    console.log(await users.inviteUser(options));
  } finally {
    await users.closeDatabase();
    await end();
  }
}

await run().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
