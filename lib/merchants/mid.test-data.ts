/** A MID for unit tests that accepts all card payments; each test overrides what it needs. */
import type { Mid } from './merchants.ts';

export function midWith(overrides: Partial<Mid>): Mid {
  return {
    id: 'mid',
    merchantId: 'merchant',
    name: 'MID',
    enabled: true,
    priority: 100,
    paymentMode: 'sms_dms',
    connector: 'http',
    settings: { url: 'http://provider.test', apiKey: 'k', signingSecret: 'whsec_c2VjcmV0' },
    capabilities: {},
    methods: ['card'],
    currencies: [],
    operations: [],
    cardBrands: [],
    overrideLinkTarget: null,
    cardOnFileSupport: false,
    refundSupport: 'api',
    zeroAmounts: false,
    feeOptions: {},
    holdDays: 7,
    dailyLimitMinor: null,
    monthlyLimitMinor: null,
    lateSuccess: 'void',
    settingsVersion: 1,
    ...overrides,
  };
}
