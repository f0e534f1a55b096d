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
  { id: 'sheet', title: 'Apple’s sheet' },
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
        about="Apple seals every token for this certificate. With its private key here the card in the token pays; without it the token goes to the provider as it is. While certificates change over, several open tokens."
      >
        <Certificates wallet={wallet} act={act} slot="processing" />
      </FormSection>
      <FormSection
        id="identity"
        title="Merchant identity"
        about="By this certificate Apple knows the server that asks for a payment on the hosted page. Apps and pages of your own that send tokens over S2S CARD need none here."
      >
        <Certificates wallet={wallet} act={act} slot="identity" />
        {mayChange && wallet.identity ? <AppleTest wallet={wallet} /> : null}
      </FormSection>
      <FormSection
        id="domains"
        title="Domains"
        about="Apple opens its sheet on registered hosts only, and registers a host when it finds its file there."
      >
        <Domains wallet={wallet} act={act} />
      </FormSection>
      <FormSection id="sheet" title="Apple’s sheet">
        <AppleFields countries={countries} />
      </FormSection>
    </WalletSettings>
  );
}
