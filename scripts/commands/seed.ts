// florin seed: fills the sandbox's database, to show the dashboard under production volume.
import { seedMany } from '../../e2e/audit/seed-many.ts';
import { prepareDatabase, prepareSettings } from '../prepare.ts';
import { root, step } from '../project.ts';
import { defineCommand, UsageError } from './command.ts';

export const seed = defineCommand({
  usage: `florin seed [--payments 1000000]: fills the sandbox's database, once, with payments of the last year.
Card numbers are not stored, so that modifications that need one are rejected.`,
  options: { payments: { type: 'string', default: '1000000' } },
  run: async (values) => {
    process.chdir(root);
    const payments = Math.ceil(Number(values.payments) / 100) * 100;
    if (!(payments > 0)) throw new UsageError('--payments is a number.');
    const { env } = await prepareSettings();
    if (env.appEnv !== 'sandbox') throw new Error('Seeded payments are for the sandbox only.');
    const stop = await prepareDatabase();
    const databaseUrl = process.env.DATABASE_URL ?? '';
    try {
      const { migrate } = await import('../migrate.ts');
      await migrate(databaseUrl);
      await step(`Writing ${payments.toLocaleString('en')} payments`, () => seedMany({ databaseUrl, payments }));
    } finally {
      await stop();
    }
  },
});
