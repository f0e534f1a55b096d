import { describe, expect, it } from 'vitest';
import { readPresent } from './present.wire.ts';

const expires_at = '2026-11-20T17:00:00Z';
const expiresAt = expires_at;

describe('a presentation', () => {
  it.each<[object, object]>([
    [
      { kind: 'app', url: 'upi://pay?pa=shop@upi&am=84.50', expires_at },
      { kind: 'app', url: 'upi://pay?pa=shop@upi&am=84.50', expiresAt },
    ],
    [
      { kind: 'qr', scheme: 'ips', payload: 'K:PR|V:01', renewable: true, expires_at },
      { kind: 'qr', scheme: 'ips', payload: 'K:PR|V:01', renewable: true, expiresAt },
    ],
    [
      { kind: 'qr', scheme: 'a scheme of tomorrow', payload: 'x', renewable: 'no' },
      { kind: 'qr', scheme: 'text', payload: 'x' },
    ],
    [
      { kind: 'confirm', sent_to: '+385 ••• 67', expires_at: 'soon' },
      { kind: 'confirm', sentTo: '+385 ••• 67' },
    ],
    [{ kind: 'confirm', sent_to: null, unheard: 'of' }, { kind: 'confirm' }],
    [
      { kind: 'details', rows: [{ name: 'iban', value: 'DE67' }], barcode: '0123' },
      { kind: 'details', rows: [{ name: 'iban', value: 'DE67' }], barcode: '0123' },
    ],
    [
      { kind: 'details', rows: [{ name: 'iban', value: 'DE67' }], barcode: 'no barcode: é' },
      { kind: 'details', rows: [{ name: 'iban', value: 'DE67' }] },
    ],
    [
      { kind: 'details', rows: [{ name: 'iban', value: 'DE67' }], barcode: '0123', symbology: 'itf' },
      { kind: 'details', rows: [{ name: 'iban', value: 'DE67' }], barcode: '0123', symbology: 'itf' },
    ],
    [
      { kind: 'details', rows: [{ name: 'iban', value: 'DE67' }], barcode: 'A-1', symbology: 'code128' },
      { kind: 'details', rows: [{ name: 'iban', value: 'DE67' }], barcode: 'A-1' },
    ],
    [
      { kind: 'details', rows: [{ name: 'iban', value: 'DE67' }], barcode: '0123', symbology: null },
      { kind: 'details', rows: [{ name: 'iban', value: 'DE67' }], barcode: '0123' },
    ],
    [
      { kind: 'details', rows: [{ name: 'iban', value: 'DE67' }], symbology: 'itf' },
      { kind: 'details', rows: [{ name: 'iban', value: 'DE67' }] },
    ],
    ...['012', 'A-12', '01 23', '0'.repeat(49)].map((barcode): [object, object] => [
      { kind: 'details', rows: [{ name: 'iban', value: 'DE67' }], barcode, symbology: 'itf' },
      { kind: 'details', rows: [{ name: 'iban', value: 'DE67' }] },
    ]),
    ...['ean13', 'toString', ''].map((symbology): [object, object] => [
      { kind: 'details', rows: [{ name: 'iban', value: 'DE67' }], barcode: '0123', symbology },
      { kind: 'details', rows: [{ name: 'iban', value: 'DE67' }] },
    ]),
    [
      { kind: 'message', channel: 'sms', url: 'https://provider.example/pay/1' },
      { kind: 'message', channel: 'sms', url: 'https://provider.example/pay/1' },
    ],
    [
      {
        kind: 'crypto',
        address: 'TXvJP2N7KMLCsUnc6bqKV3qBiiCH1kAZWn',
        network: 'Tron',
        currency: 'USDT',
        amount: '84.5',
      },
      {
        kind: 'crypto',
        address: 'TXvJP2N7KMLCsUnc6bqKV3qBiiCH1kAZWn',
        network: 'Tron',
        currency: 'USDT',
        amount: '84.5',
      },
    ],
    [
      { kind: 'code', sent_to: '+385 ••• 67', wrong: true },
      { kind: 'code', sentTo: '+385 ••• 67', wrong: true },
    ],
  ])('%o', (value, read) => {
    expect(readPresent(value)).toEqual(read);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['text', 'qr'],
    ['a kind that does not exist', { kind: 'dance' }],
    ['a link that a browser would run', { kind: 'app', url: 'javascript:alert(1)' }],
    ['a link to a local file', { kind: 'app', url: 'FILE:///etc/passwd' }],
    ['a link that starts a program of the system', { kind: 'app', url: 'ms-msdt:/id PCWDiagnostic' }],
    ['a link that searches on another machine', { kind: 'app', url: 'Search-MS:query=x' }],
    ['a link to an intent', { kind: 'app', url: 'intent://x#Intent;end' }],
    ['a link with HTML', { kind: 'app', url: 'upi://pay?a="><script>' }],
    ['a message without a web URL', { kind: 'message', channel: 'email', url: 'upi://pay' }],
    ['a code of nothing', { kind: 'qr', scheme: 'ips', payload: '' }],
    ['a code that no camera reads', { kind: 'qr', scheme: 'text', payload: 'x'.repeat(2049) }],
    ['a code with more bytes than one holds', { kind: 'qr', scheme: 'text', payload: '漢'.repeat(778) }],
    ['no rows', { kind: 'details', rows: [] }],
    [
      'an address with a space',
      { kind: 'crypto', address: 'TXvJP2N7KMLC sUnc6bqKV3q', network: 'Tron', currency: 'USDT' },
    ],
    [
      'an amount that is none',
      { kind: 'crypto', address: 'TXvJP2N7KMLCsUnc6bqKV3q', network: 'Tron', currency: 'USDT', amount: '1e3' },
    ],
  ])('is undefined for %s', (_name, value) => {
    expect(readPresent(value)).toBeUndefined();
  });
});
