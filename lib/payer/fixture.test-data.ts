// Complete payments, sessions and attempts for the unit tests of this room; a test sets only the members it is about.

import type { Payment, Session, Transaction } from '../core/payment';
import type { Mapping, Mid } from '../merchants/merchants';
import { midWith } from '../merchants/mid.test-data';
import type { View } from './view';

const at = new Date('2026-11-20T11:00:00Z');

export const action = { url: 'https://acs.bank.example/challenge', method: 'POST' as const, params: { creq: 'abc' } };

export function payment(members: Partial<Payment>): Payment {
  return {
    id: '0199a000-0000-7000-8000-000000000001',
    merchantId: '0199a000-0000-7000-8000-0000000000aa',
    keyId: '0199a000-0000-7000-8000-0000000000bb',
    protocol: 'checkout',
    operation: 'purchase',
    state: 'prepare',
    version: 0,
    current: true,
    orderNumber: '10428',
    orderAmount: '84.50',
    currency: 'EUR',
    amountMinor: 8450n,
    description: 'Two stoneware bowls, ash glaze',
    settledMinor: 0n,
    refundedMinor: 0n,
    refundingMinor: 0n,
    chargedBackMinor: 0n,
    authorizeOnly: false,
    recurringInit: false,
    requestToken: false,
    payer: {},
    payee: {},
    parameters: {},
    customData: null,
    notificationUrl: null,
    channelId: null,
    scheduleId: null,
    scheduleStart: null,
    scheduleAmount: null,
    attemptId: null,
    inFlightId: null,
    attempts: 0,
    declines: 0,
    method: null,
    card: null,
    cardToken: null,
    returnUrl: null,
    returnTarget: null,
    firstRecurring: null,
    routingLog: [],
    recurringToken: null,
    recurringFirstId: null,
    subscriptionId: null,
    digitalWallet: null,
    panType: null,
    reason: null,
    createdAt: at,
    updatedAt: at,
    settledAt: null,
    ...members,
  };
}

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
    ...members,
  };
}

export function transaction(members: Partial<Transaction>): Transaction {
  return {
    id: '0199a000-0000-7000-8000-000000000002',
    paymentId: '0199a000-0000-7000-8000-000000000001',
    kind: 'sale',
    status: 'sent',
    amountMinor: 8450n,
    currency: 'EUR',
    midId: '0199a000-0000-7000-8000-0000000000cc',
    method: 'card',
    attemptId: null,
    providerData: {},
    action: null,
    browser: null,
    declineCode: null,
    declineReason: null,
    declineClass: null,
    declineSoft: null,
    cancelReason: null,
    initiator: null,
    source: null,
    sequence: null,
    polls: 0,
    responseDueAt: null,
    overdueSeconds: null,
    receivedByProviderAt: null,
    settingsVersion: 1,
    rejectedCancels: 0,
    dueAt: null,
    createdAt: at,
    finishedAt: null,
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
        radius: null,
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
