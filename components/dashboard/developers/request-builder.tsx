'use client';
// The request builder: an action, its fields with sample values for the sandbox, its signature, and the request as
// source code. Input is signed again after a pause, so that the code always matches the form.
import { useEffect, useMemo, useState } from 'react';
import { FormProvider, type UseFormReturn, useForm } from 'react-hook-form';
import { protocolNames } from '../../../lib/core/mapping-options.ts';
import type {
  BuilderAction,
  BuilderField,
  BuilderPage,
  BuilderResponse,
  BuiltRequest,
} from '../../../lib/dashboard/developers/contract.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import {
  Button,
  Code,
  Empty,
  ErrorNote,
  type Field,
  Fields,
  LinkButton,
  Note,
  optionsOf,
  RequestFailed,
  request,
  Select,
  Tabs,
  useRead,
} from '../ui/index.ts';
import { Programs } from './explanation.tsx';
import { OutcomeShape } from './outcome.tsx';

type Values = { [field: string]: string };
type Form = UseFormReturn<Values>;

/** react-hook-form reads dots as nesting; the fields' own paths are kept flat. */
const nameOf = (path: string) => path.replaceAll('.', '/');
const pathOf = (name: string) => name.replaceAll('/', '.');

const names: { readonly [protocol: string]: string } = protocolNames;

export function RequestBuilder({ initial }: { initial: BuilderPage }) {
  const [merchantId, setMerchantId] = useState(initial.merchant?.id ?? '');
  const [chosen, setChosen] = useState({ protocol: 'checkout', action: '/api/v1/session' });
  const { data: page = initial } = useRead<BuilderPage>(`/request-builder?merchant=${merchantId}`, {
    initialData: merchantId === (initial.merchant?.id ?? '') ? initial : undefined,
    staleTime: 60_000,
  });
  const action = page.actions.find((each) => each.protocol === chosen.protocol && each.action === chosen.action);
  if (!page.merchant || !page.keyName) return <NoKey page={page} />;
  return (
    <>
      <div className="flex min-h-14 flex-wrap items-center gap-3 border-b border-line px-gutter py-2.5">
        <Tabs
          label="Protocol"
          segments
          tabs={Object.entries(names).map(([id, title]) => ({ id, title }))}
          value={chosen.protocol}
          onChange={(protocol) => {
            const first = page.actions.find((each) => each.protocol === protocol);
            if (first) setChosen({ protocol, action: first.action });
          }}
        />
        <div className="w-[254px] max-w-full">
          <Select
            aria-label="Action"
            mono
            size="full"
            value={chosen.action}
            onChange={({ target }) => setChosen({ ...chosen, action: target.value })}
            options={page.actions
              .filter(({ protocol }) => protocol === chosen.protocol)
              .map(({ action: value, title }) => ({ value, label: title }))}
          />
        </div>
        <p className="min-w-0 flex-1 text-ink2 phone:basis-full">{action?.about}</p>
        {page.merchants.length > 1 ? (
          <div className="w-[200px] max-w-full">
            <Select
              aria-label="Merchant"
              size="full"
              value={merchantId}
              onChange={({ target }) => setMerchantId(target.value)}
              options={optionsOf(...page.merchants)}
            />
          </div>
        ) : null}
      </div>
      {action ? (
        <Builder
          key={`${merchantId} ${action.protocol} ${action.action}`}
          action={action}
          page={page}
          merchantId={merchantId}
        />
      ) : null}
    </>
  );
}

function NoKey({ page: { merchant } }: { page: BuilderPage }) {
  return (
    <Empty title={merchant ? 'No key to sign with' : 'No merchant yet'}>
      <p>
        {merchant
          ? `${merchant.name} has no valid key in this environment. Requests are signed with its password.`
          : 'Requests belong to a merchant. Create one first.'}
      </p>
      <LinkButton href={`/dashboard/merchants${merchant ? `/${merchant.id}` : ''}`} icon="merchants">
        {merchant ? 'View keys' : 'View merchants'}
      </LinkButton>
    </Empty>
  );
}

function Builder({ action, page, merchantId }: { action: BuilderAction; page: BuilderPage; merchantId: string }) {
  const { shown, others, defaultValues } = useMemo(() => {
    const { fields, token } = action;
    const required = fields.filter((field) => field.required);
    const usual = fields.filter((field) => field.usual && !field.required);
    return {
      shown: [...(token ? [tokenField] : []), ...[...required, ...usual].map(fieldOf)],
      others: fields.filter((field) => !field.required && !field.usual).map(fieldOf),
      defaultValues: Object.fromEntries([
        ['token', ''],
        ...fields.map(({ path, sample, ...field }) => [nameOf(path), field.required || field.usual ? sample : '']),
      ]),
    };
  }, [action]);
  const form = useForm<Values>({ defaultValues });
  const [answer, setAnswer] = useState<BuilderResponse | null>(null);
  const [busy, setBusy] = useState(false);
  const values = form.watch();
  const body = bodyOf(action, values, merchantId);
  const { built, error, setError } = useBuiltRequest(form, body);
  const send = async () => {
    setBusy(true);
    try {
      setAnswer(await request<BuilderResponse>('/request-builder/send', { body }));
      setError(null);
    } catch (thrown) {
      setError(errorMessage(form, thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormProvider {...form}>
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start lg:content-stretch lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <form
          className="grid content-start gap-4 px-gutter py-5"
          onSubmit={(event) => {
            event.preventDefault();
            if (page.sends) void send();
          }}
        >
          <Fields of={shown} />
          {others.length > 0 ? (
            <details>
              <summary className="min-h-7 cursor-pointer font-medium text-ink2 hover:text-ink">
                {others.length} more {others.length === 1 ? 'field' : 'fields'}
              </summary>
              <div className="mt-4 grid gap-4">
                <Fields of={others} />
              </div>
            </details>
          ) : null}
          <div className="sticky bottom-0 z-1 -mx-gutter flex flex-wrap items-center gap-3 border-t border-line bg-bg px-gutter py-3 phone:bottom-14">
            {page.sends ? (
              <Button kind="primary" type="submit" icon="play" busy={busy}>
                Send to sandbox
              </Button>
            ) : null}
            <p className="text-xs text-ink3">
              {page.sends
                ? `Signed with the password of ${page.keyName}`
                : 'Requests cannot be sent from here in production. Run the code with your own password.'}
            </p>
          </div>
          <ErrorNote text={error} />
        </form>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-6 border-line px-gutter py-5 max-lg:border-t lg:sticky lg:top-[calc(var(--top)+48px)] lg:max-h-[calc(100dvh-48px-var(--top))] lg:overflow-y-auto lg:border-l lg:px-6">
          {answer ? <Answer answer={answer} /> : null}
          {built ? <Signature built={built} /> : null}
          {built ? <Programs title="The same request as code" code={built.code} /> : null}
        </div>
      </div>
    </FormProvider>
  );
}

/** Signs the body after a pause in the input; a fault is the `error`, which sending shares. */
function useBuiltRequest(form: Form, body: object) {
  const [built, setBuilt] = useState<BuiltRequest | null>(null);
  const [error, setError] = useState<string | null>(null);
  const text = JSON.stringify(body);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text represents the body
  useEffect(() => {
    let over = false;
    const timer = setTimeout(async () => {
      try {
        const made = await request<BuiltRequest>('/request-builder/sign', { body, reads: true });
        if (over) return;
        form.clearErrors();
        setBuilt(made);
        setError(null);
      } catch (thrown) {
        if (!over) setError(errorMessage(form, thrown));
      }
    }, 300);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [text]);

  return { built, error, setError };
}

/** Shows field errors at their fields without moving the focus; returns the general message. */
function errorMessage(form: Form, thrown: unknown): string {
  if (thrown instanceof RequestFailed) {
    form.clearErrors();
    for (const [path, message] of Object.entries(thrown.fields)) form.setError(nameOf(path), { message });
  }
  return (thrown as Error).message;
}

function bodyOf({ protocol, action, token }: BuilderAction, values: Values, merchantId: string) {
  const { token: input, ...fields } = values;
  const filled = Object.entries(fields).filter(([, text]) => text !== undefined && text !== '');
  return {
    protocol,
    action,
    merchantId,
    fields: Object.fromEntries(filled.map(([name, text]) => [pathOf(name), text])),
    ...(token && input ? { token: input } : {}),
  };
}

function fieldOf({ path, kind, choices, required, help }: BuilderField): Field<Values> {
  const shared = { name: nameOf(path), label: path, code: true, mono: true, optional: !required, help };
  const options = optionsOf(...(required ? [] : ['']), ...choices);
  if (kind === 'choice') return { ...shared, kind: 'select', options };
  return kind === 'json' ? { ...shared, kind: 'area', rows: 2 } : shared;
}

const tokenField: Field<Values> = {
  name: 'token',
  label: 'Token',
  code: true,
  mono: true,
  help: 'Header: the last part of a session page’s URL.',
};

function Signature({ built: { hash, signed, formula } }: { built: BuiltRequest }) {
  if (!signed) return <Note>This action is authenticated by a token; nothing is signed.</Note>;
  return (
    <section aria-label="Signature">
      <h2 className="text-base font-semibold">Signature</h2>
      <p className="text-xs text-ink3">{formula}</p>
      <p className="mt-1.5 font-mono text-xs leading-[19px] break-all">
        {signed.map(({ text, label, secret }, at) => (
          <span key={label} title={label}>
            {at > 0 ? <span className="text-ink3"> . </span> : null}
            {secret ? label : text}
          </span>
        ))}
      </p>
      {hash ? (
        <p className="mt-1.5 flex items-center gap-2">
          <code className="text-xs font-semibold break-all text-ok">{hash}</code>
          <CopyButton text={hash} what="hash" />
        </p>
      ) : null}
    </section>
  );
}

function Answer({ answer: { status, durationMs, text } }: { answer: BuilderResponse }) {
  return (
    <section aria-label="Response" aria-live="polite">
      <h2 className="mb-2 flex items-center gap-2 text-base font-semibold">
        <OutcomeShape kind={status === 200 ? 'carried' : 'refused'} />
        {status}
        <span className="figures text-xs font-normal text-ink3">{durationMs} ms</span>
      </h2>
      <Code text={text} language="json" copy="answer" />
    </section>
  );
}
