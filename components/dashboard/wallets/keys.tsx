'use client';
// Keys of Google Pay: payment pages use the first, and all of them decrypt tokens.
import type { GoogleView, KeyView } from '../../../lib/dashboard/wallets/contract.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ActionError, fieldsOf, Note, useAction, useQuestion } from '../ui/index.ts';
import { Fingerprint, SetUpStep, SetUpSteps, type WalletAction } from './labels.tsx';

const keyField = fieldsOf<{ privateKey: string }>().area('privateKey', 'Private key', {
  mono: true,
  rows: 6,
  autoComplete: 'off',
  help: 'On P-256, without a password: PEM, or Base64 of PKCS #8. It is encrypted and never shown again.',
});

export function Keys({ wallet, act }: { wallet: GoogleView; act: WalletAction }) {
  const { ask, dialog } = useQuestion();
  const { keys, hasRoots, environment, mayChange } = wallet;
  const askMake = () =>
    ask({
      title: 'Generate key',
      text: (
        <>
          <p>
            A P-256 key pair is generated here. The private key is encrypted and never shown; the public key is for
            Google, or for the gateway whose tokens you decrypt.
          </p>
          {keys.length > 0 ? (
            <p className="text-ink2">
              It decrypts tokens immediately. Payment pages use the first key until you change that.
            </p>
          ) : null}
        </>
      ),
      done: 'Key generated. Register its public key with Google.',
      onConfirm: () => act('/keys'),
    });
  const askUpload = () =>
    ask({
      title: 'Upload key',
      done: 'Key saved.',
      fields: [keyField],
      defaultValues: { privateKey: '' },
      onConfirm: (values) => act('/keys', values),
    });
  const askRemove = ({ fingerprint }: KeyView) =>
    ask({
      title: 'Remove key',
      danger: true,
      text: `Tokens that Google has encrypted for it can no longer be decrypted.${keys.length === 1 ? ' It is the only key: payments become virtual.' : ''}`,
      onConfirm: () => act('/keys/remove', { fingerprint }),
    });
  return (
    <>
      {hasRoots ? null : (
        <Note tone="warn">
          This deployment has no root keys of Google, so no token can be decrypted. Set{' '}
          <code className="mono">GOOGLE_PAY_ROOTS_{environment}</code> to the file that Google publishes.
        </Note>
      )}
      <SetUpSteps
        label="Keys"
        buttons={
          mayChange && [
            { text: 'Generate key', icon: 'plus', onClick: askMake },
            { text: 'Upload key', icon: 'upload', onClick: askUpload },
          ]
        }
      >
        {keys.map((key, at) => (
          <KeyStep
            key={key.fingerprint}
            shown={key}
            first={at === 0}
            act={mayChange ? act : null}
            remove={() => askRemove(key)}
          />
        ))}
        {keys.length === 0 ? (
          <SetUpStep state="open" title="No decryption key">
            Payments stay virtual: no capture, no recurring payments, no routing and no cascade.
          </SetUpStep>
        ) : null}
      </SetUpSteps>
      {dialog}
    </>
  );
}

type StepProps = { shown: KeyView; first: boolean; act: WalletAction | null; remove: () => void };

function KeyStep({ shown: { fingerprint, publicKey }, first, act, remove }: StepProps) {
  const { run, error } = useAction();
  return (
    <SetUpStep
      state="done"
      title={first ? 'Key of the payment pages' : 'Additional decryption key'}
      actions={
        act !== null && [
          !first && {
            text: 'Use for payment pages',
            onClick: () => void run(() => act('/keys/prefer', { fingerprint })),
          },
          { text: 'Remove', icon: 'trash', onClick: remove },
        ]
      }
    >
      <p>
        EC P-256, fingerprint <Fingerprint hex={fingerprint} />
      </p>
      <p className="flex items-start gap-1.5">
        <span className="mono min-w-0 break-all">{publicKey}</span>
        <CopyButton text={publicKey} what="public key" />
      </p>
      <ActionError text={error} className="" />
    </SetUpStep>
  );
}
