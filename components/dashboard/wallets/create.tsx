'use client';
// The beginning of a wallet: the least that Apple or Google have to be told. Certificates and keys come afterwards.
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { Button, Dialog, putFaults, request } from '../kit';
import { errorText } from '../kit/error-text';
import { AppleFields, GoogleFields } from './fields';
import type { AppleValues, CountryChoice, GoogleValues, MerchantChoice, WalletName, WalletView } from './model';
import { walletNames } from './words';

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
  const form = useForm<AppleValues | GoogleValues>({
    defaultValues: kind === 'applepay' ? { ...beginnings.applepay, shopName: merchant.name } : beginnings.googlepay,
  });
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const router = useRouter();
  const name = walletNames[kind];
  const create = async () => {
    if (busy) return;
    setBusy(true);
    setFault(null);
    form.clearErrors();
    try {
      const body = { kind, merchant: merchant.id, ...form.getValues() };
      const made = await request<WalletView>('/wallets', { body });
      router.push(`/dashboard/wallets/${made.id}`);
    } catch (thrown) {
      setBusy(false);
      if (!putFaults(form, thrown)) setFault(errorText(thrown));
    }
  };
  return (
    <Dialog
      open
      onClose={close}
      title={`Set up ${name} for ${merchant.name}`}
      about={`${name} stays off until you switch it on. Certificates and keys come in the next step.`}
      onConfirm={() => void create()}
      foot={
        <>
          <span>Logged under your name</span>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" busy={busy} onClick={() => void create()}>
            Set up {name}
          </Button>
        </>
      }
    >
      <FormProvider {...form}>
        {kind === 'applepay' ? <AppleFields countries={countries} stacked /> : <GoogleFields stacked />}
      </FormProvider>
      {fault ? (
        <p role="alert" className="text-xs text-bad">
          {fault}
        </p>
      ) : null}
    </Dialog>
  );
}
