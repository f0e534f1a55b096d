// Sessions, mappings and views for the unit tests of this room; a test sets only the members it is about.

import { payment } from '../core/payment.test-data.ts';
import type { Session } from '../core/payment.ts';
import type { Mapping, Mid } from '../merchants/merchants.ts';
import { midWith } from '../merchants/mid.test-data.ts';
import type { View } from './view.ts';

export { payment, transaction } from '../core/payment.test-data.ts';

export const action = { url: 'https://acs.bank.example/challenge', method: 'POST' as const, params: { creq: 'abc' } };

export function session(members: Partial<Session>): Session {
  return {
    paymentId: '0199a000-0000-7000-8000-000000000001',
    methods: [],
    language: null,
    successUrl: 'https://shop.example/thanks',
    cancelUrl: 'https://shop.example/basket',
    errorUrl: null,
    expiryUrl: null,
    returnUrl: null,
    linkTarget: null,
    cardTokens: [],
    formId: null,
    expiresAt: new Date('2026-11-20T13:00:00Z'),
    cancelledAt: null,
    hostedFields: false,
    consentRequired: false,
    repeatedStops: [],
    ...members,
  };
}

export function mapping(members: Partial<Mapping>): Mapping {
  return {
    protocol: 'checkout',
    enabled: true,
    digest: 'md5',
    requiredPayerFields: [],
    callbackFields: [],
    statusFields: [],
    redirectParameters: false,
    offerSavingCards: false,
    pendingUrl: null,
    defaultLanguage: null,
    maximumDeclines: null,
    orderIdReuse: 'after_failed',
    ipAllowlist: [],
    defaultNotificationUrl: null,
    ...members,
  } as Mapping;
}

export function mid(members: Partial<Mid>): Mid {
  return midWith({ id: '0199a000-0000-7000-8000-0000000000cc', name: 'Cards', ...members });
}

export function view(members: Partial<View> & Pick<View, 'screen'>): View {
  return {
    token: 'TOKEN',
    payment: payment({}),
    session: session({}),
    attempt: null,
    wallets: [],
    version: members.screen.kind,
    caller: {
      merchant: {
        id: '0199a000-0000-7000-8000-0000000000aa',
        name: 'Orme Ceramics',
        site: 'orme-ceramics.example',
        logoUrl: null,
        logo: null,
        supportEmail: null,
        pageTexts: {},
        accent: null,
        background: null,
        radius: null,
        font: null,
        privacyUrl: null,
        termsUrl: null,
        frameAncestors: [],
        appSchemes: [],
      },
      key: { id: '0199a000-0000-7000-8000-0000000000bb', environment: 'sandbox', key: 'key', password: 'password' },
      mapping: mapping({}),
      mids: [mid({})],
    },
    ...members,
  };
}
