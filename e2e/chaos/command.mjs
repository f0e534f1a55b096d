// What the commands of the proofs have in common: the seed comes first, so that a run can be repeated, then the figures,
// then every violation; the end is 1 where there is one.
import { pathToFileURL } from 'node:url';
import { readOptions, seedOf } from './random.mjs';

/**
 * Runs a proof if its file is the command that was started.
 * @param {string} url import.meta.url
 * @param {(options: Record<string, string | true>, seed: number) => Promise<{ violations: string[], summary: object }>} prove
 */
export async function command(url, prove) {
  if (!process.argv[1] || url !== pathToFileURL(process.argv[1]).href) return;
  const options = readOptions();
  const seed = seedOf(options);
  console.log(`seed ${seed}`);
  const { violations, summary } = await prove(options, seed);
  console.log(JSON.stringify(summary, null, 2));
  for (const violation of violations.slice(0, 50)) console.log(`VIOLATION ${violation}`);
  console.log(`${violations.length} violations`);
  process.exit(violations.length > 0 ? 1 : 0);
}
