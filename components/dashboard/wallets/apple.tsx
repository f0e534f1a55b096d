'use client';
// Apple Pay of a merchant.
import { useForm } from 'react-hook-form';
import type { AppleValues, AppleView, CountryChoice } from '../../../lib/dashboard/wallets/contract';
import { FormSection } from '../ui';
import { Certificates } from './certificates';
import { AppleTest, Domains } from './domains';
import { AppleFields } from './fields';
import { WalletSettings } from './settings';
import { useWallet } from './use-wallet';

const sections = [
  { id: 'processing', title: 'Processing certificate' },
  { id: 'identity', title: 'Merchant identity' },
  { id: 'domains', title: 'Domains' },
  { id: 'sheet', title: 'Payment sheet' },
];

const labels: Record<keyof AppleValues, string> = {
  merchantIdentifier: 'Merchant identifier',
  shopName: 'Shop name',
  country: 'Country',
  merchantCapabilities: 'Capabilities',
  supportedNetworks: 'Networks',
};

export function Apple({ initial, countries }: { initial: AppleView; countries: readonly CountryChoice[] }) {
  const { wallet, act } = useWallet(initial);
  const form = useForm<AppleValues>({ defaultValues: wallet.values });
  const { mayChange } = wallet;
  return (
    <WalletSettings wallet={wallet} act={act} form={form} sections={sections} labels={labels}>
      <FormSection
        id="processing"
        title="Processing certificate"
        about="Apple encrypts every token for this certificate. If its private key is here, tokens are decrypted to cards; otherwise the token is passed to the provider. During a rotation several certificates decrypt tokens."
      >
        <Certificates wallet={wallet} act={act} slot="processing" />
      </FormSection>
      <FormSection
        id="identity"
        title="Merchant identity"
        about="This certificate identifies your server to Apple on the hosted page. Apps and pages of your own that send tokens over S2S CARD do not need it here."
      >
        <Certificates wallet={wallet} act={act} slot="identity" />
        {mayChange && wallet.identity ? <AppleTest wallet={wallet} /> : null}
      </FormSection>
      <FormSection
        id="domains"
        title="Domains"
        about="Apple opens the payment sheet on registered hosts only, and registers a host after it has verified the file there."
      >
        <Domains wallet={wallet} act={act} />
      </FormSection>
      <FormSection id="sheet" title="Payment sheet">
        <AppleFields countries={countries} />
      </FormSection>
    </WalletSettings>
  );
}
