'use client';
// Apple Pay of a merchant.
import type { AppleValues, AppleView, CountryChoice } from '../../../lib/dashboard/wallets/contract';
import { Certificates } from './certificates';
import { AppleTest, Domains } from './domains';
import { appleFields } from './fields';
import { WalletSettings } from './settings';
import { useWallet } from './use-wallet';

const valuesOf = ({ values }: AppleView) => values;

export function Apple({ initial, countries }: { initial: AppleView; countries: readonly CountryChoice[] }) {
  const state = useWallet<AppleView, AppleValues>(initial, valuesOf);
  const { page: wallet, act } = state;
  const shared = { wallet, act };
  return (
    <WalletSettings
      state={state}
      sections={[
        {
          id: 'processing',
          title: 'Processing certificate',
          about:
            'Apple encrypts every token for this certificate. If its private key is here, tokens are decrypted to cards; otherwise the token is passed to the provider. During a rotation several certificates decrypt tokens.',
          children: <Certificates {...shared} slot="processing" />,
        },
        {
          id: 'identity',
          title: 'Merchant identity',
          about:
            'This certificate identifies your server to Apple on the hosted page. Apps and pages of your own that send tokens over S2S CARD do not need it here.',
          children: (
            <>
              <Certificates {...shared} slot="identity" />
              {wallet.mayChange && wallet.identity ? <AppleTest wallet={wallet} /> : null}
            </>
          ),
        },
        {
          id: 'domains',
          title: 'Domains',
          about:
            'Apple opens the payment sheet on registered hosts only, and registers a host after it has verified the file there.',
          children: <Domains {...shared} />,
        },
        { id: 'sheet', title: 'Payment sheet', fields: appleFields(countries) },
      ]}
    />
  );
}
