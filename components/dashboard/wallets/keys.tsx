'use client';
// Keys of Google Pay: payment pages use the first, and all of them decrypt tokens.
import { useState } from 'react';
import type { GoogleView, KeyView } from '../../../lib/dashboard/wallets/contract';
import { CopyButton } from '../../ui/copy-button';
import { Button, Code, ConfirmDialog, FormDialog, Note, useToast } from '../ui';
import { errorText } from '../ui/request';
import { shortFingerprint, tokenization } from './labels';
import { SetUpStep, SetUpSteps } from './steps';
import type { WalletAction } from './use-wallet';

type Props = { wallet: GoogleView; act: WalletAction };

export function Keys({ wallet, act }: Props) {
  const [asking, setAsking] = useState<'make' | 'upload' | null>(null);
  const [removing, setRemoving] = useState<KeyView | null>(null);
  const { keys, hasRoots, environment, mayChange } = wallet;
  const toast = useToast();
  return (
    <>
      {hasRoots ? null : (
        <Note tone="warn">
          This deployment has no root keys of Google, so no token can be decrypted. Set{' '}
          <code className="mono">GOOGLE_PAY_ROOTS_{environment}</code> to the file that Google publishes.
        </Note>
      )}
      <SetUpSteps label="Keys">
        {keys.map((key, at) => (
          <KeyStep
            key={key.fingerprint}
            shown={key}
            first={at === 0}
            prefer={mayChange && at > 0 ? () => act('/keys/prefer', { fingerprint: key.fingerprint }) : undefined}
            remove={mayChange ? () => setRemoving(key) : undefined}
          />
        ))}
        {keys.length === 0 ? (
          <SetUpStep state="open" title="No decryption key">
            Payments stay virtual: no capture, no recurring payments, no routing and no cascade.
          </SetUpStep>
        ) : null}
      </SetUpSteps>
      {mayChange ? (
        <div className="flex flex-wrap gap-2">
          <Button icon="plus" onClick={() => setAsking('make')}>
            Generate key
          </Button>
          <Button icon="upload" onClick={() => setAsking('upload')}>
            Upload key
          </Button>
        </div>
      ) : null}
      <ConfirmDialog
        open={asking === 'make'}
        onClose={() => setAsking(null)}
        title="Generate key"
        verb="Generate key"
        onConfirm={async () => {
          await act('/keys');
          toast('Key generated. Register its public key with Google.');
        }}
      >
        <p>
          A P-256 key pair is generated here. The private key is encrypted and never shown; the public key is for
          Google, or for the gateway whose tokens you decrypt.
        </p>
        {keys.length > 0 ? (
          <p className="text-ink2">
            It decrypts tokens immediately. Payment pages use the first key until you change that.
          </p>
        ) : null}
      </ConfirmDialog>
      {asking === 'upload' ? <KeyDialog act={act} close={() => setAsking(null)} /> : null}
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title="Remove key"
        verb="Remove key"
        danger
        onConfirm={() => act('/keys/remove', { fingerprint: removing?.fingerprint })}
      >
        <p>
          Tokens that Google has encrypted for it can no longer be decrypted.
          {keys.length === 1 ? ' It is the only key: payments become virtual.' : ''}
        </p>
      </ConfirmDialog>
    </>
  );
}

type StepProps = { shown: KeyView; first: boolean; prefer?: () => Promise<void>; remove?: () => void };

function KeyStep({ shown, first, prefer, remove }: StepProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const { fingerprint, publicKey } = shown;
  return (
    <SetUpStep
      state="done"
      title={first ? 'Key of the payment pages' : 'Additional decryption key'}
      actions={
        <>
          {prefer ? (
            <Button size="small" onClick={() => void prefer().catch((thrown: unknown) => setFailed(errorText(thrown)))}>
              Use for payment pages
            </Button>
          ) : null}
          {remove ? (
            <Button size="small" icon="trash" onClick={remove}>
              Remove
            </Button>
          ) : null}
        </>
      }
    >
      <p>
        EC P-256, fingerprint{' '}
        <span className="mono" title={fingerprint}>
          {shortFingerprint(fingerprint)}
        </span>
      </p>
      <p className="flex items-start gap-1.5">
        <span className="mono min-w-0 break-all">{publicKey}</span>
        <CopyButton text={publicKey} what="public key" />
      </p>
      {failed ? (
        <p role="alert" className="text-bad">
          {failed}
        </p>
      ) : null}
    </SetUpStep>
  );
}

function KeyDialog({ act, close }: { act: WalletAction; close: () => void }) {
  const toast = useToast();
  return (
    <FormDialog
      title="Upload key"
      verb="Upload key"
      defaultValues={{ privateKey: '' }}
      onClose={close}
      onSend={async (values) => {
        await act('/keys', values);
        toast('Key saved.');
        close();
      }}
      fields={[
        {
          ...({ name: 'privateKey', label: 'Private key', kind: 'area', mono: true, rows: 6 } as const),
          help: 'On P-256, without a password: PEM, or Base64 of PKCS #8. It is encrypted and never shown again.',
          autoComplete: 'off',
        },
      ]}
    />
  );
}

/** The settings that a merchant's own app or page passes to Google. */
export function Tokenization({ wallet }: { wallet: GoogleView }) {
  return <Code text={tokenization(wallet)} language="json" title="tokenizationSpecification" copy="parameters" />;
}
