// florin provider check: checks a provider or adapter against the provider contract (docs/providers/contract.md). It
// makes payments with a test card: run it against a test environment only. Ends with 1 when a check fails.
import { checks, clientOf } from '../provider/checks.ts';
import { defineCommand, UsageError } from './command.ts';

export const providerCheck = defineCommand({
  usage: `API_KEY=... florin provider check http://127.0.0.1:8090
    --card 4111111111111111   test card of an approved payment
    --amount 10.00            amount of each payment
    --currency EUR            currency of each payment`,
  options: {
    card: { type: 'string', default: '4111111111111111' },
    amount: { type: 'string', default: '10.00' },
    currency: { type: 'string', default: 'EUR' },
  },
  positionals: { least: 1, most: 1 },
  run: async (values, [url = '']) => {
    const apiKey = process.env.API_KEY ?? '';
    if (apiKey === '') throw new UsageError('API_KEY is not set.');
    const client = clientOf({ url, apiKey, ...values });
    let failures = 0;
    for (const [name, run] of Object.entries(checks)) {
      try {
        await run(client);
        console.log(`pass  ${name}`);
      } catch (error) {
        failures += 1;
        console.log(`FAIL  ${name}\n      ${error instanceof Error ? error.message : error}`);
      }
    }
    console.log(`${Object.keys(checks).length} checks, ${failures} failed.`);
    process.exit(failures > 0 ? 1 : 0);
  },
});
