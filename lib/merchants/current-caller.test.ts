import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';

vi.hoisted(() => vi.resetModules());
type Row = { id: string; validUntil: Date | null; merchantEnabled: boolean };
const stub = vi.hoisted(() => ({ own: null as Row | null, line: [] as Row[], reads: 0 }));
vi.mock('../config/index.ts', () => ({ checkoutBaseUrl: () => 'http://florin.test' }));
vi.mock('../connectors/index.ts', () => ({ findConnector: () => undefined }));
vi.mock('../vault/index.ts', () => ({
  unseal: async (_sealed: Uint8Array, _label: string, { id }: Row) => `of ${id}`,
}));
vi.mock('./queries.ts', () => ({
  findKeyById: async () => [stub.own],
  findReplacements: async () => {
    stub.reads += 1;
    return stub.line;
  },
  readMerchant: async (id: string) => ({ id, pageTexts: {} }),
  readMappings: async () => [{ protocol: 'checkout', rules: [] }],
  readMids: async () => [],
}));

import { callerOf, clearSettingsCache, currentCallerOf } from './merchants.ts';

const now = new Date('2026-12-01T12:00:00Z');
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const payment = { keyId: 'k1', protocol: 'checkout' } as const;

function row(id: string, validUntil: Date | null) {
  return { id, merchantId: 'm', environment: 'sandbox', key: id, password: null, validUntil, merchantEnabled: true };
}

function rotated(own: Date | null, ...replacements: (Date | null)[]) {
  stub.own = row('k1', own);
  stub.line = [stub.own, ...replacements.map((until, place) => row(`k${place + 2}`, until))];
}

async function keysAt(time: Date) {
  clearSettingsCache();
  const { key, signers } = await currentCallerOf(payment, time);
  return `${key.id}: ${signers.map(({ id, password }) => `${id} ${password}`).join(', ')}`;
}

// The files after this one get the modules themselves.
afterAll(() => vi.resetModules());

beforeEach(() => {
  stub.reads = 0;
});

describe('the key of what is new about a payment', () => {
  it("is the payment's own while it has no end, which needs no further read", async () => {
    rotated(null);
    expect(await keysAt(now)).toBe('k1: k1 of k1');
    expect(stub.reads).toBe(0);
  });

  it('is its own until it ends, and its replacement may sign meanwhile', async () => {
    rotated(at(1), null);
    expect(await keysAt(now)).toBe('k1: k1 of k1, k2 of k2');
    expect(await keysAt(at(1))).toBe('k2: k2 of k2');
  });

  it('is the first live one of several replacements', async () => {
    rotated(at(-9), at(-1), null);
    expect(await keysAt(now)).toBe('k3: k3 of k3');
  });

  it('stays its own without a live replacement, and nothing is signed with it', async () => {
    rotated(at(-9));
    expect(await keysAt(now)).toBe('k1: ');
    rotated(at(-9), at(-1));
    expect(await keysAt(now)).toBe('k1: ');
  });

  it('is not that of its callbacks, which keep the key of the payment', async () => {
    rotated(at(-9), null);
    clearSettingsCache();
    expect((await callerOf(payment)).key).toMatchObject({ id: 'k1', password: 'of k1' });
  });
});
