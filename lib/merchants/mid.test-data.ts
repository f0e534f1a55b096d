/** A merchant account for unit tests: it takes cards in every way, and each test says in what its own is different. */
import type { Mid } from './merchants';

export function midWith(given: Partial<Mid>): Mid {
  return {
    id: 'mid',
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
    ...given,
  };
}
