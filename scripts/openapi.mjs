// Prints an OpenAPI document: `npm run --silent openapi -- checkout`, or s2s-card, s2s-apm or provider.
import { importTypeScript } from './bundle.mjs';

const { documentFileNames } = await importTypeScript('lib/core/openapi.ts');
const [name] = process.argv.slice(2);
if (!documentFileNames.includes(name)) {
  console.error(`usage: npm run --silent openapi -- ${documentFileNames.join('|')}`);
  process.exit(2);
}
// The settings are validated as a whole; these two are not used.
process.env.DATABASE_URL ??= 'postgresql://localhost/unused';
process.env.VAULT_KEY ??= Buffer.alloc(32).toString('base64');
const document =
  name === 'provider'
    ? (await importTypeScript('lib/openapi/provider.ts')).providerDocument()
    : (await importTypeScript('lib/openapi/document.ts')).documentOf(name);
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`, () => process.exit(0));
