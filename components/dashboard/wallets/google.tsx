'use client';
// Google Pay of a merchant.
import type { GoogleValues, GoogleView } from '../../../lib/dashboard/wallets/contract';
import { googleFields } from './fields';
import { Keys, Tokenization } from './keys';
import { forRecipient } from './labels';
import { WalletSettings } from './settings';
import { useWallet } from './use-wallet';

type Values = GoogleValues & { environment: GoogleView['environment'] };

const valuesOf = ({ values, environment }: GoogleView) => ({ ...values, environment });

export function Google({ initial }: { initial: GoogleView }) {
  const state = useWallet<GoogleView, Values>(initial, valuesOf, forRecipient);
  const { page: wallet, act } = state;
  return (
    <WalletSettings
      state={state}
      sections={[
        { id: 'request', title: 'Request settings', fields: googleFields },
        {
          id: 'keys',
          title: 'Decryption keys',
          about:
            'With a key tokens are decrypted to cards, and authorisations, recurring payments, routing and cascading work. Without one the token is passed to the provider. During a rotation several keys decrypt tokens.',
          children: <Keys wallet={wallet} act={act} />,
        },
        {
          id: 'parameters',
          title: 'For your own pages',
          about:
            'The settings that your own app or page passes to Google, so that its tokens can be sent over S2S CARD. The hosted page sets them itself.',
          children: <Tokenization wallet={wallet} />,
        },
      ]}
    />
  );
}
