// Prints the route table as JSON, with method and path. The header and injection tests are generated from it.
import { importTypeScript } from './bundle.mjs';

const { routes } = await importTypeScript('lib/server/routes.ts');
console.log(JSON.stringify(routes.map(({ method, path }) => ({ method, path }))));
process.exit(0);
