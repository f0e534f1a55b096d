// florin catalog, florin openapi and florin routes print tables of the code as JSON: the payment methods, an OpenAPI
// document, and the routes, from which tests of headers, injections and access are generated.
import { importWithPages } from '../bundle.ts';
import { defineCommand, UsageError } from './command.ts';

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

export const routes = defineCommand({
  usage: `florin routes               prints the routes of the server as JSON, with method and path
florin routes --dashboard   prints the API routes of the dashboard: guarded ones with their right, and public ones
florin routes --actions     prints the actions of the protocols: protocol, name and path`,
  options: { dashboard: { type: 'boolean', default: false }, actions: { type: 'boolean', default: false } },
  run: async ({ dashboard, actions }) => {
    const table = dashboard ? dashboardTable : actions ? actionsTable : routesTable;
    console.log(JSON.stringify(await table()));
    process.exit(0);
  },
});

async function routesTable() {
  const { routes } = await importWithPages<typeof import('../../lib/server/routes.ts')>('lib/server/routes.ts');
  return routes.map(({ method, path, only }) => ({ method, path, only }));
}

async function dashboardTable() {
  const { dashboardRoutes, dashboardTable: table } =
    await importWithPages<typeof import('../../lib/dashboard/routes.ts')>('lib/dashboard/routes.ts');
  const guarded = table.map(({ method, path, right, confirmed = false }) => ({ method, path, right, confirmed }));
  const known = new Set(guarded.map(({ method, path }) => `${method} /dashboard/api${path}`));
  const open = dashboardRoutes.map(({ method, path }) => `${method} ${path}`).filter((row) => !known.has(row));
  return { guarded, open };
}

async function actionsTable() {
  const { actionRegistry } = await import('../../lib/protocols/pipeline/action-registry.ts');
  return actionRegistry.map(({ protocol, action, path }) => ({ protocol, action, path }));
}
