'use client';
// The hosts registered with Apple: the verification file of each, and whether it is served where Apple expects it.
import { useState } from 'react';
import type { AppleView, DomainView, ValidationAnswer } from '../../../lib/dashboard/wallets/contract.ts';
import { Button, ErrorNote, fieldsOf, IconButton, Note, request, useAction, useQuestion } from '../ui/index.ts';
import { Time } from '../zone.tsx';
import { FileField } from './file-field.tsx';
import { SetUpStep, SetUpSteps, type WalletAction } from './labels.tsx';

export function Domains({ wallet, act }: { wallet: AppleView; act: WalletAction }) {
  const { ask, dialog } = useQuestion();
  const { domains, pageHost, mayChange } = wallet;
  const isRegistered = domains.some(({ host }) => host === pageHost);
  const askFile = (host: string) =>
    ask<DialogValues>({
      title: 'Domain file',
      verb: 'Upload',
      fields: dialogFields,
      done: 'The file is served now.',
      about: 'It is served at Apple’s expected path as soon as it is uploaded.',
      defaultValues: { host, file: null },
      onConfirm: async ({ file, ...values }) => act('/domains', { ...values, file: await file?.text() }),
    });
  const askRemove = (host: string) =>
    ask({
      title: `Remove ${host}`,
      verb: 'Remove domain',
      danger: true,
      text: 'Its file is no longer served. Apple removes the registration when it next verifies the file.',
      onConfirm: () => act('/domains/remove', { host }),
    });
  return (
    <>
      <SetUpSteps
        label="Domains"
        buttons={mayChange && [{ text: 'Add domain', icon: 'plus', onClick: () => askFile('') }]}
      >
        {domains.map((domain) => (
          <DomainStep
            key={domain.host}
            domain={domain}
            act={mayChange ? act : null}
            replace={() => askFile(domain.host)}
            remove={() => askRemove(domain.host)}
          />
        ))}
        {isRegistered ? null : (
          <SetUpStep
            state="open"
            title={`No file for ${pageHost}`}
            actions={mayChange && [{ text: 'Upload file', icon: 'upload', onClick: () => askFile(pageHost) }]}
          >
            The payment page uses this host. In Apple’s account, add it to the merchant identifier and download its
            file.
          </SetUpStep>
        )}
      </SetUpSteps>
      {dialog}
    </>
  );
}

type StepProps = { domain: DomainView; act: WalletAction | null; replace: () => void; remove: () => void };

function DomainStep({ domain: { host, checkedAt, fault, url }, act, replace, remove }: StepProps) {
  const { run, busy, error } = useAction();
  const problem = error ?? fault;
  return (
    <SetUpStep
      state={problem ? 'wrong' : checkedAt ? 'done' : 'attention'}
      title={`${problem ? 'Domain file not found' : checkedAt ? 'Domain file served' : 'Domain file uploaded'} on ${host}`}
      actions={
        act !== null && [
          { text: 'Check', busy: busy !== null, onClick: () => void run(() => act('/domains/check', { host })) },
          { text: 'Replace', onClick: replace },
        ]
      }
      beside={act ? <IconButton label={`Remove ${host}`} icon="trash" onClick={remove} /> : null}
    >
      <div role="status">
        {problem ? <p className="text-bad">{problem}</p> : null}
        {checkedAt ? (
          <p>
            Checked <Time at={checkedAt} as="date and time" />
          </p>
        ) : (
          <p>Not checked yet. Check it before Apple does.</p>
        )}
      </div>
      <p className="mono break-all text-ink3">{url}</p>
    </SetUpStep>
  );
}

type DialogValues = { host: string; file: File | null };

const { text, own } = fieldsOf<DialogValues>();

const dialogFields = [
  text('host', 'Host', { mono: true, help: 'Without https:// and path. It must resolve to this deployment.' }),
  own('file', 'File', {
    field: true,
    help: 'apple-developer-merchantid-domain-association, about 9 KB',
    control: <FileField name="file" accept=".txt,*" missing="Choose the file from Apple's account." />,
  }),
];

/** Requests a session from Apple with the identity certificate, as a payment page does. */
export function AppleTest({ wallet }: { wallet: AppleView }) {
  const { run, busy, error } = useAction();
  const [answer, setAnswer] = useState<ValidationAnswer | null>(null);
  const test = async () => {
    setAnswer(null);
    setAnswer(await request<ValidationAnswer>(`/wallets/${wallet.id}/validation`, { method: 'POST' }));
  };
  const problem = error ?? answer?.fault;
  return (
    <div className="grid justify-items-start gap-2.5">
      <Button busy={busy !== null} icon="play" onClick={() => void run(test)}>
        Test with Apple
      </Button>
      <ErrorNote text={problem} />
      {answer && !answer.fault ? (
        <Note tone="ok" icon="tick" role="status">
          Apple created a session for {answer.host}. The payment page can offer Apple Pay.
        </Note>
      ) : null}
    </div>
  );
}
