// The data that all samples of a payer's page share: shop, order, addresses and the time.
import { locales } from '../../lib/core/locales';
import type { PageShell } from '../../lib/payer/contract';

export const sampleLanguages = locales.map(({ code, bcp47, name }) => ({ code, lang: bcp47, name }));

/** The time of every sample. */
export const sampleNow = new Date('2026-11-20T14:06:00Z');

export const sampleShell: PageShell = {
  merchant: {
    name: 'Orme Ceramics',
    site: 'orme-ceramics.example',
    logo: { src: '/logo.svg', square: true },
  },
  order: {
    number: '10428',
    description: 'Two stoneware bowls, ash glaze',
    amount: { minor: 8450n, currency: 'EUR' },
    email: 'mia.lindqvist@mail.example',
  },
  pageUrl: '/pay/sample',
  cancelUrl: '/pay/sample/cancel',
  hidden: { guard: 'c0ffee', attempt: '1' },
  languages: sampleLanguages,
  legal: { privacy: '/privacy', terms: '/terms' },
  live: {
    eventsUrl: '/pay/sample/events',
    stateUrl: '/pay/sample/state',
    version: 'form',
    expiresAt: new Date(sampleNow.getTime() + 3_600_000),
  },
};
