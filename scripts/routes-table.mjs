// Prints the table of routes as JSON, each row with its method and path: the test of headers and injected texts is made of it.
import { importTypeScript } from './bundle.mjs';

const { routes } = await importTypeScript('lib/server/routes.ts');
console.log(JSON.stringify(routes.map(({ method, path }) => ({ method, path }))));
process.exit(0);
