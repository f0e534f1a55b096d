import { expect, it } from 'vitest';
import { ellipticKeys, issue, pemOf } from '../../e2e/support/wallet-sealers/certificates.ts';
import { certificateExpiries } from './wallet-settings.ts';

const until = (day: string) => pemOf(issue({ name: 'Orme', keys: ellipticKeys(), until: day }).certificate);
const settings = {
  merchantIdentifier: 'merchant.example.orme',
  country: 'NL',
  shopName: 'Orme',
  merchantCapabilities: ['supports3DS'],
  supportedNetworks: [],
  processingKeys: [],
};

it('a kind of certificate expires with its last certificate', () => {
  const processingKeys = ['2027-03-01', '2029-03-01', '2028-03-01'].map((day) => ({ certificate: until(day) }));
  const merchantIdentity = { certificate: until('2027-01-01'), privateKey: '' };
  const ends = certificateExpiries({ ...settings, processingKeys, merchantIdentity });
  expect(ends.map(({ slot, endsAt }) => `${slot} ${endsAt.toISOString().slice(0, 10)}`)).toEqual([
    'processing 2029-03-01',
    'identity 2027-01-01',
  ]);
});

it('an absent certificate does not expire', () => {
  expect(certificateExpiries(settings)).toEqual([]);
});
