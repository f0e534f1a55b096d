// florin openapi: prints an OpenAPI document.
import { defineCommand, UsageError } from './command.ts';

export const openapi = defineCommand({
  usage: 'florin openapi checkout|s2s-card|s2s-apm|provider: prints the OpenAPI document.',
  positionals: { least: 1, most: 1 },
  run: async (_values, [name = '']) => {
    const { documentFileNames } = await import('../../lib/core/openapi.ts');
    const known = documentFileNames.find((each) => each === name);
    if (!known) throw new UsageError(`There is no document ${name}: ${documentFileNames.join(', ')}.`);
    // The settings are validated as a whole; these two are not used.
    process.env.DATABASE_URL ??= 'postgresql://localhost/unused';
    process.env.VAULT_KEY ??= Buffer.alloc(32).toString('base64');
    const document =
      known === 'provider'
        ? (await import('../../lib/openapi/provider.ts')).providerDocument()
        : (await import('../../lib/openapi/document.ts')).documentOf(known);
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`, () => process.exit(0));
  },
});
