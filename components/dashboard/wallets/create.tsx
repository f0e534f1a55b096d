'use client';
// Creates a wallet with the minimum settings that Apple or Google require. Certificates and keys follow afterwards.
import { useRouter } from 'next/navigation';
import {
  type AppleValues,
  type CountryChoice,
  type GoogleValues,
  type MerchantChoice,
  shopNameMax,
  type WalletName,
  type WalletView,
} from '../../../lib/dashboard/wallets/contract';
import { type Field, FormDialog, request } from '../ui';
import { appleRequired, googleRequired } from './fields';
import { forRecipient, walletNames } from './labels';

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
  const fields = kind === 'applepay' ? appleRequired(countries) : googleRequired;
  return (
    <FormDialog<AppleValues | GoogleValues>
      title={`Set up ${name} for ${merchant.name}`}
      about={`${name} stays disabled until you enable it. Certificates and keys are the next step.`}
      verb={`Set up ${name}`}
      defaultValues={
        kind === 'applepay'
          ? { ...beginnings.applepay, shopName: merchant.name.slice(0, shopNameMax).trim() }
          : beginnings.googlepay
      }
      onClose={close}
      onSend={async (values) => {
        const body = { kind, merchant: merchant.id, ...forRecipient(values) };
        const made = await request<WalletView>('/wallets', { body });
        router.push(`/dashboard/wallets/${made.id}`);
        // The button stays busy until the new wallet's page is shown.
        await new Promise(() => undefined);
      }}
      fields={fields as Field<AppleValues | GoogleValues>[]}
    />
  );
}
