'use client';
// Creates a wallet with the minimum settings that Apple or Google require. Certificates and keys follow afterwards.
import { useRouter } from 'next/navigation';
import type {
  AppleValues,
  CountryChoice,
  GoogleValues,
  MerchantChoice,
  WalletName,
  WalletView,
} from '../../../lib/dashboard/wallets/contract';
import { FormDialog, request } from '../ui';
import { AppleFields, GoogleFields } from './fields';
import { walletNames } from './labels';

type Props = {
  kind: WalletName;
  merchant: MerchantChoice;
  countries: readonly CountryChoice[];
  close: () => void;
};

const beginnings: { applepay: AppleValues; googlepay: GoogleValues } = {
  applepay: {
    merchantIdentifier: 'merchant.',
    country: 'DE',
    shopName: '',
    merchantCapabilities: ['supports3DS'],
    supportedNetworks: [],
  },
  googlepay: {
    recipient: 'gateway',
    gateway: '',
    gatewayMerchantId: '',
    merchantId: '',
    allowedAuthMethods: ['CRYPTOGRAM_3DS', 'PAN_ONLY'],
    networks: [],
  },
};

export function CreateDialog({ kind, merchant, countries, close }: Props) {
  const router = useRouter();
  const name = walletNames[kind];
  return (
    <FormDialog<AppleValues | GoogleValues>
      title={`Set up ${name} for ${merchant.name}`}
      about={`${name} stays disabled until you enable it. Certificates and keys are the next step.`}
      verb={`Set up ${name}`}
      defaultValues={kind === 'applepay' ? { ...beginnings.applepay, shopName: merchant.name } : beginnings.googlepay}
      onClose={close}
      onSend={async (values) => {
        const made = await request<WalletView>('/wallets', { body: { kind, merchant: merchant.id, ...values } });
        router.push(`/dashboard/wallets/${made.id}`);
        // The button stays busy until the new wallet's page is shown.
        await new Promise(() => undefined);
      }}
    >
      {() => (kind === 'applepay' ? <AppleFields countries={countries} stacked /> : <GoogleFields stacked />)}
    </FormDialog>
  );
}
