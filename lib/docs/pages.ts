// Lists the pages of the documentation in reading order. A slug is the path of the page below docs/ and /docs.

/** `keys` are search words that the page does not contain. */
export type DocPage = { slug: string; title: string; summary: string; keys?: string };

export type DocGroup = { title: string; pages: readonly DocPage[] };

export const docGroups: readonly DocGroup[] = [
  {
    title: 'Guide',
    pages: [
      {
        slug: 'guide/overview',
        title: 'What Florin is',
        summary: 'The parts, the ways to take a payment, and what Florin guarantees.',
        keys: 'introduction architecture concepts',
      },
      {
        slug: 'guide/quickstart',
        title: 'Quickstart',
        summary: 'From a signed request to a verified callback and a refund, in your language.',
        keys: 'first payment getting started tutorial curl',
      },
      {
        slug: 'guide/hosted-checkout',
        title: 'Hosted checkout',
        summary: "Create a session and send the payer to Florin's payment page.",
        keys: 'checkout session payment page link redirect',
      },
      {
        slug: 'guide/hosted-fields',
        title: 'Hosted fields',
        summary: 'Embed card inputs in your own page. Card data never reaches your server.',
        keys: 'card fields elements tokenization',
      },
      {
        slug: 'guide/client-sdk',
        title: 'Client SDK',
        summary: 'The payment page in a frame or a WebView, and typed calls for Node, browsers and React Native.',
        keys: 'sdk javascript react native npm',
      },
      {
        slug: 'guide/php-client',
        title: 'PHP client',
        summary: 'A complete PHP class: sessions, status, captures, refunds, voids and callbacks.',
        keys: 'php class library composer laravel symfony wordpress woocommerce',
      },
      {
        slug: 'guide/other-languages',
        title: 'Java, C# and Go',
        summary: 'Sign requests and verify callbacks in Java, C# and Go.',
        keys: 'java kotlin spring csharp dotnet .net golang go',
      },
      {
        slug: 'guide/s2s-card',
        title: 'S2S card payments',
        summary: 'Card payments from your own server: sales, authorisations, follow-ups, schedules.',
        keys: 's2s direct moto',
      },
      {
        slug: 'guide/s2s-apm',
        title: 'S2S alternative methods',
        summary: 'All other methods from your own server: payments, payouts, commissions.',
        keys: 's2s apm alternative payment methods',
      },
      {
        slug: 'guide/callbacks',
        title: 'Callbacks',
        summary: 'When callbacks are sent, how to verify them, and how they are retried.',
        keys: 'webhook webhooks notification ipn postback',
      },
      {
        slug: 'guide/refunds',
        title: 'Refunds, captures and voids',
        summary: 'Capture an authorisation, return money, and undo a payment, on each protocol.',
        keys: 'refund capture void cancel reversal partial',
      },
      {
        slug: 'guide/idempotency',
        title: 'Idempotency and retries',
        summary: 'Repeat a request safely after a timeout, and tell two refunds apart.',
        keys: 'timeout duplicate double charge repeat retry lost response',
      },
      {
        slug: 'guide/3d-secure',
        title: '3-D Secure',
        summary: 'When the payer is authenticated, what you receive, and how to test it.',
        keys: '3ds 3ds2 sca authentication challenge',
      },
      {
        slug: 'guide/recurring',
        title: 'Saved cards and subscriptions',
        summary: 'Charge a card again: saved cards, recurring payments and schedules.',
        keys: 'subscription subscriptions recurring schedule token tokenisation',
      },
      {
        slug: 'guide/payouts',
        title: 'Payouts and transfers',
        summary: 'Send money to a card or a wallet, and from card to card.',
        keys: 'withdrawal credit disbursement',
      },
      {
        slug: 'guide/wallets',
        title: 'Apple Pay and Google Pay',
        summary: 'Set up the wallet buttons of the payment page, and how tokens are processed.',
        keys: 'wallet wallets apple google',
      },
      {
        slug: 'guide/testing',
        title: 'Test your integration',
        summary: 'Outcomes, faults, and callbacks on your own machine.',
        keys: 'test fault localhost ngrok tunnel',
      },
      {
        slug: 'guide/sandbox',
        title: 'Sandbox',
        summary: 'The provider simulator, the demo shop, and the controls for automated tests.',
        keys: 'simulator test control clock',
      },
      {
        slug: 'guide/troubleshooting',
        title: 'Troubleshooting',
        summary: 'Symptoms, their causes, and what to do.',
        keys: 'faq help problem does not work',
      },
      {
        slug: 'guide/pci',
        title: 'PCI scope',
        summary: 'Which PCI DSS obligations each integration leaves with you.',
        keys: 'pci dss saq compliance',
      },
      {
        slug: 'guide/going-live',
        title: 'Go live',
        summary: 'The checklist before the first live payment.',
        keys: 'production launch checklist',
      },
    ],
  },
  {
    title: 'Dashboard',
    pages: [
      {
        slug: 'dashboard/users-and-roles',
        title: 'Users and roles',
        summary: 'Invite users, assign roles, and secure sign-in.',
        keys: 'login permissions two-factor 2fa invite',
      },
      {
        slug: 'dashboard/merchants-and-keys',
        title: 'Merchants and keys',
        summary: 'Create a merchant, issue its keys, rotate and revoke them.',
        keys: 'api key rotate revoke',
      },
      {
        slug: 'dashboard/mids-mappings-routing',
        title: 'MIDs, mappings and routing',
        summary: 'Connect merchants to providers, and route payments to MIDs.',
        keys: 'merchant account mid acquirer',
      },
      { slug: 'dashboard/branding', title: 'Branding', summary: 'Logo, colours, texts and links of the payment page.' },
      {
        slug: 'dashboard/payments',
        title: 'Payments, refunds and chargebacks',
        summary: 'Find a payment, refund it, and follow a dispute.',
        keys: 'dispute chargebacks refund',
      },
      {
        slug: 'dashboard/exports',
        title: 'Exports',
        summary: 'Download payments as CSV for accounting and reconciliation.',
        keys: 'csv report download',
      },
    ],
  },
  {
    title: 'Operations',
    pages: [
      {
        slug: 'operations/install',
        title: 'Install on one server',
        summary: 'From an empty machine to the first live payment.',
        keys: 'installation nginx caddy systemd tls vm server production',
      },
      {
        slug: 'operations/compose',
        title: 'Docker Compose',
        summary: 'Build the image and run it with PostgreSQL.',
        keys: 'docker container image kubernetes',
      },
      {
        slug: 'operations/high-availability',
        title: 'High availability',
        summary: 'Several processes and machines, and the settings of each part.',
        keys: 'scaling haproxy pgbouncer patroni cluster failover replicas',
      },
      {
        slug: 'operations/configuration',
        title: 'Configuration',
        summary: 'Where settings come from and how they are checked.',
      },
      {
        slug: 'operations/keys',
        title: 'Secrets and key rotation',
        summary: 'The vault key, how to rotate it, and how to find stored card data.',
        keys: 'vault key rotation secrets encryption',
      },
      {
        slug: 'operations/limits',
        title: 'Limits',
        summary: 'Limits of requests, sizes, card testing and turnover, with their defaults.',
        keys: 'rate limit throttling 429 body size',
      },
      {
        slug: 'operations/users',
        title: 'Users',
        summary: 'Create the first user of a deployment; the rules of sign-in.',
      },
      {
        slug: 'operations/backup',
        title: 'Backup and restore',
        summary: 'Back up the database, and rehearse the restore.',
        keys: 'restore dump disaster recovery',
      },
      {
        slug: 'operations/upgrade',
        title: 'Upgrade and roll back',
        summary: 'Install a new version, and return to the old one.',
        keys: 'rollback update migration version',
      },
      {
        slug: 'operations/health-checks',
        title: 'Health checks',
        summary: 'Liveness, readiness, unresolved items, clocks, and slow work.',
        keys: 'healthz readyz liveness readiness health clock',
      },
      {
        slug: 'operations/monitoring',
        title: 'Monitoring and alerts',
        summary: 'What to watch, with a file of alert rules.',
        keys: 'prometheus alert alerts grafana',
      },
      {
        slug: 'operations/logs-and-traces',
        title: 'Logs and traces',
        summary: 'What is logged, and how to export traces.',
        keys: 'logging log opentelemetry tracing',
      },
      {
        slug: 'operations/security',
        title: 'Security',
        summary: 'Rate limits, card testing, strong signatures, content security policy, SBOM.',
        keys: 'headers csp card testing sbom strong signature',
      },
      {
        slug: 'operations/data-retention',
        title: 'Data retention and erasure',
        summary: 'What is stored for how long, and how to erase it.',
        keys: 'gdpr erasure privacy delete',
      },
      {
        slug: 'operations/ledger-check',
        title: 'Ledger check',
        summary: 'The invariants of the accounting data, and the command that verifies them.',
        keys: 'audit reconciliation accounting',
      },
      {
        slug: 'operations/runbooks',
        title: 'Runbooks',
        summary: 'Procedures for serious incidents.',
        keys: 'incident outage emergency',
      },
    ],
  },
  {
    title: 'Providers',
    pages: [
      {
        slug: 'providers/contract',
        title: 'Provider contract',
        summary: 'The HTTP interface between Florin and a card or payment provider.',
        keys: 'psp acquirer connector',
      },
      {
        slug: 'providers/adapter',
        title: 'Write an adapter',
        summary: 'A small server that translates the contract to a processor, with a complete example.',
      },
      {
        slug: 'providers/conformance',
        title: 'Conformance test',
        summary: 'Run the checks of the contract against your provider or adapter.',
        keys: 'certification provider test',
      },
    ],
  },
  {
    title: 'Reference',
    pages: [
      {
        slug: 'reference/api',
        title: 'API reference',
        summary: 'Every operation: fields, signature, responses, errors; and the OpenAPI documents.',
      },
      {
        slug: 'reference/signatures',
        title: 'Signatures',
        summary: 'Every formula, each with a worked example.',
        keys: 'hash md5 sha1 hmac sign',
      },
      {
        slug: 'reference/errors',
        title: 'Errors',
        summary: 'Every error code with its cause and its remedy.',
        keys: 'error code codes',
      },
      {
        slug: 'reference/decline-reasons',
        title: 'Decline reasons',
        summary: 'The classes of declines, what the payer sees, and what to do.',
        keys: 'decline declined insufficient funds do not honour',
      },
      {
        slug: 'reference/states',
        title: 'Payment states',
        summary: 'The states of a payment and the moves between them.',
        keys: 'status lifecycle diagram',
      },
      {
        slug: 'reference/callback-fields',
        title: 'Callback fields',
        summary: 'Every field of a callback, by protocol.',
      },
      {
        slug: 'reference/methods',
        title: 'Payment methods',
        summary: 'Every method: what the payer does, its parameters and their formats.',
      },
      {
        slug: 'reference/test-cards',
        title: 'Test cards',
        summary: 'Every sandbox card and its outcome.',
        keys: 'test numbers 4111',
      },
      {
        slug: 'reference/mapping',
        title: 'Protocol mapping',
        summary: 'Required fields, additional callback fields, and options per merchant and protocol.',
      },
      {
        slug: 'reference/routing',
        title: 'Routing rules',
        summary: 'How a MID is chosen: rules, fallback, limits, countries.',
        keys: 'cascade cascading fallback failover bin',
      },
      {
        slug: 'reference/languages',
        title: 'Languages',
        summary: 'The 21 languages of the payment page, and how one is chosen.',
        keys: 'i18n translation locale',
      },
      {
        slug: 'reference/environment',
        title: 'Environment variables',
        summary: 'Every setting with its default, by topic.',
        keys: 'settings env configuration variables',
      },
      {
        slug: 'reference/cli',
        title: 'Commands',
        summary: 'Every command of a deployment.',
        keys: 'cli command npm scripts',
      },
      { slug: 'reference/metrics', title: 'Metrics', summary: 'The series of /metrics and their labels.' },
      {
        slug: 'reference/versions',
        title: 'Versions and deprecations',
        summary: 'What version 6.7.0 of the interface changed.',
        keys: 'deprecation compatibility breaking changes',
      },
      {
        slug: 'reference/unspecified',
        title: 'Gaps in the specification',
        summary: 'What the interface names without describing, and what Florin does there.',
      },
      {
        slug: 'reference/glossary',
        title: 'Glossary',
        summary: 'The terms of payments, routing and the service.',
        keys: 'terms definitions vocabulary terminology',
      },
      { slug: 'reference/changelog', title: 'Changelog', summary: 'What each version of Florin changed.' },
    ],
  },
  {
    title: 'Contributing',
    pages: [
      {
        slug: 'contributing/chaos-tests',
        title: 'Chaos tests',
        summary: 'Crashes, races, faults and malformed requests, as commands to run.',
      },
      {
        slug: 'contributing/benchmarks',
        title: 'Benchmarks',
        summary: 'Throughput, latency and cost, and how they are measured.',
      },
    ],
  },
];

export const docPages: readonly DocPage[] = docGroups.flatMap(({ pages }) => pages);

/** Former paths below /docs, each with the page that it redirects to. */
export const movedPages: Readonly<Record<string, string>> = {
  florin: 'guide/overview',
  'first-payment': 'guide/quickstart',
  checkout: 'guide/hosted-checkout',
  'hosted-fields': 'guide/hosted-fields',
  'client-sdk': 'guide/client-sdk',
  's2s-card': 'guide/s2s-card',
  's2s-apm': 'guide/s2s-apm',
  callbacks: 'guide/callbacks',
  idempotency: 'guide/idempotency',
  recurring: 'guide/recurring',
  payouts: 'guide/payouts',
  wallets: 'guide/wallets',
  sandbox: 'guide/sandbox',
  pci: 'guide/pci',
  'going-live': 'guide/going-live',
  scaling: 'operations/high-availability',
  configuration: 'operations/configuration',
  operations: 'operations/health-checks',
  security: 'operations/security',
  auditor: 'operations/ledger-check',
  'provider-contract': 'providers/contract',
  adapter: 'providers/adapter',
  reference: 'reference/api',
  signatures: 'reference/signatures',
  errors: 'reference/errors',
  states: 'reference/states',
  methods: 'reference/methods',
  'sandbox-cards': 'reference/test-cards',
  mapping: 'reference/mapping',
  routing: 'reference/routing',
  languages: 'reference/languages',
  version: 'reference/versions',
  unspecified: 'reference/unspecified',
  proofs: 'contributing/chaos-tests',
  benchmarks: 'contributing/benchmarks',
};
