'use client';
// The two certificates of Apple Pay: the steps from the CSR to the certificate.
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { AppleView, CertificateSlot, CertificateView, RequestView } from '../../../lib/dashboard/wallets/contract';
import { Icon } from '../icons';
import {
  Button,
  buttonClass,
  Checkbox,
  ConfirmDialog,
  FormDialog,
  FormRow,
  Note,
  RadioList,
  TextInput,
  useToast,
} from '../ui';
import { useZone } from '../zone';
import { FileField } from './file-field';
import { dateText, daysAhead, shortFingerprint, tokenVersion } from './labels';
import { SetUpStep, SetUpSteps, type StepState } from './steps';
import { base64Of } from './upload';
import type { WalletAction } from './use-wallet';

type Props = { wallet: AppleView; act: WalletAction; slot: CertificateSlot };

const words = {
  processing: { name: 'processing certificate', none: 'No processing certificate' },
  identity: { name: 'identity certificate', none: 'No identity certificate' },
} as const;

export function Certificates({ wallet, act, slot }: Props) {
  const [asking, setAsking] = useState<'request' | 'upload' | null>(null);
  const [removing, setRemoving] = useState<CertificateView | null>(null);
  const certificates = slot === 'processing' ? wallet.processing : wallet.identity ? [wallet.identity] : [];
  const request = wallet.requests[slot];
  const { mayChange } = wallet;
  const close = () => setAsking(null);
  return (
    <>
      <SetUpSteps label={`Steps of the ${words[slot].name}`}>
        {certificates.map((certificate) => (
          <CertificateStep
            key={certificate.fingerprint}
            certificate={certificate}
            slot={slot}
            alone={certificates.length === 1}
            remove={mayChange ? () => setRemoving(certificate) : undefined}
          />
        ))}
        {certificates.length === 0 && !request ? (
          <SetUpStep state="open" title={words[slot].none}>
            {mayChange ? 'Generate a CSR here, have Apple sign it, and upload the certificate.' : null}
          </SetUpStep>
        ) : null}
        {request ? <RequestStep wallet={wallet} slot={slot} request={request} /> : null}
      </SetUpSteps>
      {mayChange ? (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setAsking('request')} icon="plus">
            {certificates.length > 0 ? 'Renew: generate a CSR' : request ? 'Generate another CSR' : 'Generate CSR'}
          </Button>
          <Button onClick={() => setAsking('upload')} icon="upload">
            Upload certificate
          </Button>
        </div>
      ) : null}
      {asking === 'request' ? <RequestDialog request={request} slot={slot} act={act} close={close} /> : null}
      {asking === 'upload' ? <UploadDialog request={request} slot={slot} act={act} close={close} /> : null}
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Remove the ${words[slot].name}`}
        verb="Remove certificate"
        danger
        onConfirm={async () => {
          await act('/certificates/remove', { slot, fingerprint: removing?.fingerprint });
        }}
      >
        <p>
          {slot === 'processing'
            ? 'Its private key is deleted with it. Tokens that Apple has encrypted for this certificate can no longer be decrypted.'
            : 'Its private key is deleted with it. Without an identity certificate the payment page does not offer Apple Pay.'}
        </p>
      </ConfirmDialog>
    </>
  );
}

type StepProps = { certificate: CertificateView; slot: CertificateSlot; alone: boolean; remove?: () => void };

const stepStates: Record<CertificateView['state'], StepState> = { valid: 'done', ending: 'attention', ended: 'wrong' };

function CertificateStep({ certificate, slot, alone, remove }: StepProps) {
  const zone = useZone();
  const { state, validTo, fingerprint, key, hasKey, merchantIdentifier, name } = certificate;
  const ended = state === 'ended';
  return (
    <SetUpStep
      state={stepStates[state]}
      title={`${slot === 'processing' ? 'Processing' : 'Identity'} certificate ${ended ? 'expired' : 'expires'} on ${dateText(validTo, zone)}`}
      actions={
        remove ? (
          <Button size="small" icon="trash" onClick={remove}>
            Remove
          </Button>
        ) : null
      }
    >
      {state === 'ending' && alone ? (
        <p className="text-warn">
          It expires {daysAhead(validTo, new Date())}. Generate a CSR now;{' '}
          {slot === 'processing' ? 'both certificates work side by side.' : 'the new one replaces it.'}
        </p>
      ) : null}
      <p>
        {merchantIdentifier ?? name}, {key}
        {slot === 'processing' ? ` (${tokenVersion(certificate)})` : ''}, fingerprint{' '}
        <span className="mono" title={fingerprint}>
          {shortFingerprint(fingerprint)}
        </span>
      </p>
      <p>
        {hasKey
          ? 'Its private key is stored here, encrypted.'
          : 'Its private key is with the provider, who decrypts the tokens.'}
      </p>
      <details>
        <summary className="cursor-pointer text-ink3">Certificate details</summary>
        <dl className="mt-1 grid grid-cols-[104px_minmax(0,1fr)] gap-x-3 gap-y-0.5 [&_dt]:text-ink3">
          <dt>Name</dt>
          <dd>{name}</dd>
          <dt>Issued by</dt>
          <dd>{certificate.issuer}</dd>
          <dt>Serial number</dt>
          <dd className="mono break-all">{certificate.serial}</dd>
          <dt>Valid</dt>
          <dd>
            {dateText(certificate.validFrom, zone)} – {dateText(validTo, zone)}
          </dd>
          <dt>Apple extensions</dt>
          <dd className="mono break-all">{certificate.marks.join(', ') || 'none'}</dd>
        </dl>
      </details>
    </SetUpStep>
  );
}

type RequestProps = { wallet: AppleView; slot: CertificateSlot; request: RequestView };

function RequestStep({ wallet, slot, request }: RequestProps) {
  const zone = useZone();
  return (
    <SetUpStep
      state="attention"
      title="Certificate signing request generated"
      actions={
        <a
          href={`/dashboard/api/wallets/${wallet.id}/requests/${slot}`}
          download={`${slot}.certSigningRequest`}
          className={buttonClass('plain', 'small')}
        >
          <Icon name="download" size={14} />
          Download CSR
        </a>
      }
    >
      {keyNames[request.kind]}, generated here on {dateText(request.madeAt, zone)}. The private key never leaves this
      service. Upload the file to Apple, then upload the certificate here.
    </SetUpStep>
  );
}

const keyNames = { EC: 'EC P-256', RSA: 'RSA 2048' } as const;

type DialogProps = { request: RequestView | null; slot: CertificateSlot; act: WalletAction; close: () => void };

function RequestDialog({ request, slot, act, close }: DialogProps) {
  const form = useForm<{ kind: 'EC' | 'RSA' }>({ defaultValues: { kind: slot === 'identity' ? 'RSA' : 'EC' } });
  const zone = useZone();
  const toast = useToast();
  return (
    <ConfirmDialog
      open
      onClose={close}
      title={`CSR for the ${words[slot].name}`.replace('a identity', 'an identity')}
      verb="Generate CSR"
      onConfirm={async () => {
        await act('/requests', { slot, ...form.getValues() });
        toast('CSR generated. Download it and upload it to Apple.');
      }}
    >
      <p>
        A key pair is generated here. The CSR contains the public key; the private key is encrypted and never shown.
      </p>
      {slot === 'processing' ? (
        <FormRow label="Key" name="kind" group stacked>
          <RadioList
            {...form.register('kind')}
            options={[
              { value: 'EC', label: 'EC P-256', help: 'EC_v1 tokens: everywhere except mainland China' },
              { value: 'RSA', label: 'RSA 2048', help: 'RSA_v1 tokens: mainland China' },
            ]}
          />
        </FormRow>
      ) : null}
      {request ? (
        <Note tone="warn">
          The CSR of {dateText(request.madeAt, zone)} is still waiting for its certificate. Its private key will be
          deleted: a certificate that Apple issues for it could not be used.
        </Note>
      ) : null}
    </ConfirmDialog>
  );
}

type UploadValues = {
  certificate: File | null;
  privateKey: File | null;
  password: string;
  elsewhere: boolean;
};

function UploadDialog({ request, slot, act, close }: DialogProps) {
  const toast = useToast();
  const send = async ({ certificate, privateKey, password, elsewhere }: UploadValues) => {
    if (!certificate) return;
    await act('/certificates', {
      slot,
      certificate: await base64Of(certificate),
      ...(privateKey && !isP12(certificate) && { privateKey: await base64Of(privateKey) }),
      ...(isP12(certificate) && { password }),
      ...(elsewhere && { elsewhere }),
    });
    toast('Certificate saved.');
    close();
  };
  return (
    <FormDialog<UploadValues>
      title={`Upload the ${words[slot].name}`}
      about={
        request
          ? 'A certificate for a CSR generated here needs nothing else.'
          : 'With its private key, because no CSR was generated here.'
      }
      verb="Upload certificate"
      defaultValues={{ certificate: null, privateKey: null, password: '', elsewhere: false }}
      onClose={close}
      onSend={send}
    >
      {({ register, watch }) => (
        <>
          <FormRow label="Certificate" name="certificate" help="DER or PEM from Apple, or a P12 file." stacked>
            <FileField name="certificate" accept=".cer,.crt,.pem,.der,.p12,.pfx" missing="Choose the certificate." />
          </FormRow>
          {isP12(watch('certificate')) ? (
            <FormRow label="Password of the P12 file" name="password" stacked>
              <TextInput type="password" autoComplete="off" {...register('password')} />
            </FormRow>
          ) : (
            <FormRow
              label="Private key"
              name="privateKey"
              help={
                request ? 'Only for a certificate that was requested elsewhere.' : 'PEM or DER, without a password.'
              }
              stacked
            >
              <FileField name="privateKey" accept=".key,.pem,.der,.p8" />
            </FormRow>
          )}
          {slot === 'processing' && !isP12(watch('certificate')) ? (
            <Checkbox {...register('elsewhere')}>The provider has the private key and decrypts the tokens</Checkbox>
          ) : null}
        </>
      )}
    </FormDialog>
  );
}

const isP12 = (file: File | null) => /\.(p12|pfx)$/i.test(file?.name ?? '');
