/** The currency of a MID's limits: its first, or EUR. Other currencies have the same limit in minor units. */
export function limitCurrencyOf(currencies: readonly string[]): string {
  return currencies[0] ?? 'EUR';
}

/** The values of a new MID's form. */
export const newMidValues = {
  name: '',
  priority: 100,
  paymentMode: 'sms_dms' as const,
  connector: 'http',
  provider: 'own' as const,
  url: '',
  apiKey: '',
  signingSecret: '',
  timeoutSeconds: null,
  methods: ['card'],
  credentials: {},
  currencies: [],
  operations: [],
  cardBrands: [],
  cardOnFileSupport: false,
  overrideLinkTarget: '' as const,
  refundSupport: 'api' as const,
  lateSuccess: 'void' as const,
  zeroAmounts: false,
  feePercent: '',
  feeFixed: '',
  feePayerBears: false,
  holdDays: 7,
  dailyLimit: '',
  monthlyLimit: '',
  payerTextMax: null,
  wallet: '' as const,
  cardSets: [],
};
