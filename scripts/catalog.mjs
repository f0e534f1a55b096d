// Prints the catalogue of payment methods as JSON: `npm run --silent catalog`.
import { importTypeScript } from './bundle.mjs';

const { methods } = await importTypeScript('lib/methods/catalog.ts');
const { credentialLines, parameterLines } = await importTypeScript('lib/methods/catalog/lines.ts');

const readers = {
  parameters: parameterLines,
  payout: parameterLines,
  fields: parameterLines,
  credentials: credentialLines,
};

const read = methods.map((method) =>
  Object.fromEntries(Object.entries(method).map(([name, value]) => [name, readers[name]?.(value) ?? value])),
);
console.log(JSON.stringify(read, null, 2));
