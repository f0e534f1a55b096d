// Prints the dashboard's API routes as JSON: guarded ones and public ones. The access test is generated from it.
import { importTypeScript } from './bundle.mjs';

const { dashboardRoutes, dashboardTable } = await importTypeScript('lib/dashboard/routes.ts');
const guarded = dashboardTable.map(({ method, path, right, confirmed = false }) => ({
  method,
  path,
  right,
  confirmed,
}));
const known = new Set(guarded.map(({ method, path }) => `${method} /dashboard/api${path}`));
const open = dashboardRoutes.map(({ method, path }) => `${method} ${path}`).filter((row) => !known.has(row));
console.log(JSON.stringify({ guarded, open }));
process.exit(0);
