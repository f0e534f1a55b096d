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
  { id: 'request', title: 'What is asked for' },
  { id: 'keys', title: 'Decryption keys' },
  { id: 'parameters', title: 'For your own pages' },
];

type Values = GoogleValues & { environment: GoogleView['environment'] };

const labels: Record<keyof Values, string> = {
  environment: 'Environment',
  recipient: 'Tokens are sealed for',
  gateway: 'Gateway',
  gatewayMerchantId: 'Id at the gateway',
  merchantId: 'Google merchant id',
  allowedAuthMethods: 'Auth methods',
  networks: 'Networks',
};

const show = { recipient: (value: unknown) => (value === 'merchant' ? 'the merchant itself' : 'a gateway') };

export function Google({ initial }: { initial: GoogleView }) {
  const { wallet, act } = useWallet(initial);
  const form = useForm<Values>({ defaultValues: { ...wallet.values, environment: wallet.environment } });
  return (
    <WalletSettings wallet={wallet} act={act} form={form} sections={sections} labels={labels} show={show}>
      <FormSection id="request" title="What is asked for">
        <FormRow
          label="Environment"
          name="environment"
          group
          help="The environment in which tokens are made, for S2S callers too. It has to be the deployment’s."
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
        about="With a key the card in the token pays, and holds, recurring payments, routing and cascading work. Without one the token goes to the provider as it is. While keys change over, several open tokens."
      >
        <Keys wallet={wallet} act={act} />
      </FormSection>
      <FormSection
        id="parameters"
        title="For your own pages"
        about="What an app or a page of your own hands to Google, so that its tokens can be sent over S2S CARD. The hosted page does it by itself."
      >
        <Tokenization wallet={wallet} />
      </FormSection>
    </WalletSettings>
  );
}
