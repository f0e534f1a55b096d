// The command line shared by the chaos tests: prints the seed, so that a run can be repeated, then the summary and
// every violation; exits with 1 if there is one.
import { pathToFileURL } from 'node:url';
import { type Options, readOptions, seedOf } from './seeded-random.ts';

/** The result of a chaos test. */
export type Result = { violations: string[]; summary: object };

/** Runs a test if its file, `url`, is the started command. `names` are its options besides `--seed`. */
export async function command(
  url: string,
  names: readonly string[],
  test: (options: Options, seed: number) => Promise<Result>,
): Promise<void> {
  if (!process.argv[1] || url !== pathToFileURL(process.argv[1]).href) return;
  const options = readOptions(names);
  const seed = seedOf(options);
  console.log(`seed ${seed}`);
  const { violations, summary } = await test(options, seed);
  console.log(JSON.stringify(summary, null, 2));
  for (const violation of violations.slice(0, 50)) console.log(`VIOLATION ${violation}`);
  console.log(`${violations.length} violations`);
  process.exit(violations.length > 0 ? 1 : 0);
}
