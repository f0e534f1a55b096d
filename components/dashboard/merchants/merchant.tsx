'use client';
// A merchant's general settings, and the action that disables it for every protocol.
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
      {/* The stored values are the base of the next changes. */}
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
      effect="Takes effect immediately on payment pages"
      onSave={save}
      saved="Merchant saved."
      readOnly={!page.mayChange}
    >
      {page.mayChange ? null : (
        <div className="pt-[18px]">
          <Note>You have read-only access. Account managers can change merchants.</Note>
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
    toast(enabled ? `${values.name} is disabled.` : `${values.name} is enabled.`);
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
          items={[{ text: enabled ? 'Disable' : 'Enable', danger: enabled, onSelect: () => setAsking(true) }]}
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
        title={enabled ? `Disable ${values.name}` : `Enable ${values.name}`}
        verb={enabled ? 'Disable merchant' : 'Enable merchant'}
        danger={enabled}
        typed={enabled ? values.name : undefined}
        onConfirm={turn}
      >
        <p className="text-ink2">
          {enabled
            ? 'Every request of this merchant is refused immediately, and open payment pages accept no more payments. Operations in progress continue: provider responses, callbacks and refunds.'
            : 'Requests with its valid keys are accepted again immediately.'}
        </p>
      </ConfirmDialog>
    </>
  );
}
