'use client';
// Google Pay of a merchant.
import { useForm } from 'react-hook-form';
import type { GoogleValues, GoogleView } from '../../../lib/dashboard/wallets/contract';
import { FormRow, FormSection, RadioList } from '../ui';
import { GoogleFields } from './fields';
import { Keys, Tokenization } from './keys';
import { WalletSettings } from './settings';
import { useWallet } from './use-wallet';

const sections = [
  { id: 'request', title: 'Request settings' },
  { id: 'keys', title: 'Decryption keys' },
  { id: 'parameters', title: 'For your own pages' },
];

type Values = GoogleValues & { environment: GoogleView['environment'] };

const labels: Record<keyof Values, string> = {
  environment: 'Environment',
  recipient: 'Tokens are encrypted for',
  gateway: 'Gateway',
  gatewayMerchantId: 'Gateway merchant ID',
  merchantId: 'Google merchant ID',
  allowedAuthMethods: 'Auth methods',
  networks: 'Networks',
};

const show = { recipient: (value: unknown) => (value === 'merchant' ? 'the merchant itself' : 'a gateway') };

export function Google({ initial }: { initial: GoogleView }) {
  const { wallet, act } = useWallet(initial);
  const form = useForm<Values>({ defaultValues: { ...wallet.values, environment: wallet.environment } });
  return (
    <WalletSettings wallet={wallet} act={act} form={form} sections={sections} labels={labels} show={show}>
      <FormSection id="request" title="Request settings">
        <FormRow
          label="Environment"
          name="environment"
          group
          help="The environment of the tokens, for S2S callers too. It must be the deployment’s."
        >
          <RadioList
            wide
            {...form.register('environment')}
            options={[
              { value: 'TEST', label: 'TEST' },
              { value: 'PRODUCTION', label: 'PRODUCTION' },
            ]}
          />
        </FormRow>
        <GoogleFields />
      </FormSection>
      <FormSection
        id="keys"
        title="Decryption keys"
        about="With a key tokens are decrypted to cards, and authorisations, recurring payments, routing and cascading work. Without one the token is passed to the provider. During a rotation several keys decrypt tokens."
      >
        <Keys wallet={wallet} act={act} />
      </FormSection>
      <FormSection
        id="parameters"
        title="For your own pages"
        about="The settings that your own app or page passes to Google, so that its tokens can be sent over S2S CARD. The hosted page sets them itself."
      >
        <Tokenization wallet={wallet} />
      </FormSection>
    </WalletSettings>
  );
}
