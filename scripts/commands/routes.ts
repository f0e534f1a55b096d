// florin routes: the tables of routes as JSON. Tests of headers, injections and access are generated from them.
import { importWithPages } from '../bundle.ts';
import { defineCommand } from './command.ts';

export const routes = defineCommand({
  usage: `florin routes               prints the routes of the server as JSON, with method and path
florin routes --dashboard   prints the API routes of the dashboard: guarded ones with their right, and public ones`,
  options: { dashboard: { type: 'boolean', default: false } },
  run: async ({ dashboard }) => {
    console.log(JSON.stringify(dashboard ? await dashboardTable() : await routesTable()));
    process.exit(0);
  },
});

async function routesTable() {
  const { routes } = await importWithPages<typeof import('../../lib/server/routes.ts')>('lib/server/routes.ts');
  return routes.map(({ method, path }) => ({ method, path }));
}

async function dashboardTable() {
  const { dashboardRoutes, dashboardTable: table } =
    await importWithPages<typeof import('../../lib/dashboard/routes.ts')>('lib/dashboard/routes.ts');
  const guarded = table.map(({ method, path, right, confirmed = false }) => ({ method, path, right, confirmed }));
  const known = new Set(guarded.map(({ method, path }) => `${method} /dashboard/api${path}`));
  const open = dashboardRoutes.map(({ method, path }) => `${method} ${path}`).filter((row) => !known.has(row));
  return { guarded, open };
}
