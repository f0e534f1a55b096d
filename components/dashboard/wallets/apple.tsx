'use client';
// Apple Pay of a merchant.
import { useForm } from 'react-hook-form';
import { FormSection, SettingsForm } from '../kit';
import { useWallet } from './acting';
import { Certificates } from './certificates';
import { AppleTest, Domains } from './domains';
import { Accounts, AppleFields } from './fields';
import { RemoveWallet, WalletHeader } from './header';
import type { AppleValues, AppleView, CountryChoice } from './model';

const sections = [
  { id: 'processing', title: 'Processing certificate' },
  { id: 'identity', title: 'Merchant identity' },
  { id: 'domains', title: 'Domains' },
  { id: 'sheet', title: 'Apple’s sheet' },
  { id: 'accounts', title: 'Card flow by MID' },
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
    <div className="flex min-w-0 flex-1 flex-col">
      <WalletHeader wallet={wallet} act={act} />
      <SettingsForm
        sections={mayChange ? [...sections, { id: 'remove', title: 'Remove' }] : sections}
        form={form}
        labels={labels}
        effect="Payment pages use them at once"
        onSave={(values) => act('', values)}
        saved="Apple Pay saved."
        readOnly={!mayChange}
      >
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
        <FormSection
          id="accounts"
          title="Card flow by MID"
          about="Routing and cascading go over the MIDs whose provider takes the card in the token."
        >
          <Accounts wallet={wallet} />
        </FormSection>
        {mayChange ? (
          <FormSection id="remove" title="Remove">
            <RemoveWallet wallet={wallet} />
          </FormSection>
        ) : null}
      </SettingsForm>
    </div>
  );
}
