// Merchants with their keys, MIDs, mappings and wallets, as the seeds write them. Passwords are in clear here and sealed when
// they are written; every MID gets the connector and settings of the sandbox's provider.
import { randomBytes } from 'node:crypto';
import { env } from '../../lib/config/index.ts';
import { demoMerchant } from '../../lib/core/demo-merchant.ts';
import { prisma } from '../../lib/db/index.ts';
import type { Prisma } from '../../lib/prisma/client.ts';
import { sandboxProviderSettings } from '../../lib/sandbox/index.ts';
import { seal } from '../../lib/vault/index.ts';
import { hasEveryMethod, otherMethods, sandboxCredentials } from './method-account.ts';

/** Columns of Merchant, MerchantKey, Mid and ProtocolMapping; omitted ones have the schema's default. */
export type SeededMerchant = {
  merchant: Prisma.MerchantUncheckedCreateInput;
  /** `password` in clear. */
  keys: (Omit<Prisma.MerchantKeyUncheckedCreateInput, 'merchantId' | 'password'> & { password: string })[];
  /** Without `connector` and `settings`; `timeoutSeconds`, `account` and `providerUrl` are part of the settings. */
  mids: SeededMid[];
  mappings: SeededMapping[];
  wallets?: SeededWallet[];
};

/** `settings` in clear, in the form of lib/merchants/wallets.ts. */
type SeededWallet = { settings: object } & Omit<Prisma.WalletUncheckedCreateInput, 'merchantId' | 'settings'>;

type SeededMid = Omit<Prisma.MidUncheckedCreateInput, 'merchantId' | 'connector' | 'settings'> & {
  methods: string[];
  timeoutSeconds?: number;
  /** A separate account at the sandbox provider; MIDs without one share an account. */
  account?: string;
  /** Another provider than the sandbox's, run by a test. */
  providerUrl?: string;
};

type SeededMapping = Omit<Prisma.ProtocolMappingUncheckedCreateInput, 'merchantId'> & {
  id: string;
  /** The routing rules in their order. */
  rules?: Pick<Prisma.RoutingRuleUncheckedCreateInput, 'name' | 'conditions' | 'targets'>[];
};

/** The operations of a MID for cards. */
export const operations = ['purchase', 'debit', 'credit', 'transfer', 'recurring'];

const id = (number: number) => `018f3a00-0000-7000-8000-00000000000${number}`;

/** The demo merchant. */
export const demo: SeededMerchant = {
  merchant: {
    id: id(1),
    name: 'Florin Demo Shop',
    site: 'demo.florin.test',
    frameAncestors: [env.baseUrl],
    // A session with form_id "autumn" shows what a theme changes.
    themes: {
      create: {
        id: id(9),
        name: 'Autumn sale',
        accent: '#b4431f',
        background: '#f7ebdd',
        radius: 14,
        font: 'serif',
        pageTexts: {
          default: { title: 'Your autumn order', button: 'Order and pay', summary: 'Free delivery until 30 November' },
          de: { title: 'Ihre Herbstbestellung', button: 'Jetzt kaufen', summary: 'Gratis-Versand bis 30. November' },
        },
        forms: { create: { merchantId: id(1), formId: 'autumn' } },
      },
    },
  },
  keys: [
    { id: id(2), environment: 'sandbox', key: demoMerchant.key, password: demoMerchant.password },
    // A sandbox rejects it, so no one needs its password.
    { id: id(3), environment: 'production', key: demoMerchant.liveKey, password: randomBytes(16).toString('hex') },
  ],
  mids: [
    { id: id(4), name: 'Sandbox cards', methods: ['card'], operations, zeroAmounts: true },
    // The MID for cards has precedence.
    {
      id: id(8),
      name: 'Sandbox methods',
      priority: 200,
      methods: otherMethods,
      operations: ['purchase', 'debit', 'credit'],
    },
  ],
  mappings: [
    { id: id(5), protocol: 'checkout' },
    { id: id(6), protocol: 's2s_card' },
    { id: id(7), protocol: 's2s_apm' },
  ],
};

/** Creates a merchant; existing rows are kept, except what {@link SeededMerchant} or the catalogue decides. */
export async function seedMerchant({ merchant, keys, mids, mappings, wallets = [] }: SeededMerchant): Promise<void> {
  const db = prisma();
  const existing = await db.merchant.findUnique({ where: { id: merchant.id } });
  if (!existing) await db.merchant.create({ data: merchant });
  for (const { password, ...key } of keys) {
    if (await db.merchantKey.findUnique({ where: { id: key.id } })) continue;
    const sealed = new Uint8Array(await seal(password, 'merchant-password', { id: key.id, owner: merchant.id }));
    await db.merchantKey.create({ data: { ...key, merchantId: merchant.id, password: sealed } });
  }
  for (const { timeoutSeconds, account, providerUrl, ...mid } of mids) {
    const provider = sandboxProviderSettings(`http://127.0.0.1:${env.port}`, env.vaultKey, account);
    const methods = sandboxCredentials(mid.methods);
    const open = {
      ...provider,
      methods,
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
      ...(providerUrl !== undefined && { url: providerUrl }),
    };
    const settings = new Uint8Array(
      await seal(JSON.stringify(open), 'mid-settings', { id: mid.id, owner: merchant.id }),
    );
    const data = { ...mid, merchantId: merchant.id, connector: 'http', settings };
    const update = hasEveryMethod(mid.methods) ? { settings, methods: mid.methods } : { settings };
    await db.mid.upsert({ where: { id: mid.id }, create: data, update });
  }
  for (const { settings: open, ...wallet } of wallets) {
    const settings = new Uint8Array(
      await seal(JSON.stringify(open), 'wallet-settings', { id: wallet.id, owner: merchant.id }),
    );
    const data = { ...wallet, merchantId: merchant.id, settings };
    await db.wallet.upsert({ where: { id: wallet.id }, create: data, update: {} });
  }
  for (const { rules = [], ...mapping } of mappings) {
    // Allowed, so that every example of the documentation works.
    const data = { openPayouts: true, ...mapping, merchantId: merchant.id };
    await db.protocolMapping.upsert({ where: { id: mapping.id }, create: data, update: {} });
    for (const [position, rule] of rules.entries()) {
      // The mapping's id with the position in front: the same at every start.
      const id = `${(8 + position).toString(16)}${mapping.id.slice(1)}`;
      const data = { ...rule, id, mappingId: mapping.id, position };
      await db.routingRule.upsert({ where: { id }, create: data, update: {} });
    }
  }
}
