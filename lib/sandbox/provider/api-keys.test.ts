import { describe, expect, it } from 'vitest';
import { accountOf, sandboxProviderSettings, signingSecretOf } from './api-keys.ts';

const vaultKey = new Uint8Array(32).fill(7);
const settings = sandboxProviderSettings('https://pay.example', vaultKey, 'shop-1');

describe('the settings of a sandbox account', () => {
  it('lead to the provider and time out soon', () => {
    expect(settings.url).toBe('https://pay.example/sandbox/provider/v1');
    expect(settings.timeoutSeconds).toBe(6);
    expect(settings.signingSecret).toBe(signingSecretOf(vaultKey, 'shop-1'));
  });

  it('are the same at every start and differ between accounts, keys and purposes', () => {
    expect(sandboxProviderSettings('https://pay.example', vaultKey, 'shop-1')).toEqual(settings);
    const others = [
      sandboxProviderSettings('https://pay.example', vaultKey),
      sandboxProviderSettings('https://pay.example', new Uint8Array(32).fill(8), 'shop-1'),
    ];
    for (const other of others) {
      expect(other.apiKey).not.toBe(settings.apiKey);
      expect(other.signingSecret).not.toBe(settings.signingSecret);
    }
  });
});

describe('an API key', () => {
  it('names its account', () => {
    expect(accountOf(vaultKey, `Bearer ${settings.apiKey}`)).toBe('shop-1');
  });

  it.each([
    ['none', null],
    ['no scheme', settings.apiKey],
    ['another scheme', `Basic ${settings.apiKey}`],
    ['another account', `Bearer ${settings.apiKey.replace('shop-1', 'shop-2')}`],
    ['a longer one', `Bearer ${settings.apiKey}A`],
    ['an altered one', `Bearer ${settings.apiKey.replace(/.{4}$/, (end) => (end === 'AAAA' ? 'BBBB' : 'AAAA'))}`],
    ['an empty one', 'Bearer sandbox.shop-1.'],
  ])('is refused: %s', (_name, authorization) => {
    expect(accountOf(vaultKey, authorization)).toBeNull();
  });

  it('is refused under another vault key', () => {
    expect(accountOf(new Uint8Array(32).fill(8), `Bearer ${settings.apiKey}`)).toBeNull();
  });
});
