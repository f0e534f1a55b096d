// The command line shared by the chaos tests: prints the seed, so that a run can be repeated, then the summary and
// every violation; exits with 1 if there is one.
import { pathToFileURL } from 'node:url';
import { readOptions, seedOf } from './seeded-random.mjs';

/**
 * Runs a test if its file is the started command.
 * @param {string} url import.meta.url
 * @param {(options: Record<string, string | true>, seed: number) => Promise<{ violations: string[], summary: object }>}
 * test
 */
export async function command(url, test) {
  if (!process.argv[1] || url !== pathToFileURL(process.argv[1]).href) return;
  const options = readOptions();
  const seed = seedOf(options);
  console.log(`seed ${seed}`);
  const { violations, summary } = await test(options, seed);
  console.log(JSON.stringify(summary, null, 2));
  for (const violation of violations.slice(0, 50)) console.log(`VIOLATION ${violation}`);
  console.log(`${violations.length} violations`);
  process.exit(violations.length > 0 ? 1 : 0);
}
