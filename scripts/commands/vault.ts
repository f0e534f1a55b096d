// The vault's commands for the deployment of these settings: DATABASE_URL (or the embedded PostgreSQL) and VAULT_KEY,
// as `npm start` finds them. Card numbers and keys come from standard input and variables, never from arguments, which
// every user of the machine can see.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { completeSettings } from '../project.ts';
import { defineCommand, UsageError } from './command.ts';

type Vault = typeof import('../vault/commands.ts');

// Typed numbers are not echoed, so that they do not stay in a terminal's scrollback.
async function readNumber(): Promise<string> {
  const { stdin } = process;
  if (!stdin.isTTY) {
    let text = '';
    for await (const chunk of stdin.setEncoding('utf8')) {
      text += chunk;
      if (text.length > 200) break;
    }
    return text.trim();
  }
  process.stderr.write('Card number (not shown): ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  const line = await new Promise<string>((done) => {
    lines.once('line', done);
    lines.once('close', () => done(''));
  });
  lines.close();
  process.stderr.write('\n');
  return line.trim();
}

async function withVault(work: (vault: Vault) => Promise<number>): Promise<number> {
  const end = await completeSettings(12);
  const vault = await import('../vault/commands.ts');
  try {
    return await work(vault);
  } catch (error) {
    if (!(error instanceof vault.RotationError || error instanceof vault.KmsError)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await vault.closeDatabase();
    await end();
  }
}

const flag = { type: 'boolean', default: false } as const;

export const vaultRotate = defineCommand({
  usage: `florin vault rotate                     a new data key for all sealed data, without downtime
florin vault rotate --fingerprint       a new key for the card fingerprints
florin vault rotate --links             a new key of links: links that payers have do not open any more
florin vault rotate --sessions          a new secret of sessions: all users sign in again
florin vault rotate --new-key           a new VAULT_KEY, VAULT_KEY_FILE or VAULT_KMS; the old one has the ending _OLD
florin vault rotate --forget-old-key    ends the use of the old one
    --lead SECONDS    from announcing a new key version to its use (5)
    --settle SECONDS  minimum time that older versions are kept afterwards (60)`,
  options: {
    fingerprint: flag,
    links: flag,
    sessions: flag,
    'new-key': flag,
    'forget-old-key': flag,
    lead: { type: 'string', default: '5' },
    settle: { type: 'string', default: '60' },
  },
  run: async ({ lead, settle, ...flags }) => {
    const chosen = (['fingerprint', 'links', 'sessions', 'new-key', 'forget-old-key'] as const).filter(
      (name) => flags[name],
    );
    if (chosen.length > 1) throw new UsageError('One kind of rotation at a time.');
    const options = { what: chosen[0] ?? ('seal' as const), lead: Number(lead), settle: Number(settle) };
    return withVault(async (vault) => {
      await vault.rotate(options);
      return 0;
    });
  },
});

export const vaultReplaceLostKey = defineCommand({
  usage: `florin vault replace-lost-key: creates new data keys after VAULT_KEY was lost, and removes what only the old ones
decrypt. Follow docs/operations/runbooks.md; make a backup first.`,
  run: async () =>
    withVault(async (vault) => {
      await vault.replaceLostKey();
      return 0;
    }),
});

export const vaultFind = defineCommand({
  usage:
    'florin vault find: lists the vault rows of a card number from standard input; ends with 1 where there is none.',
  run: async () => withVault(async (vault) => ((await vault.find(await readNumber())) > 0 ? 0 : 1)),
});
