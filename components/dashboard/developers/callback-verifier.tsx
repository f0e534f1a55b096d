'use client';
// The callback verifier: checks whether Florin signed a pasted callback.
import Link from 'next/link';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import type { VerifierResult } from '../../../lib/dashboard/developers/contract.ts';
import { Button, Fields, fieldsOf, LinkButton, Note, request, showErrors } from '../ui/index.ts';
import { Cause, CausesTried, SignedText } from './explanation.tsx';

type Pasted = { body: string; headers: string };

const { area } = fieldsOf<Pasted>();
const tall = { mono: true, rows: 8 };

const fields = [
  area('body', 'Body', { ...tall, help: 'One line of name=value, or one line per field.' }),
  area('headers', 'Headers', {
    ...tall,
    help: 'Without them the sender cannot be verified. webhook-signature covers the body as one line.',
  }),
];

export function CallbackVerifier() {
  const [verified, setVerified] = useState<VerifierResult | null>(null);
  const form = useForm<Pasted>({ defaultValues: { body: '', headers: '' } });
  const verify = form.handleSubmit(async (values) => {
    try {
      setVerified(await request<VerifierResult>('/callback-verifier', { body: values, reads: true }));
    } catch (thrown) {
      setVerified(null);
      const message = showErrors(form, thrown);
      if (message !== null) form.setError('body', { message });
    }
  });
  return (
    <>
      <FormProvider {...form}>
        <form onSubmit={verify} className="grid gap-4 border-b border-line px-gutter py-5">
          <p className="max-w-[720px] text-ink2">
            Paste what your server received. The hash is computed with the key of the payment, by the code that signs
            callbacks. Nothing is stored.
          </p>
          <div className="grid gap-4 lg:grid-cols-2">
            <Fields of={fields} stacked />
          </div>
          <div className="flex flex-wrap items-center gap-2">
            <Button kind="primary" type="submit" icon="verify" busy={form.formState.isSubmitting}>
              Verify callback
            </Button>
            <LinkButton href="/dashboard/callbacks" icon="callback">
              Choose one from the log
            </LinkButton>
          </div>
        </form>
      </FormProvider>
      <div aria-live="polite">{verified ? <Result verified={verified} /> : null}</div>
    </>
  );
}

function Result({ verified: { protocol, paymentId, explanation, webhook, notes } }: { verified: VerifierResult }) {
  return (
    <>
      <Cause explanation={explanation} />
      <div className="grid gap-2 border-b border-line px-gutter py-4">
        <p className="text-ink2">
          {protocol}
          {paymentId ? ', ' : null}
          {paymentId ? (
            <Link href={`/dashboard/payments/${paymentId}`} prefetch={false}>
              its payment
            </Link>
          ) : null}
        </p>
        <Note tone={webhook.right ? 'ok' : 'warn'} icon={webhook.right ? 'tick' : 'warn'}>
          <strong className="font-semibold">{webhook.title}.</strong> {webhook.text}
        </Note>
        {notes.map((note) => (
          <Note key={note}>{note}</Note>
        ))}
      </div>
      <SignedText
        explanation={explanation}
        oursTitle="What Florin signs"
        theirsTitle="What was most likely signed"
        aside={explanation.tried.length > 0 ? <CausesTried tried={explanation.tried} /> : null}
      />
    </>
  );
}
