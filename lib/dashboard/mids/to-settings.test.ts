import { describe, expect, it } from 'vitest';
import { parseRanges } from '../../config/address-ranges.ts';
import type { StoredMid } from '../../merchants/mid-settings.ts';
import { DashboardError } from '../errors.ts';
import { missingCapabilities } from './connection.ts';
import { newMidValues } from './new-values.ts';
import { auditFields } from './page.ts';
import { midInput } from './schema.ts';
import { toMidSettings } from './to-settings.ts';

const good = {
  ...newMidValues,
  name: 'Baltpay DMS',
  url: 'https://baltpay.example/v1/',
  apiKey: 'key-1',
  signingSecret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZg==',
  currencies: ['EUR'],
};

const privateAddress = 'This port or private address is not allowed; PRIVATE_NETWORKS lists the allowed networks.';

type Change = Partial<Record<keyof typeof good, unknown>>;
const deployment = { allowPrivateTargets: false, privateNetworks: parseRanges('10.20.0.0/16') ?? [] };
const id = '0199a000-0000-7000-8000-000000000001';

/** The stored settings, or the errors by field. */
function settled(
  change: Change,
  stored: StoredMid['settings'] | null = null,
  appEnv: 'sandbox' | 'production' = 'sandbox',
) {
  const parsed = midInput.safeParse({ ...good, ...change });
  if (!parsed.success)
    return Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message]));
  try {
    return toMidSettings(id, parsed.data, stored, { ...deployment, appEnv });
  } catch (thrown) {
    if (thrown instanceof DashboardError) return thrown.fields;
    throw thrown;
  }
}

// The change as JSON and the resulting settings; after `!` the field and the reason for the refusal.
const table = `
  {}                                              | {"dailyLimitMinor":null,"feeOptions":{},"capabilities":{},"overrideLinkTarget":null}
  {"name":""}                                     | ! name: Enter a name.
  {"priority":-1}                                 | ! priority: Enter a whole number from 0 to 9999.
  {"priority":"100"}                              | ! priority: Enter a whole number from 0 to 9999.
  {"paymentMode":"both"}                          | ! paymentMode: Choose SMS, DMS or SMS/DMS.
  {"connector":"ftp"}                             | ! connector: Choose a connector.
  {"url":""}                                      | ! url: Enter the URL of the provider.
  {"url":"baltpay.example"}                       | ! url: Enter a full URL without a query, such as https://provider.example/v1.
  {"url":"https://a.example/v1?key=1"}            | ! url: Enter a full URL without a query, such as https://provider.example/v1.
  {"apiKey":""}                                   | ! apiKey: Enter the API key.
  {"apiKey":"a b"}                                | ! apiKey: An API key is visible ASCII characters without spaces.
  {"signingSecret":""}                            | ! signingSecret: Enter the signing secret.
  {"signingSecret":"whsec_short"}                 | ! signingSecret: A signing secret is whsec_ followed by at least 22 Base64 characters.
  {"timeoutSeconds":61}                           | ! timeoutSeconds: Enter a whole number from 1 to 60.
  {"methods":[]}                                  | ! methods: Choose at least one method.
  {"methods":["card","card"]}                     | {"methods":["card"]}
  {"methods":["cash"]}                            | ! methods.0: cash is not a method of the catalogue.
  {"currencies":["EUR","XXX"]}                    | ! currencies.1: XXX is not a supported currency.
  {"currencies":["BTC"]}                          | {"currencies":["BTC"]}
  {"operations":["refund"]}                       | ! operations.0: refund is not an operation.
  {"overrideLinkTarget":"_top"}                   | {"overrideLinkTarget":"_top"}
  {"overrideLinkTarget":"top"}                    | ! overrideLinkTarget: Choose a target.
  {"refundSupport":"maybe"}                       | ! refundSupport: Choose how refunds are made.
  {"lateSuccess":"keep"}                          | ! lateSuccess: Choose what happens to late approvals.
  {"holdDays":0}                                  | ! holdDays: Enter a whole number from 1 to 365.
  {"feePercent":"1.5","feeFixed":""}              | {"feeOptions":{"percent":"1.5","fixed":"0","payer_bears":false}}
  {"feeFixed":"0.30","feePayerBears":true}        | {"feeOptions":{"percent":"0","fixed":"0.30","payer_bears":true}}
  {"feePercent":"101"}                            | ! feePercent: Enter a percentage such as 1.5, at most 100.
  {"feePercent":"1,5"}                            | {"feeOptions":{"percent":"1.5","fixed":"0","payer_bears":false}}
  {"feeFixed":"-1"}                               | ! feeFixed: Enter an amount such as 0.30.
  {"dailyLimit":"5000"}                           | {"dailyLimitMinor":"500000"}
  {"dailyLimit":"5,000.00"}                       | {"dailyLimitMinor":"500000"}
  {"dailyLimit":"5.000,50"}                       | {"dailyLimitMinor":"500050"}
  {"dailyLimit":"5,000"}                          | ! dailyLimit: 5,000 can be read in two ways. Enter 5000, or 5.00.
  {"dailyLimit":"5000.001"}                       | ! dailyLimit: EUR has 2 decimals.
  {"dailyLimit":"0"}                              | ! dailyLimit: A limit is above zero. To stop the MID, disable it.
  {"dailyLimit":"much"}                           | ! dailyLimit: Enter an amount such as 5000.00.
  {"monthlyLimit":"7000","currencies":["JPY"]}    | {"monthlyLimitMinor":"7000"}
  {"monthlyLimit":"7000.50","currencies":["JPY"]} | ! monthlyLimit: JPY has no decimals.
  {"monthlyLimit":"1.005","currencies":["KWD"]}   | {"monthlyLimitMinor":"1005"}
  {"payerTextMax":40}                             | {"capabilities":{"payerTextMax":40}}
  {"payerTextMax":9}                              | ! payerTextMax: Enter a whole number from 10 to 255.
  {"wallet":"token","cardSets":["BNG"]}           | {"capabilities":{"wallet":"token","cardSets":["BNG"]}}
  {"wallet":"cash"}                               | ! wallet: Choose what the MID accepts from a wallet.
  {"cardSets":["XYZ"]}                            | ! cardSets.0: XYZ is not a data set.
  {"methods":["trans"]}                           | ! credentials.trans.X-API-Key: trans requires this value.
  {"methods":["trans"],"credentials":{"trans":{"X-API-Key":"a b","X-API-Secret":"c"}}} | ! credentials.trans.X-API-Key: It is sent in a header: use visible ASCII characters without spaces.
  {"methods":["kora"],"credentials":{"kora":{"fee_bearer":"provider"}}} | ! credentials.kora.fee_bearer: Choose customer or merchant.
  {"methods":["aircash-deposit"],"credentials":{"aircash-deposit":{"partner_ids":"12"}}} | ! credentials.aircash-deposit.partner_ids: Enter a currency, an equals sign and the ID, separated by spaces: EUR=1234 RON=5678.
`;

const rows = table
  .trim()
  .split('\n')
  .map((line) => line.split(' | ').map((cell) => cell.trim()) as [string, string]);

const asJson = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? String(each) : each)));

describe('the settings of a MID', () => {
  it.each(rows)('%s gives %s', (change, expected) => {
    const result = settled(JSON.parse(change));
    if (!expected.startsWith('! ')) expect(asJson(result)).toMatchObject(JSON.parse(expected));
    else expect(Object.entries(result ?? {}).map((error) => error.join(': '))[0]).toBe(expected.slice(2));
  });

  it('keep the URL without a trailing slash, and the keys sent with it', () => {
    const { settings } = settled({ timeoutSeconds: 12 }) as StoredMid;
    expect(settings).toEqual({
      url: 'https://baltpay.example/v1',
      apiKey: 'key-1',
      timeoutSeconds: 12,
      signingSecret: good.signingSecret,
    });
  });

  it.each([
    ['https://127.0.0.1/v1', privateAddress],
    ['https://[fd00::1]/v1', privateAddress],
    ['https://a.example:5432/v1', privateAddress],
    ['https://10.20.0.5:81/v1', 'saved'],
    ['https://a.example/v1', 'saved'],
  ])('of a live MID at %s: %s', (url, result) => {
    const settings = settled({ url }, null, 'production') as { url?: string };
    expect(settings.url ?? 'saved').toBe(result);
  });

  it('use https for a live MID, and never the sandbox simulator', () => {
    expect(settled({ url: 'http://a.example' }, null, 'production')).toEqual({
      url: 'A live provider requires https.',
    });
    expect(settled({ provider: 'sandbox', url: '', apiKey: '', signingSecret: '' }, null, 'production')).toMatchObject({
      provider: 'The simulator is available in the sandbox only.',
    });
  });
});

describe('stored secrets', () => {
  const stored = {
    url: 'https://baltpay.example/v1',
    apiKey: 'old-key',
    signingSecret: 'whsec_b2xk',
    methods: { trans: { 'X-API-Key': 'old-1', 'X-API-Secret': 'old-2' }, 'paycash-': { private_key: 'of-all' } },
  };
  const untyped = { apiKey: '', signingSecret: '' };

  it('stay unchanged where a form leaves them empty', () => {
    const credentials = { trans: { 'X-API-Key': '', 'X-API-Secret': 'new-2' } };
    const { settings } = settled({ ...untyped, methods: ['trans'], credentials }, stored) as StoredMid;
    expect(settings).toEqual({
      ...stored,
      methods: { ...stored.methods, trans: { 'X-API-Key': 'old-1', 'X-API-Secret': 'new-2' } },
    });
  });

  it('are removed with their method', () => {
    const { settings } = settled(untyped, stored) as StoredMid;
    expect(settings.methods).toEqual({ 'paycash-': { private_key: 'of-all' } });
  });

  it('of a family serve its methods, until one gets its own', () => {
    const methods = ['paycash-peru'];
    const same = settled({ ...untyped, methods }, stored) as StoredMid;
    expect(same.settings.methods).toEqual({ 'paycash-': { private_key: 'of-all' } });
    const credentials = { 'paycash-peru': { gateway_id: 'g-1' } };
    const own = settled({ ...untyped, methods, credentials }, stored) as StoredMid;
    expect(own.settings.methods?.['paycash-peru']).toEqual({ private_key: 'of-all', gateway_id: 'g-1' });
  });

  it('never follow the URL to another host', () => {
    const again = 'Re-enter it when you change the host.';
    expect(settled({ ...untyped, url: 'https://elsewhere.example/v1', methods: ['trans'] }, stored)).toEqual({
      apiKey: `Enter the API key. ${again}`,
      signingSecret: `Enter the signing secret. ${again}`,
      'credentials.trans.X-API-Key': 'trans requires this value.',
      'credentials.trans.X-API-Secret': 'trans requires this value.',
    });
  });

  it('appear in the log as their changes', () => {
    const before = { ...(settled({ methods: ['trans'], ...untyped }, stored) as StoredMid), id, version: 1 };
    const credentials = { trans: { 'X-API-Key': 'new-1', 'X-API-Secret': '' } };
    const after = settled({ ...untyped, apiKey: 'new', methods: ['trans'], credentials }, before.settings) as StoredMid;
    const logged = auditFields(before, after as Parameters<typeof auditFields>[1]);
    expect(logged.before).toMatchObject({ apiKey: 'set', credentials: { trans: { 'X-API-Key': 'set' } } });
    expect(logged.after).toMatchObject({
      apiKey: 'changed',
      signingSecret: 'set',
      credentials: { trans: { 'X-API-Key': 'changed', 'X-API-Secret': 'set' }, 'paycash-': { private_key: 'set' } },
    });
    expect(JSON.stringify(logged)).not.toMatch(/"new|new-1|old-|of-all|b2xk/);
  });
});

describe('what a provider does not report support for', () => {
  it.each([
    [{ operations: ['sale'], methods: ['card'] }, { methods: ['card'], operations: ['purchase', 'recurring'] }, null],
    [{ operations: ['sale'], methods: [] }, { methods: ['kora'], operations: [] }, null],
    [
      { operations: ['sale'], methods: ['card'] },
      { methods: ['card', 'kora'], operations: ['credit'] },
      'kora, credit',
    ],
  ])('%o for %o', (answer, wanted, lacking) => {
    expect(missingCapabilities(answer, wanted)).toBe(lacking && `It does not report support for ${lacking}.`);
  });
});
