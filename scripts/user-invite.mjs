// npm run user:invite: lets the first person of a deployment in, or any later one past the dashboard. It prints the link of
// an invitation; the person chooses the password there, so that none is ever on a command line.
import { parseArgs } from 'node:util';
import { importTypeScript } from './bundle.mjs';
import { completeSettings } from './settings.mjs';

const usage = `npm run user:invite -- --email ann@example.com --role administrator
    --email E-MAIL      of the person; the link is printed, not sent
    --role ROLE         administrator, account_manager, merchant_owner, operator or viewer
    --name NAME         what the person is called (the part of the e-mail before the @)
    --merchant ID       the merchant of an owner, operator or viewer`;

function readArguments() {
  const text = { type: 'string' };
  const { values } = parseArgs({ options: { email: text, role: text, name: text, merchant: text } });
  if (!values.email || !values.role) throw new Error('usage');
  return values;
}

let asked;
try {
  asked = readArguments();
} catch {
  console.error(usage);
  process.exit(2);
}

async function run() {
  const end = await completeSettings(2);
  const people = await importTypeScript('scripts/users/invite.ts');
  try {
    console.log(await people.inviteFromHere(asked));
  } finally {
    await people.closeDatabase();
    await end();
  }
}

await run().catch((fault) => {
  console.error(fault.message);
  process.exitCode = 1;
});
