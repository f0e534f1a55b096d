'use client';
// The two certificates of Apple Pay: the steps from the CSR to the certificate.
import type {
  AppleView,
  CertificateSlot,
  CertificateView,
  RequestView,
} from '../../../lib/dashboard/wallets/contract.ts';
import { Icon } from '../icons.tsx';
import {
  buttonClass,
  Checkbox,
  Fields,
  type FormQuestion,
  fieldsOf,
  Note,
  optionsOf,
  type Pair,
  Pairs,
  useQuestion,
} from '../ui/index.ts';
import { useZone } from '../zone.tsx';
import { base64Of, FileField } from './file-field.tsx';
import {
  certificateStep,
  dateText,
  daysAhead,
  Fingerprint,
  SetUpStep,
  SetUpSteps,
  type WalletAction,
} from './labels.tsx';

export function Certificates({ wallet, act, slot }: { wallet: AppleView; act: WalletAction; slot: CertificateSlot }) {
  const zone = useZone();
  const { ask, dialog } = useQuestion();
  const certificates = slot === 'processing' ? wallet.processing : wallet.identity ? [wallet.identity] : [];
  const request = wallet.requests[slot];
  const { mayChange } = wallet;
  const requestText =
    certificates.length > 0 ? 'Renew: generate a CSR' : request ? 'Generate another CSR' : 'Generate CSR';
  const given = { request, slot, act };
  const askRemove = ({ fingerprint }: CertificateView) =>
    ask({
      title: `Remove the ${slot} certificate`,
      verb: 'Remove certificate',
      danger: true,
      text:
        slot === 'processing'
          ? 'Its private key is deleted with it. Tokens that Apple has encrypted for this certificate can no longer be decrypted.'
          : 'Its private key is deleted with it. Without an identity certificate the payment page does not offer Apple Pay.',
      onConfirm: () => act('/certificates/remove', { slot, fingerprint }),
    });
  return (
    <>
      <SetUpSteps
        label={`Steps of the ${slot} certificate`}
        buttons={
          mayChange && [
            { text: requestText, icon: 'plus', onClick: () => ask(requestForm(given, zone)) },
            { text: 'Upload certificate', icon: 'upload', onClick: () => ask(uploadForm(given)) },
          ]
        }
      >
        {certificates.map((certificate) => (
          <CertificateStep
            key={certificate.fingerprint}
            certificate={certificate}
            slot={slot}
            alone={certificates.length === 1}
            remove={mayChange ? () => askRemove(certificate) : undefined}
          />
        ))}
        {certificates.length === 0 && !request ? (
          <SetUpStep state="open" title={`No ${slot} certificate`}>
            {mayChange ? 'Generate a CSR here, have Apple sign it, and upload the certificate.' : null}
          </SetUpStep>
        ) : null}
        {request ? <RequestStep wallet={wallet} slot={slot} request={request} /> : null}
      </SetUpSteps>
      {dialog}
    </>
  );
}

type StepProps = { certificate: CertificateView; slot: CertificateSlot; alone: boolean; remove?: () => void };

function CertificateStep({ certificate, slot, alone, remove }: StepProps) {
  const zone = useZone();
  const { state, validTo, fingerprint, key, hasKey, merchantIdentifier, name } = certificate;
  const version = key.startsWith('RSA') ? 'RSA_v1' : 'EC_v1';
  const details: Pair[] = [
    ['Name', name],
    ['Issued by', certificate.issuer],
    ['Serial number', certificate.serial, 'mono break-all'],
    ['Valid', `${dateText(certificate.validFrom, zone)} – ${dateText(validTo, zone)}`],
    ['Apple extensions', certificate.marks.join(', ') || 'none', 'mono break-all'],
  ];
  return (
    <SetUpStep
      {...certificateStep(slot, certificate, zone)}
      actions={remove !== undefined && [{ text: 'Remove', icon: 'trash', onClick: remove }]}
    >
      {state === 'ending' && alone ? (
        <p className="text-warn">
          It expires {daysAhead(validTo, new Date())}. Generate a CSR now;{' '}
          {slot === 'processing' ? 'both certificates work side by side.' : 'the new one replaces it.'}
        </p>
      ) : null}
      <p>
        {merchantIdentifier ?? name}, {key}
        {slot === 'processing' ? ` (${version})` : ''}, fingerprint <Fingerprint hex={fingerprint} />
      </p>
      <p>
        {hasKey
          ? 'Its private key is stored here, encrypted.'
          : 'Its private key is with the provider, who decrypts the tokens.'}
      </p>
      <details>
        <summary className="cursor-pointer text-ink3">Certificate details</summary>
        <Pairs of={details} className="mt-1 grid grid-cols-[104px_minmax(0,1fr)] gap-x-3 gap-y-0.5" />
      </details>
    </SetUpStep>
  );
}

function RequestStep({ wallet, slot, request }: { wallet: AppleView; slot: CertificateSlot; request: RequestView }) {
  const zone = useZone();
  return (
    <SetUpStep
      state="attention"
      title="Certificate signing request generated"
      beside={
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
      {request.kind === 'EC' ? 'EC P-256' : 'RSA 2048'}, generated here on {dateText(request.madeAt, zone)}. The private
      key never leaves this service. Upload the file to Apple, then upload the certificate here.
    </SetUpStep>
  );
}

type Given = { request: RequestView | null; slot: CertificateSlot; act: WalletAction };

type KeyKind = { kind: 'EC' | 'RSA' };

const keyField = fieldsOf<KeyKind>().radio('kind', 'Key', {
  options: optionsOf(
    ['EC', 'EC P-256', 'EC_v1 tokens: everywhere except mainland China'],
    ['RSA', 'RSA 2048', 'RSA_v1 tokens: mainland China'],
  ),
});

const requestForm = ({ request, slot, act }: Given, zone: string): FormQuestion<KeyKind> => ({
  title: `CSR for the ${slot} certificate`,
  verb: 'Generate CSR',
  keys: 'Ctrl ↵',
  defaultValues: { kind: slot === 'identity' ? 'RSA' : 'EC' },
  children: (
    <>
      <p>
        A key pair is generated here. The CSR contains the public key; the private key is encrypted and never shown.
      </p>
      {slot === 'processing' ? <Fields of={[keyField]} stacked /> : null}
      {request ? (
        <Note tone="warn">
          The CSR of {dateText(request.madeAt, zone)} is still waiting for its certificate. Its private key will be
          deleted: a certificate that Apple issues for it could not be used.
        </Note>
      ) : null}
    </>
  ),
  onConfirm: (values) => act('/requests', { slot, ...values }),
  done: 'CSR generated. Download it and upload it to Apple.',
});

type UploadValues = { certificate: File | null; privateKey: File | null; password: string; elsewhere: boolean };

const isP12 = ({ certificate }: UploadValues) => /\.(p12|pfx)$/i.test(certificate?.name ?? '');

const { text, own } = fieldsOf<UploadValues>();

const uploadForm = ({ request, slot, act }: Given): FormQuestion<UploadValues> => ({
  title: `Upload the ${slot} certificate`,
  verb: 'Upload certificate',
  done: 'Certificate saved.',
  about: request
    ? 'A certificate for a CSR generated here needs nothing else.'
    : 'With its private key, because no CSR was generated here.',
  defaultValues: { certificate: null, privateKey: null, password: '', elsewhere: false },
  fields: [
    own('certificate', 'Certificate', {
      field: true,
      help: 'DER or PEM from Apple, or a P12 file.',
      control: (
        <FileField name="certificate" accept=".cer,.crt,.pem,.der,.p12,.pfx" missing="Choose the certificate." />
      ),
    }),
    text('password', 'Password of the P12 file', { type: 'password', when: isP12 }),
    own('privateKey', 'Private key', {
      field: true,
      help: request ? 'Only for a certificate that was requested elsewhere.' : 'PEM or DER, without a password.',
      control: <FileField name="privateKey" accept=".key,.pem,.der,.p8" />,
      when: (values) => !isP12(values),
    }),
  ],
  children: ({ register, watch }) =>
    slot === 'processing' && !isP12(watch()) ? (
      <Checkbox {...register('elsewhere')}>The provider has the private key and decrypts the tokens</Checkbox>
    ) : null,
  onConfirm: async (values) => {
    const { certificate, privateKey, password, elsewhere } = values;
    await act('/certificates', {
      slot,
      certificate: certificate && (await base64Of(certificate)),
      ...(privateKey && !isP12(values) && { privateKey: await base64Of(privateKey) }),
      ...(isP12(values) && { password }),
      ...(elsewhere && { elsewhere }),
    });
  },
});
