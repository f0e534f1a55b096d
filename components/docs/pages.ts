// The pages of the documentation, in reading order. Each is a file of Markdown in docs/; its first heading is its title.

export type DocPage = { slug: string; title: string; summary: string };

export const docPages: readonly DocPage[] = [
  {
    slug: 'first-payment',
    title: 'First payment',
    summary: 'From a signed request to a callback, with curl alone.',
  },
  {
    slug: 's2s-card',
    title: 'S2S CARD',
    summary: 'Card payments from your own server: signing, actions, recurring charges, schedules.',
  },
  {
    slug: 'payouts',
    title: 'Payouts, transfers, chains',
    summary: 'Money to a card, from card to card, the same card again, and several merchant accounts.',
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
];
