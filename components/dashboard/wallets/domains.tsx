'use client';
// The hosts registered with Apple: the verification file of each, and whether it is served where Apple expects it.
import { useState } from 'react';
import type { AppleView, DomainView, ValidationAnswer } from '../../../lib/dashboard/wallets/contract';
import { Button, ConfirmDialog, FormDialog, FormRow, IconButton, Note, request, TextInput, useToast } from '../ui';
import { errorText } from '../ui/request';
import { Time } from '../zone';
import { FileField } from './file-field';
import { SetUpStep, SetUpSteps } from './steps';
import type { WalletAction } from './use-wallet';

type Props = { wallet: AppleView; act: WalletAction };

export function Domains({ wallet, act }: Props) {
  const [adding, setAdding] = useState<string | null>(null);
  const [removing, setRemoving] = useState<string | null>(null);
  const { domains, pageHost, mayChange } = wallet;
  const isRegistered = domains.some(({ host }) => host === pageHost);
  return (
    <>
      <SetUpSteps label="Domains">
        {domains.map((domain) => (
          <DomainStep
            key={domain.host}
            domain={domain}
            act={mayChange ? act : null}
            replace={() => setAdding(domain.host)}
            remove={() => setRemoving(domain.host)}
          />
        ))}
        {isRegistered ? null : (
          <SetUpStep
            state="open"
            title={`No file for ${pageHost}`}
            actions={
              mayChange ? (
                <Button size="small" icon="upload" onClick={() => setAdding(pageHost)}>
                  Upload file
                </Button>
              ) : null
            }
          >
            The payment page uses this host. In Apple’s account, add it to the merchant identifier and download its
            file.
          </SetUpStep>
        )}
      </SetUpSteps>
      {mayChange ? (
        <div className="flex flex-wrap gap-2">
          <Button icon="plus" onClick={() => setAdding('')}>
            Add domain
          </Button>
        </div>
      ) : null}
      {adding === null ? null : <DomainDialog host={adding} act={act} close={() => setAdding(null)} />}
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Remove ${removing}`}
        verb="Remove domain"
        danger
        onConfirm={() => act('/domains/remove', { host: removing })}
      >
        <p>Its file is no longer served. Apple removes the registration when it next verifies the file.</p>
      </ConfirmDialog>
    </>
  );
}

type StepProps = { domain: DomainView; act: WalletAction | null; replace: () => void; remove: () => void };

function DomainStep({ domain, act, replace, remove }: StepProps) {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const { host, checkedAt, fault, url } = domain;
  const check = async () => {
    setBusy(true);
    setFailed(null);
    await act?.('/domains/check', { host }).catch((thrown: unknown) => setFailed(errorText(thrown)));
    setBusy(false);
  };
  const problem = failed ?? fault;
  return (
    <SetUpStep
      state={problem ? 'wrong' : checkedAt ? 'done' : 'attention'}
      title={`${problem ? 'Domain file not found' : checkedAt ? 'Domain file served' : 'Domain file uploaded'} on ${host}`}
      actions={
        act ? (
          <>
            <Button size="small" busy={busy} onClick={() => void check()}>
              Check
            </Button>
            <Button size="small" onClick={replace}>
              Replace
            </Button>
            <IconButton label={`Remove ${host}`} icon="trash" onClick={remove} />
          </>
        ) : null
      }
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

type DialogProps = { host: string; act: WalletAction; close: () => void };

function DomainDialog({ host, act, close }: DialogProps) {
  const toast = useToast();
  return (
    <FormDialog<{ host: string; file: File | null }>
      title="Domain file"
      about="It is served at Apple’s expected path as soon as it is uploaded."
      verb="Upload"
      defaultValues={{ host, file: null }}
      onClose={close}
      onSend={async ({ file, ...values }) => {
        await act('/domains', { ...values, file: await file?.text() });
        toast('The file is served now.');
        close();
      }}
    >
      {({ register }) => (
        <>
          <FormRow
            label="Host"
            name="host"
            help="Without https:// and path. It must resolve to this deployment."
            stacked
          >
            <TextInput mono {...register('host')} />
          </FormRow>
          <FormRow label="File" name="file" help="apple-developer-merchantid-domain-association, about 9 KB" stacked>
            <FileField name="file" accept=".txt,*" missing="Choose the file from Apple's account." />
          </FormRow>
        </>
      )}
    </FormDialog>
  );
}

/** Requests a session from Apple with the identity certificate, as a payment page does. */
export function AppleTest({ wallet }: { wallet: AppleView }) {
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<ValidationAnswer | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const ask = async () => {
    setBusy(true);
    setAnswer(null);
    setFailed(null);
    await request<ValidationAnswer>(`/wallets/${wallet.id}/validation`, { method: 'POST' })
      .then(setAnswer)
      .catch((thrown: unknown) => setFailed(errorText(thrown)));
    setBusy(false);
  };
  const problem = failed ?? answer?.fault;
  return (
    <div className="grid justify-items-start gap-2.5">
      <Button busy={busy} icon="play" onClick={() => void ask()}>
        Test with Apple
      </Button>
      {problem ? (
        <Note tone="bad" role="alert">
          {problem}
        </Note>
      ) : null}
      {answer && !answer.fault ? (
        <Note tone="ok" icon="tick" role="status">
          Apple created a session for {answer.host}. The payment page can offer Apple Pay.
        </Note>
      ) : null}
    </div>
  );
}
