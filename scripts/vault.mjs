// The vault's commands for the deployment of these settings: DATABASE_URL (or the embedded PostgreSQL) and VAULT_KEY,
// as `npm start` finds them. Card numbers and keys come from standard input and variables, never from arguments, which
// every user of the machine can see.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { importTypeScript } from './bundle.mjs';
import { completeSettings } from './settings.mjs';

const usage = `npm run vault:rotate                        a new data key for all sealed data, without downtime
npm run vault:rotate -- --fingerprint       a new key for the card fingerprints
npm run vault:rotate -- --new-key           a new VAULT_KEY; the old one is in VAULT_KEY_OLD
npm run vault:rotate -- --forget-old-key    ends the use of the old VAULT_KEY
    --lead SECONDS    from announcing a new key version to its use (5)
    --settle SECONDS  minimum time that older versions are kept afterwards (60)
npm run vault:find                          the vault rows of a card number from standard input`;

// Typed numbers are not echoed, so that they do not stay in a terminal's scrollback.
async function readNumber() {
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
  const [line] = await new Promise((done) => {
    lines.once('line', (text) => done([text]));
    lines.once('close', () => done(['']));
  });
  lines.close();
  process.stderr.write('\n');
  return line.trim();
}

function readArguments() {
  const flags = ['fingerprint', 'new-key', 'forget-old-key'];
  const seconds = { type: 'string' };
  const options = {
    ...Object.fromEntries(flags.map((name) => [name, { type: 'boolean' }])),
    lead: seconds,
    settle: seconds,
  };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [command, ...rest] = positionals;
  const chosen = flags.filter((name) => values[name]);
  if (rest.length > 0 || chosen.length > 1 || !['rotate', 'find'].includes(command)) throw new Error('usage');
  return { command, what: chosen[0] ?? 'seal', lead: Number(values.lead ?? 5), settle: Number(values.settle ?? 60) };
}

async function run({ command, ...options }) {
  const end = await completeSettings(12);
  const vault = await importTypeScript('scripts/vault/commands.ts');
  try {
    if (command === 'rotate') await vault.rotate(options);
    else process.exitCode = (await vault.find(await readNumber())) > 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof vault.RotationError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  } finally {
    await vault.closeDatabase();
    await end();
  }
}

let options;
try {
  options = readArguments();
} catch {
  console.error(usage);
  process.exit(2);
}
await run(options).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
