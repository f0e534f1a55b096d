// The sandbox merchants that tests act as. The documentation uses the demo merchant; the others are seeded for tests,
// with the keys and passwords that e2e/seed/test-merchants.ts derives.

export type Credentials = { key: string; password: string; digest: 'md5' | 'sha256' };

/** The merchant whose credentials every sandbox shares. */
export const demo: Credentials = {
  key: '5a0c6b1e-8f4d-4c2a-9d37-1e6b7f20c9a4',
  password: 'f3b1c5d79e2a4b6c8d0e1f2a3b4c5d6e',
  digest: 'md5',
};

/** The demo merchant's key of the other environment. */
export const demoLiveKey = 'b7e2d940-3c15-4f8a-8a61-70d5c3e9f128';

function credentials(number: number, letter: 'a' | 'b', digest: 'md5' | 'sha256' = 'md5'): Credentials {
  const tail = String(number).padStart(8, '0');
  const hex = number.toString(16).padStart(4, '0');
  return {
    key: `7e57${letter.repeat(4)}-${hex}-4000-9000-0000${tail}`,
    password: `${letter}ec2e7${hex}f1o21n${tail}pa55wo2d`,
    digest,
  };
}

/** The name of each merchant says what it is for. */
export const merchants = {
  demo,
  plain: credentials(1, 'a'),
  other: credentials(2, 'a'),
  smsOnly: credentials(3, 'a'),
  dmsOnly: credentials(4, 'a'),
  payerFields: credentials(5, 'a'),
  twoDeclines: credentials(6, 'a'),
  neverReuses: credentials(7, 'a'),
  alwaysReuses: credentials(8, 'a'),
  distantAllowlist: credentials(9, 'a'),
  localAllowlist: credentials(10, 'a'),
  additions: credentials(11, 'a', 'sha256'),
  returnParameters: credentials(12, 'a'),
  portalRefunds: credentials(13, 'a'),
  noRefunds: credentials(14, 'a'),
  zeroAmounts: credentials(15, 'a'),
  framed: credentials(16, 'a'),
  topTarget: credentials(17, 'a'),
  defaultAddress: credentials(18, 'a'),
  mappingOff: credentials(19, 'a'),
  midOff: credentials(20, 'a'),
  euroPurchases: credentials(21, 'a'),
  german: credentials(22, 'a'),
  look: credentials(23, 'a'),
  oldKey: credentials(24, 'a'),
  dailyMidLimit: credentials(25, 'a'),
  monthlyMidLimit: credentials(26, 'a'),
  dailyMappingLimit: credentials(27, 'a'),
  weeklyMappingLimit: credentials(28, 'a'),
  closed: credentials(29, 'a'),
  impatient: credentials(30, 'a'),
  threeMids: credentials(31, 'a'),
  noCascade: credentials(32, 'a'),
  twoOfThree: credentials(33, 'a'),
  rules: credentials(34, 'a'),
  limitedFirst: credentials(35, 'a'),
  twoRetries: credentials(36, 'a'),
  cardOnFile: credentials(40, 'a'),
  instalments: credentials(41, 'a'),
  methods: credentials(42, 'a'),
  methodAdditions: credentials(43, 'a', 'sha256'),
  payerBears: credentials(44, 'a'),
  merchantBears: credentials(45, 'a'),
  methodsAndFields: credentials(51, 'a'),
  fewMethods: credentials(52, 'a'),
  sets: credentials(60, 'a'),
  crowdedMid: credentials(61, 'a'),
  crowdedMapping: credentials(62, 'a'),
  crowdedCascade: credentials(63, 'a'),
  cascadeInLimit: credentials(64, 'a'),
  countedLimits: credentials(66, 'a'),
  ownProvider: credentials(65, 'a'),
  wallets: credentials(70, 'a'),
  walletsWithoutKeys: credentials(71, 'a'),
  walletTokensOnly: credentials(72, 'a'),
  walletButtons: credentials(73, 'a'),
  walletTokensPassedOn: credentials(74, 'a'),
  walletsNotTaken: credentials(75, 'a'),
  walletButtonsAndMore: credentials(76, 'a'),
  walletSettings: credentials(80, 'a'),
  lookSettings: credentials(83, 'a'),
  overview: credentials(84, 'a'),
  attention: credentials(85, 'a'),
  lateProvider: credentials(160, 'a'),
  lateProviderAlone: credentials(161, 'a'),
  lateProviderPatient: credentials(162, 'a'),
  answerProvider: credentials(164, 'a'),
  answerProviderAlone: credentials(165, 'a'),
  answerProviderPatient: credentials(166, 'a'),
  disputeProvider: credentials(168, 'a'),
  clockProviderAlone: credentials(173, 'a'),
  clockProviderPatient: credentials(174, 'a'),
  approvalProvider: credentials(176, 'a'),
  approvalProviderAlone: credentials(177, 'a'),
  approvalProviderRefunding: credentials(179, 'a'),
  allMissed: credentials(86, 'a'),
  noneMissed: credentials(87, 'a'),
  lateApprovals: credentials(88, 'a'),
  lateApprovalsRefunded: credentials(89, 'a'),
  otherClients: credentials(90, 'a'),
  shortTexts: credentials(91, 'a'),
  savedCards: credentials(92, 'a'),
  flashSale: credentials(93, 'a'),
  cardBrands: credentials(94, 'a'),
  limitOfOne: credentials(95, 'a'),
  otherBrands: credentials(96, 'a'),
  limitOfOneSession: credentials(97, 'a'),
  plainLive: credentials(1, 'b'),
  mappingOffLive: credentials(19, 'b'),
} satisfies Record<string, Credentials>;

/** The dashboard's id of the merchant with this number. */
export function merchantId(number: number): string {
  return `7e570001-0000-4000-8000-0000${String(number).padStart(8, '0')}`;
}

/** The port and path of the notification address of the merchant `defaultAddress`. */
export const defaultAddress = { port: 21873, path: '/by-default' };

/** The only origin that may frame the pages of the merchant `framed`. */
export const framingOrigin = 'http://shop.florin.test';

/** The port of the accounts of the merchant `ownProvider`, at `/a` and `/b`. */
export const ownProviderPort = 21874;

/**
 * The ports of the scripted providers, each used by one test file at a time. Their merchants' accounts are at `/a` and
 * `/b`.
 */
export const scriptedProviderPorts = { late: 21880, answer: 21881, dispute: 21882, clock: 21883, approval: 21884 };
