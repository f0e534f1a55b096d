// Merchants and MIDs that a test creates over the dashboard API, so that it can change them.
import { randomUUID } from 'node:crypto';
import { demoPassword, type Visitor } from './dashboard.ts';
import type { Credentials } from './merchants.ts';

/** A merchant that a test creates. `credentials` are those of its first key. */
export type OwnMerchant = { id: string; name: string; keyId: string; credentials: Credentials };

/** Re-authenticates a user, as required for showing passwords. */
export async function reauthenticate(user: Visitor): Promise<void> {
  const { status, body } = await user.post('/confirm', { password: demoPassword() });
  if (status !== 200) throw new Error(`the re-authentication failed: ${status} ${JSON.stringify(body)}`);
}

/** The settings of a merchant as the form submits them. */
export function merchantBody(change: object = {}) {
  const name = `Shop ${randomUUID()}`;
  return {
    name,
    site: '',
    supportEmail: '',
    privacyUrl: '',
    termsUrl: '',
    frameAncestors: [],
    integration: 'shop_plugin',
    appSchemes: [],
    ...change,
  };
}

/** Creates a merchant. It accepts no payments until it has a MID. */
export async function makeMerchant(user: Visitor, change: object = {}): Promise<OwnMerchant> {
  await reauthenticate(user);
  const sent = merchantBody(change);
  const { status, body } = await user.post('/merchants', sent);
  if (status !== 200) throw new Error(`no merchant: ${status} ${JSON.stringify(body)}`);
  const { id: keyId, key, password } = body.pair;
  return { id: body.id, name: sent.name, keyId, credentials: { key, password, digest: 'md5' } };
}

/** The settings of a MID as the form submits them: cards at the sandbox provider. */
export function midBody(change: object = {}) {
  return {
    name: `MID ${randomUUID()}`,
    priority: 100,
    paymentMode: 'sms_dms',
    connector: 'http',
    provider: 'sandbox',
    url: '',
    apiKey: '',
    signingSecret: '',
    timeoutSeconds: 6,
    methods: ['card'],
    credentials: {},
    currencies: [],
    operations: [],
    cardBrands: [],
    cardOnFileSupport: false,
    overrideLinkTarget: '',
    refundSupport: 'api',
    lateSuccess: 'void',
    zeroAmounts: false,
    feePercent: '',
    feeFixed: '',
    feePayerBears: false,
    holdDays: 7,
    dailyLimit: '',
    monthlyLimit: '',
    payerTextMax: null,
    wallet: '',
    cardSets: [],
    ...change,
  };
}

/** Creates a MID of a merchant; returns it. */
export async function makeMid(user: Visitor, merchantId: string, change: object = {}) {
  const { status, body } = await user.post('/mids', { merchantId, ...midBody(change) });
  if (status !== 200) throw new Error(`no MID: ${status} ${JSON.stringify(body)}`);
  return body;
}
