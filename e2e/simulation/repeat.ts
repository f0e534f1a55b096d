// Whether a seed decides everything: the same series twice in one process, another series in between, and in two processes.
import { createHash } from 'node:crypto';
import { type Setting, startSeries } from './history.ts';

/** A digest of the trace of each history of a series. */
async function digestsOf(setting: Setting, from: number, count: number): Promise<string[]> {
  const series = await startSeries(setting, from);
  const digests: string[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const { trace, violations } = await series.run({ seed });
    digests.push(
      createHash('sha256')
        .update(JSON.stringify([trace, violations]))
        .digest('hex'),
    );
  }
  return digests;
}

/**
 * Runs a series of `count` histories, a history of another one, and the series again. Returns the seeds that differ, and the
 * digests of the first run, which another process must have too.
 */
export async function findUnrepeatable(
  setting: Setting,
  count: number,
): Promise<{ seeds: number[]; digests: string[] }> {
  const first = await digestsOf(setting, 1, count);
  await digestsOf(setting, 101, 1);
  const second = await digestsOf(setting, 1, count);
  const seeds = first.flatMap((digest, place) => (digest === second[place] ? [] : [1 + place]));
  return { seeds, digests: first };
}
