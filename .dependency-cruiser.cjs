// Who may import whom. Each room lists what it may know; whatever is not listed is a fault, so that a new dependency
// between rooms is a decision and not an accident.

const tests = '\\.test\\.tsx?$';
const leaves = '^lib/(env|log|clock|http|html|i18n|route|metrics|request-id|trace|wake|database-line)\\.ts$';

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
    only('core-knows-nobody', '^lib/core/', ['^lib/core/'], 'The vocabulary imports nothing of ours.'),
    never(
      'core-is-pure',
      { path: '^lib/core/', pathNot: tests },
      [
        '^(node:)?(fs|net|http|https|dns|tls|child_process|timers)(/|$)',
        'node_modules/(next|react|pg|undici|@prisma)/',
      ],
      'The vocabulary does no input or output and knows no framework.',
    ),
    only(
      'samples-know-core',
      '^lib/samples/',
      ['^lib/(core|samples)/'],
      'A request as source text: what it says comes from its caller.',
    ),
    only(
      'methods-know-core',
      '^lib/methods/',
      ['^lib/(core|methods)/'],
      'Payment methods are data over the vocabulary.',
    ),
    never(
      'catalogue-is-data',
      { path: '^lib/methods/catalog\\.ts$' },
      ['^lib/methods/(behaviours|(?!catalog|fields|method\\.)[a-z-]+)\\.ts$'],
      'The catalogue never imports behaviours.',
    ),
    only(
      'connectors-know-core',
      '^lib/connectors/',
      ['^lib/(core|methods|connectors)/', leaves],
      'Connectors are stateless: no database, no payments.',
    ),
    only(
      'wallets-know-core',
      '^lib/wallets/',
      ['^lib/(core|wallets)/'],
      'A wallet token is judged by itself: no tables.',
    ),
    never(
      'wallets-are-pure',
      { path: '^lib/wallets/', pathNot: tests },
      ['^(node:)?(fs|net|http|https|dns|tls|child_process|timers)(/|$)', 'node_modules/'],
      'Nothing but cryptography: no input, no output, no library.',
    ),
    only(
      'payments-know-connectors',
      '^lib/payments/',
      [
        '^lib/(core|methods|connectors|wallets|limits|payments|prisma)/',
        leaves,
        '^lib/db\\.ts$',
        '^lib/outbox/queue\\.ts$',
      ],
      'The money tables know no protocol, no page and no framework.',
    ),
    only(
      'limits-stand-alone',
      '^lib/limits/',
      ['^lib/(core|limits)/', leaves, '^lib/db\\.ts$'],
      'What is counted against limits: the counters know keys, not what they are about.',
    ),
    only(
      'outbox-stands-alone',
      '^lib/outbox/',
      ['^lib/(core|outbox)/', leaves, '^lib/db\\.ts$'],
      'What is sent to payers: the outbox knows messages, not what they are about.',
    ),
    only(
      'protocols-know-payments',
      '^lib/protocols/',
      ['^lib/(core|methods|connectors|limits|payments|protocols)/', leaves],
      'Protocols reach the database through payments only.',
    ),
    only(
      'payer-knows-payments',
      '^lib/payer/',
      [
        '^lib/(core|methods|connectors|limits|payments|protocols|payer)/',
        leaves,
        '^lib/assets\\.ts$',
        '^components/pay/',
      ],
      "Payers' pages reach the database through payments only.",
    ),
    only(
      'auth-stands-alone',
      '^lib/auth/',
      ['^lib/(core|auth|prisma)/', leaves, '^lib/db\\.ts$'],
      'Who somebody is and what was done: the sign-in knows no payments.',
    ),
    only(
      'dashboard-knows-payments',
      '^lib/dashboard/',
      [
        '^lib/(core|auth|limits|payments|dashboard|samples)/',
        leaves,
        // The contract's words for what is stored, and its recipes for what is signed.
        '^lib/protocols/',
        '^components/dashboard/.*model\\.ts$',
        '^components/(dashboard/sign-in-words|ui/status-words)\\.ts$',
        // The payment page as a preview shows it.
        '^components/pay/',
        // What the settings name: methods, connectors, wallets, mails.
        '^lib/(methods|connectors|wallets|outbox|assets|browser)',
        // Where an account of the sandbox finds the sandbox's own provider.
        '^lib/simulator/keys\\.ts$',
        // Certificates and keys that somebody uploads.
        '^lib/wallets/',
        // The payment page as its preview draws it.
        '^components/pay/',
        '^lib/assets\\.ts$',
      ],
      'The dashboard reads and acts through payments, and asks who it is through auth.',
    ),
    only(
      'docs-know-tables',
      '^lib/docs/',
      [
        '^lib/(core|docs|methods|samples|protocols)/',
        leaves,
        '^lib/payments/payment\\.ts$',
        // The pages' list, and how a request becomes source text.
        '^components/docs/(heading|pages|reference/words)\\.ts$',
        '^lib/dashboard/developers/sample-of\\.ts$',
      ],
      'The documentation is written from the tables that the service works by.',
    ),
    only(
      'simulator-stands-alone',
      '^lib/simulator/',
      ['^lib/(core|methods|simulator)/', leaves, '^lib/db\\.ts$'],
      'The sandbox provider is a provider like any other: it knows the contract and its own tables.',
    ),
    only(
      'shop-stands-alone',
      '^lib/shop/',
      ['^lib/(core|shop)/', leaves, '^lib/db\\.ts$'],
      'The demo shop is a merchant like any other: it speaks the protocol and keeps its own tables.',
    ),
    only(
      'leaves-know-core',
      leaves,
      ['^lib/core/', '^lib/wallets/(apple|google)-key\\.ts$', leaves],
      'What everybody may import imports nobody; the settings read the roots of wallets, which are pure too.',
    ),
    only(
      'components-know-core',
      '^components/',
      [
        '^components/',
        '^lib/core/',
        '^lib/methods/(catalog|catalog/lines|fields|method|parameters)\\.ts$',
        '^lib/shop/(model|amounts|basket|products)\\.ts$',
      ],
      'Components draw what they are given.',
    ),
    only(
      'browser-knows-core',
      '^lib/browser/',
      ['^lib/(core|browser)/', '^lib/methods/fields\\.ts$'],
      'What is sent to browsers stays small and holds no secret.',
    ),
    only(
      'route-handlers-mount',
      '^app/.*route\\.ts$',
      ['^lib/next-mount\\.ts$'],
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
      '^e2e/',
      ['^e2e/', '^lib/client-sdk/src/(index|react|server)\\.ts$'],
      'End-to-end tests know the service from outside, as a merchant who uses the client SDK does.',
    ),
    {
      name: 'database-has-few-doors',
      comment:
        'Only payments, the outbox, the limits, the sign-in and the rooms of the sandbox read and write tables; the server opens and closes the pool.',
      severity: 'error',
      from: {
        pathNot: [
          '^lib/(payments|outbox|limits|simulator|shop|auth)/',
          '^lib/operations/',
          '^lib/(auth|db|health|prepared|server)\\.ts$',
          '^prisma/',
          tests,
        ],
      },
      to: { path: ['^lib/db\\.ts$', 'node_modules/(pg|@prisma/adapter-pg)/'] },
    },
    never(
      'no-framework-inside',
      { path: '^lib/', pathNot: ['^lib/(server|next-mount|next-alone)\\.ts$', tests] },
      ['node_modules/next/'],
      'Whatever merchants and payers reach knows no framework.',
    ),
    never(
      'rows-are-not-imported',
      { path: '^lib/(core|methods|connectors|payments|outbox|protocols|payer|simulator|auth|dashboard)/' },
      ['^lib/routes\\.ts$'],
      'The table of routes imports the rooms, never the other way round.',
    ),
    {
      name: 'no-circle',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
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
