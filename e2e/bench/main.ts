// npm run bench: runs every part of the benchmark on one build, and prints every figure with its target.
// Docs: docs/contributing/benchmarks.md.
//   --only api,page   these parts only
//   --short           every part in its shortest form, to check that it works; its figures mean little
//   --long            also half an hour of soak, and growth to five million payments
//   --built           measures the last build, even if the sources have changed since
import { parseArgs } from 'node:util';
import { part as api } from './api.ts';
import { commonOptions, endWith, type Part, runParts } from './benchmark-part.ts';
import { part as callbacks } from './callbacks.ts';
import { part as dashboard } from './dashboard.ts';
import { part as growth } from './growth.ts';
import { part as otherService } from './other-service.ts';
import { part as overload } from './overload.ts';
import { part as page } from './page.ts';
import { part as schedules } from './schedules.ts';
import { part as soak } from './soak.ts';
import { part as start } from './start.ts';

const all: Part[] = [api, callbacks, schedules, overload, page, start, dashboard, growth, soak, otherService];

function chosen({ only, long }: { only?: string; long: boolean }): Part[] {
  if (only === undefined) return all.filter(({ isLong }) => long || !isLong);
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !all.some((part) => part.name === name));
  if (unknown.length > 0) {
    throw new Error(`There is no part ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}.`);
  }
  return all.filter(({ name }) => names.includes(name));
}

await endWith(async () => {
  const options = { ...commonOptions, long: { type: 'boolean', default: false } } as const;
  const { only, long, ...given } = parseArgs({ options }).values;
  const payments = given.payments ?? (long ? '5000000' : undefined);
  return runParts(chosen({ only, long }), { ...given, payments });
});
