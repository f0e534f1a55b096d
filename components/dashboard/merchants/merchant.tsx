'use client';
// A merchant's general settings, and the switch by which every protocol refuses it.
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { MerchantPage, MerchantValues } from '../../../lib/dashboard/merchants/contract';
import { ConfirmDialog, IconButton, LinkButton, Menu, Note, request, SettingsForm, useToast } from '../ui';
import { MerchantFields, merchantLabels, merchantSections } from './fields';
import { SettingsHead } from './settings-head';
import { merchantTabs } from './tabs';

export function Merchant({ initial }: { initial: MerchantPage }) {
  const [page, setPage] = useState(initial);
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <Head page={page} setPage={setPage} />
      {/* What the server has stored is what the next change is held against. */}
      <Form key={page.version} page={page} setPage={setPage} />
    </div>
  );
}

type Props = { page: MerchantPage; setPage: (page: MerchantPage) => void };

function Form({ page, setPage }: Props) {
  const form = useForm<MerchantValues>({ defaultValues: page.values });
  const save = async (values: MerchantValues) => {
    const saved = await request<MerchantPage>(`/merchants/${page.id}`, { body: { version: page.version, ...values } });
    setTimeout(() => setPage(saved));
  };
  return (
    <SettingsForm
      sections={merchantSections}
      form={form}
      labels={merchantLabels}
      effect="Payment pages use them at once"
      onSave={save}
      saved="Merchant saved."
      readOnly={!page.mayChange}
    >
      {page.mayChange ? null : (
        <div className="pt-[18px]">
          <Note>Your role looks on: account managers change merchants.</Note>
        </div>
      )}
      <MerchantFields />
    </SettingsForm>
  );
}

function Head({ page, setPage }: Props) {
  const [asking, setAsking] = useState(false);
  const toast = useToast();
  const { id, version, enabled, mayChange, values } = page;
  const turn = async () => {
    const body = { version, enabled: !enabled };
    setPage(await request<MerchantPage>(`/merchants/${id}/switch`, { body }));
    toast(enabled ? `${values.name} is switched off.` : `${values.name} is switched on.`);
  };
  const actions = (
    <>
      <LinkButton href={`/dashboard/mids?merchant=${id}`} icon="provider">
        MIDs
      </LinkButton>
      <LinkButton href={`/dashboard/audit-log?on=merchant:${id}`} icon="history">
        History
      </LinkButton>
      {mayChange ? (
        <Menu
          label="Merchant"
          items={[{ text: enabled ? 'Switch off' : 'Switch on', danger: enabled, onSelect: () => setAsking(true) }]}
        >
          <IconButton label="More" icon="dots" framed size="normal" />
        </Menu>
      ) : null}
    </>
  );
  return (
    <>
      <SettingsHead title={values.name} enabled={enabled} actions={actions} tabs={merchantTabs(id, 'general')} />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={enabled ? `Switch ${values.name} off` : `Switch ${values.name} on`}
        verb={enabled ? 'Switch merchant off' : 'Switch merchant on'}
        danger={enabled}
        typed={enabled ? values.name : undefined}
        onConfirm={turn}
      >
        <p className="text-ink2">
          {enabled
            ? 'Every request of this merchant is refused at once, and open payment pages take no more payments. What has been begun is finished: answers of providers, callbacks and refunds on their way.'
            : 'Requests with its valid keys are taken again at once.'}
        </p>
      </ConfirmDialog>
    </>
  );
}
