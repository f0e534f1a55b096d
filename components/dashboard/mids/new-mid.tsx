'use client';
// Creates a MID. In a sandbox it uses the sandbox simulator by default, so that it can take payments immediately.
import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { type MidChoices, type MidPage, type MidValues, newMidValues } from '../../../lib/dashboard/mids/contract.ts';
import { Actions, CreateForm, fieldsOf, optionsOf, request, type Section, useToast } from '../ui/index.ts';
import { useConnectionTest } from './connection.tsx';
import { toSend } from './credentials.tsx';
import { midSections } from './fields.tsx';

type NewValues = MidValues & { merchantId: string };

const { select } = fieldsOf<NewValues>();

const nothingStored = { apiKey: false, signingSecret: false, credentials: {} };

export function NewMid({ choices, merchantId }: { choices: MidChoices; merchantId: string | null }) {
  const { merchants, sandbox } = choices;
  const first = merchants.find(({ id }) => id === merchantId) ?? (merchants.length === 1 ? merchants[0] : undefined);
  const provider = sandbox ? 'sandbox' : 'own';
  const form = useForm<NewValues>({ defaultValues: { ...newMidValues, provider, merchantId: first?.id ?? '' } });
  const router = useRouter();
  const toast = useToast();
  const { test, answer } = useConnectionTest(form, '/mids');
  const create = async (values: NewValues) => {
    const made = await request<MidPage>('/mids', { body: toSend(values) });
    // After the creation there is nothing to lose by leaving.
    form.reset(values);
    toast('MID created.');
    router.push(`/dashboard/mids/${made.id}`);
  };
  const sections = useMemo(() => {
    const merchant = select('merchantId', 'Merchant', {
      help: 'A MID cannot be moved to another merchant.',
      options: [{ value: '', label: 'Choose a merchant', disabled: true }, ...optionsOf(...choices.merchants)],
    });
    return midSections({ choices, stored: nothingStored, merchant }) as unknown as Section<NewValues>[];
  }, [choices]);
  return (
    <CreateForm
      title="New MID"
      before={answer}
      sections={sections}
      form={form}
      verb="Create MID"
      effect="Payments can use it immediately. Logged under your name."
      onCreate={create}
      aside={<Actions of={[test]} />}
    />
  );
}
