// The pages of the documentation, in groups and in reading order. Each is a file of Markdown in docs/; its first heading is
// its title.

export type DocPage = { slug: string; title: string; summary: string };

export const docGroups: readonly { title: string; pages: readonly DocPage[] }[] = [
  {
    title: 'Begin',
    pages: [
      { slug: 'florin', title: 'What Florin is', summary: 'Ways to take a payment, the words, and what is promised.' },
      {
        slug: 'first-payment',
        title: 'First payment',
        summary: 'From a signed request to a verified callback, in your language.',
      },
    ],
  },
  {
    title: 'With a page of ours',
    pages: [
      {
        slug: 'checkout',
        title: 'Checkout',
        summary: 'Sessions, holds, captures, refunds, status: the JSON protocol.',
      },
      {
        slug: 'hosted-fields',
        title: 'Hosted fields',
        summary: "The card's inputs inside of your own page, which never meets a digit.",
      },
      {
        slug: 'wallets',
        title: 'Wallets',
        summary: 'Apple Pay and Google Pay on the hosted page: what has to be set up, and what becomes of a token.',
      },
      {
        slug: 'client-sdk',
        title: 'Client SDK',
        summary: 'Checkout as a package for Node, browsers and React Native, with the payment page in your own.',
      },
    ],
  },
  {
    title: 'From server to server',
    pages: [
      {
        slug: 's2s-card',
        title: 'S2S CARD',
        summary: 'Card payments from your own server: signing, actions, recurring charges, schedules.',
      },
      {
        slug: 's2s-apm',
        title: 'S2S APM',
        summary: 'All other methods from your own server: signing, what payers are shown, payouts, commissions.',
      },
    ],
  },
  {
    title: 'Further payments',
    pages: [
      {
        slug: 'recurring',
        title: 'Recurring payments',
        summary: 'Chains and schedules: the same card again, by your request or by itself.',
      },
      { slug: 'payouts', title: 'Payouts and transfers', summary: 'Money to a card, and from card to card.' },
      { slug: 'routing', title: 'Routing', summary: 'Several merchant accounts: rules, cascades and limits.' },
    ],
  },
  {
    title: 'Reference',
    pages: [
      {
        slug: 'reference',
        title: 'API reference',
        summary: 'Every operation: fields, signature, answers, refusals; and the OpenAPI documents.',
      },
      { slug: 'signatures', title: 'Signatures', summary: 'Every formula, and a worked example of each.' },
      { slug: 'callbacks', title: 'Callbacks', summary: 'What arrives when, how to check it, when it is sent again.' },
      {
        slug: 'idempotency',
        title: 'Idempotency and retries',
        summary: 'How to send a request again safely after a timeout, and how to tell two refunds apart.',
      },
      { slug: 'states', title: 'States', summary: 'The life of a payment, move by move.' },
      { slug: 'errors', title: 'Errors', summary: 'Every refusal with its code and its condition.' },
      {
        slug: 'methods',
        title: 'Payment methods',
        summary: 'Every method: what the payer goes through, its parameters and their formats.',
      },
      {
        slug: 'mapping',
        title: 'Protocol mapping',
        summary: 'What requests must carry, and what callbacks tell besides.',
      },
      { slug: 'languages', title: 'Languages', summary: "The 21 languages of payers' pages, and which one is chosen." },
    ],
  },
  {
    title: 'Try it',
    pages: [
      {
        slug: 'sandbox',
        title: 'The sandbox',
        summary: 'Its provider and bank, and the controls for automatic tests.',
      },
      { slug: 'sandbox-cards', title: 'Sandbox cards', summary: 'Every test card and what it leads to.' },
    ],
  },
  {
    title: 'Go live',
    pages: [
      { slug: 'going-live', title: 'Going live', summary: 'What to have, and what to have tried.' },
      { slug: 'pci', title: 'Security and PCI scope', summary: 'What each way of integrating leaves with you.' },
      { slug: 'version', title: 'Version 6.7.0', summary: 'What the version of the interface changed.' },
      { slug: 'unspecified', title: 'What is left open', summary: 'What the contract names without describing.' },
    ],
  },
  {
    title: 'Run it',
    pages: [
      { slug: 'configuration', title: 'Configuration', summary: 'Every setting, and how to upgrade.' },
      {
        slug: 'operations',
        title: 'Operations',
        summary: 'Health, metrics, logs, backup and restore of a deployment.',
      },
      {
        slug: 'scaling',
        title: 'Scaling out',
        summary: 'Several processes and machines, with the settings of each part.',
      },
      {
        slug: 'security',
        title: 'Security',
        summary: 'Limits of requests, and what is done against those who come to harm.',
      },
      {
        slug: 'auditor',
        title: 'The auditor',
        summary: 'The invariants of the books, and the command that checks them.',
      },
      { slug: 'proofs', title: 'Proofs', summary: 'Crashes, races, faults and hostile requests, as commands to run.' },
      {
        slug: 'benchmarks',
        title: 'Benchmarks',
        summary: 'What it costs and how fast it is, and how that is measured.',
      },
    ],
  },
  {
    title: 'Connect a provider',
    pages: [
      {
        slug: 'provider-contract',
        title: 'Provider contract',
        summary: 'How a card or payment provider is connected.',
      },
      { slug: 'adapter', title: 'Writing an adapter', summary: 'A server in between, with a complete example.' },
    ],
  },
];

export const docPages: readonly DocPage[] = docGroups.flatMap(({ pages }) => pages);
