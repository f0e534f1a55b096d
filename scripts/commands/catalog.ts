// florin catalog: prints the catalogue of payment methods as JSON.
import { defineCommand } from './command.ts';

export const catalog = defineCommand({
  usage:
    'florin catalog: prints the catalogue of payment methods as JSON. With npm: npm run --silent florin -- catalog',
  run: async () => {
    const { methods } = await import('../../lib/methods/catalog.ts');
    const { credentialLines, parameterLines } = await import('../../lib/methods/catalog/lines.ts');
    const readers: Record<string, (table: string) => unknown> = {
      parameters: parameterLines,
      payout: parameterLines,
      fields: parameterLines,
      credentials: credentialLines,
    };
    const read = methods.map((method) =>
      Object.fromEntries(
        Object.entries(method).map(([name, value]) => [name, readers[name]?.(value as string) ?? value]),
      ),
    );
    console.log(JSON.stringify(read, null, 2));
  },
});
