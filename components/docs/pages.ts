// The pages of the documentation, in reading order. Each is a file of Markdown in docs/; its first heading is its title.

export type DocPage = { slug: string; title: string; summary: string };

export const docPages: readonly DocPage[] = [
  {
    slug: 'first-payment',
    title: 'First payment',
    summary: 'From a signed request to a callback, with curl alone.',
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
  {
    slug: 'payouts',
    title: 'Payouts, transfers, chains',
    summary: 'Money to a card, from card to card, the same card again, and several merchant accounts.',
  },
  {
    slug: 'reference',
    title: 'API reference',
    summary: 'Every operation: fields, signature, answers, refusals; and the OpenAPI documents.',
  },
  {
    slug: 'methods',
    title: 'Payment methods',
    summary: 'Every method: what the payer goes through, its parameters and their formats.',
  },
  { slug: 'sandbox-cards', title: 'Sandbox cards', summary: 'Every test card and what it leads to.' },
  { slug: 'callbacks', title: 'Callbacks', summary: 'What arrives when, how to check it, when it is sent again.' },
  { slug: 'states', title: 'States', summary: 'The life of a payment, move by move.' },
  { slug: 'errors', title: 'Errors', summary: 'Every refusal with its code and its condition.' },
  { slug: 'sandbox', title: 'The sandbox', summary: 'Its provider and bank, and the controls for automatic tests.' },
  {
    slug: 'provider-contract',
    title: 'Provider contract',
    summary: 'How a card or payment provider is connected.',
  },
  {
    slug: 'operations',
    title: 'Operations',
    summary: 'Health, metrics, logs, backup and restore of a deployment.',
  },
  {
    slug: 'security',
    title: 'Security',
    summary: 'Limits of requests, and what is done against those who come to harm.',
  },
  {
    slug: 'scaling',
    title: 'Scaling out',
    summary: 'Several processes and a worker over a PostgreSQL that fails over: settings, restarts, upgrades.',
  },
  { slug: 'auditor', title: 'The auditor', summary: 'The invariants of the books, and the command that checks them.' },
  { slug: 'proofs', title: 'Proofs', summary: 'Crashes, races, faults and hostile requests, as commands to run.' },
  { slug: 'benchmarks', title: 'Benchmarks', summary: 'What it costs and how fast it is, and how that is measured.' },
];
