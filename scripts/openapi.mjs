// Prints a document of the API: `npm run --silent openapi -- checkout`, or s2s-card, or s2s-apm.
import { importTypeScript } from './bundle.mjs';

const { documentNames } = await importTypeScript('lib/core/openapi.ts');
const [name] = process.argv.slice(2);
if (!documentNames.includes(name)) {
  console.error(`usage: npm run --silent openapi -- ${documentNames.join('|')}`);
  process.exit(2);
}
// The settings are validated as a whole; these two are not used.
process.env.DATABASE_URL ??= 'postgresql://localhost/unused';
process.env.VAULT_KEY ??= Buffer.alloc(32).toString('base64');
const { documentOf } = await importTypeScript('lib/openapi/document.ts');
process.stdout.write(`${JSON.stringify(documentOf(name), null, 2)}\n`, () => process.exit(0));
