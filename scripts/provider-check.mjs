// Checks a provider or adapter against the provider contract (docs/providers/contract.md):
//   API_KEY=... npm run provider:check -- http://127.0.0.1:8090 [--card 4111111111111111] [--amount 10.00] [--currency EUR]
// It makes payments with a test card: run it against a test environment only. The exit code is 1 when a check fails.
import { parseArgs } from 'node:util';
import { checks, clientOf } from './provider/checks.mjs';

const text = (value) => ({ type: 'string', default: value });
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { card: text('4111111111111111'), amount: text('10.00'), currency: text('EUR') },
});
const [url] = positionals;
const apiKey = process.env.API_KEY ?? '';
if (!url || apiKey === '') {
  console.error('usage: API_KEY=... npm run provider:check -- http://127.0.0.1:8090');
  process.exit(2);
}

const client = clientOf({ url, apiKey, ...values });
let failures = 0;
for (const { name, run } of checks) {
  try {
    await run(client);
    console.log(`pass  ${name}`);
  } catch (error) {
    failures += 1;
    console.log(`FAIL  ${name}\n      ${error.message}`);
  }
}
console.log(`${checks.length} checks, ${failures} failed.`);
process.exit(failures > 0 ? 1 : 0);
