// The import rules. The rooms of lib stand in one order, and each imports only the rooms before it; what else a room
// may not know is a rule of its own below.

const tests = '\\.(test|test-data)\\.tsx?$';

/** The rooms of lib, from the ground up. */
const rooms = [
  ...['core', 'methods', 'wallets', 'config', 'telemetry', 'db', 'jobs', 'http', 'browser', 'connectors'],
  ...[
    'vault',
    'auth',
    'outbox',
    'merchants',
    'risk',
    'schedules',
    'routing',
    'payments',
    'reconciliation',
    'recurring',
  ],
  'request-log',
  ...[
    'protocols',
    'callbacks',
    'openapi',
    'payer',
    'docs',
    'sandbox',
    'dashboard',
    'events',
    'operations',
    'client-sdk',
    'server',
  ],
];

/** Rooms that read or write tables; all others reach them through these. */
const roomsWithTables = [
  ...['db', 'auth', 'vault', 'outbox', 'merchants', 'risk', 'schedules', 'routing', 'payments', 'reconciliation'],
  'recurring',
  ...['request-log', 'callbacks', 'sandbox', 'dashboard', 'events', 'operations', 'server'],
];

/** Files that are public by themselves: the catalogue, and the parts of db that touch no table. */
const open = ['^lib/methods/', '^lib/db/(clock|notify-job|pool-wait-queue)\\.ts$'];

/** What pages share with the server: contracts, labels and the small pure functions beside them. */
const shared = [
  '^lib/core/',
  '^lib/methods/(catalog|catalog/lines|documents|fields|method|parameters)\\.ts$',
  '^lib/payer/contract\\.ts$',
  '^lib/dashboard/contract\\.ts$',
  '^lib/dashboard/[a-z-]+/contract\\.ts$',
  '^lib/dashboard/(status-labels|sign-in/labels|unresolved/labels|reconciliation/labels|payments/decline-labels|lists/columns)\\.ts$',
  '^lib/payer/(agreement-text|security-headers|decline-alert|error-text|installments|payout-texts|receipt-texts)\\.ts$',
  '^lib/docs/(links|search-ranking|pages|reference|schema-description)\\.ts$',
  '^lib/sandbox/shop/(order-model|form-schemas|products)\\.ts$',
  '^lib/browser/(fields/(browser-info|hosted-fields\\.d|hosted-fields-react\\.d)\\.ts|react/hosted-fields-react\\.tsx)$',
];

/** A rule: modules under `from` import, of our own code, only what `allowed` matches. */
function only(name, from, allowed, comment) {
  return {
    name,
    comment,
    severity: 'error',
    from: { path: from, pathNot: tests },
    to: { path: '^(app|components|lib|prisma|e2e|scripts)/', pathNot: allowed },
  };
}

/** A rule: modules under `from` never import what `path` matches. */
function never(name, from, path, comment) {
  return { name, comment, severity: 'error', from, to: { path } };
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...rooms
      .slice(0, -1)
      .map((room, floor) =>
        never(
          `${room}-imports-rooms-before-it`,
          { path: `^lib/${room}/`, pathNot: tests },
          [`^lib/(${rooms.slice(floor + 1).join('|')})/`],
          'Each room imports only the rooms before it in the order above.',
        ),
      ),
    {
      name: 'rooms-are-in-the-order',
      comment: 'Every folder of lib has a place in the order, and no file lies beside them.',
      severity: 'error',
      from: {},
      to: { path: '^lib/', pathNot: `^lib/(${[...rooms, 'prisma'].join('|')})/` },
    },
    {
      name: 'rooms-have-one-entrance',
      comment: 'Other rooms, pages and scripts import the index of a room, or what it shares with pages.',
      severity: 'error',
      from: { path: '^(lib/[^/]+|app|components|prisma)/', pathNot: tests },
      to: { path: '^lib/(?!prisma/)', pathNot: ['^$1/', '^lib/[^/]+/index\\.ts$', ...shared, ...open] },
    },
    never(
      'lib-knows-no-page',
      { path: '^lib/', pathNot: ['^lib/payer/render\\.ts$', tests] },
      ['^(app|components|e2e|scripts)/'],
      'Contracts between server and page live with the server; only lib/payer/render.ts draws the documents of components/pay.',
    ),
    never(
      'core-is-pure',
      { path: '^lib/core/', pathNot: tests },
      [
        '^(node:)?(fs|net|http|https|dns|tls|child_process|timers)(/|$)',
        'node_modules/(next|react|pg|undici|@prisma)/',
      ],
      'The vocabulary does no input or output and knows no framework.',
    ),
    never(
      'catalogue-is-data',
      { path: '^lib/methods/catalog\\.ts$' },
      ['^lib/methods/(behaviours|(?!catalog|fields|method\\.)[a-z-]+)\\.ts$'],
      'The catalogue never imports behaviours.',
    ),
    never(
      'wallets-are-pure',
      { path: '^lib/wallets/', pathNot: tests },
      ['^(node:)?(fs|net|http|https|dns|tls|child_process|timers)(/|$)', 'node_modules/(?!(asn1js|pkijs|node-forge)/)'],
      'Nothing but cryptography and its parsers: no input, no output.',
    ),
    never(
      'connectors-are-stateless',
      { path: '^lib/connectors/', pathNot: tests },
      ['^lib/(db|jobs)/(?!clock\\.ts$)'],
      'A connector keeps nothing: no table and no job.',
    ),
    {
      name: 'tables-belong-to-rooms',
      comment: 'Protocols, payer pages and documentation reach the database through the rooms that own the tables.',
      severity: 'error',
      from: { path: '^(lib|app|components)/', pathNot: [`^lib/(${roomsWithTables.join('|')})/`, tests] },
      to: { path: ['^lib/db/(?!clock|notify-job|pool-wait-queue)', 'node_modules/(pg|@prisma/adapter-pg)/'] },
    },
    only(
      'sandbox-is-a-stranger',
      '^lib/sandbox/(provider|shop)/',
      ['^lib/(core|methods|config|telemetry|db|http|sandbox|prisma)/'],
      'The sandbox provider and the demo shop know the service by its contracts, as any provider and any merchant do.',
    ),
    only('components-draw', '^components/', ['^components/', ...shared], 'Components draw what they are given.'),
    only(
      'browser-knows-core',
      '^lib/browser/',
      ['^lib/(core|browser)/', '^lib/methods/(documents|fields)\\.ts$'],
      'What is sent to browsers stays small and holds no secret.',
    ),
    only(
      'route-handlers-mount',
      '^app/.*route\\.ts$',
      ['^lib/server/index\\.ts$'],
      'A route handler hands over to the table.',
    ),
    only(
      'client-imports-nothing',
      '^lib/client-sdk/',
      ['^lib/client-sdk/'],
      "The client SDK runs on merchants' servers, in pages and in apps; it knows the service by its protocol.",
    ),
    never(
      'client-runs-everywhere',
      { path: '^lib/client-sdk/', pathNot: tests },
      ['^(node:)?(fs|net|http|https|crypto|buffer|url|util)(/|$)', 'node_modules/(?!@noble/hashes/|@types/|react/)'],
      'The client SDK runs where Node does not, and carries what it needs.',
    ),
    never(
      'client-is-for-merchants',
      { path: '^(app|components|lib|prisma)/', pathNot: '^lib/client-sdk/' },
      ['^lib/client-sdk/'],
      'Nothing of the service needs its own client.',
    ),
    only(
      'tests-over-http',
      '^e2e/(api|pages|engines|clock|vault|support)/',
      ['^e2e/(support|$1)/', '^scripts/ports\\.ts$', '^lib/client-sdk/src/(index|react|server)\\.ts$'],
      'End-to-end tests reach the service over HTTP only, as a merchant does that uses the client SDK.',
    ),
    never(
      'no-framework-inside',
      { path: '^lib/', pathNot: ['^lib/server/(server|next-handler)\\.ts$', tests] },
      ['node_modules/next/'],
      'What merchants and payers reach knows no framework.',
    ),
    {
      name: 'no-circle',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      // The benchmark installs its packages in a folder of their own.
      name: 'resolvable',
      severity: 'error',
      from: { pathNot: '^e2e/bench/medusa/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'no-tools-in-the-product',
      comment: 'What is served depends on packages that are installed where it is served.',
      severity: 'error',
      from: { path: '^(app|components|lib)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(lib/prisma/|lib/client-sdk/dist/|public/|\\.next|\\.data|dist/)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.d.ts', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
