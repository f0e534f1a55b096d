'use client';
// One MID: settings, connection test, and the action that stops new payments on it.
import { type ReactNode, useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { MidChoices, MidPage, MidValues } from '../../../lib/dashboard/mids/contract';
import { SettingsHead } from '../merchants/settings-head';
import {
  ConfirmDialog,
  FormRow,
  IconButton,
  LinkButton,
  Menu,
  type MenuItem,
  Note,
  request,
  SettingsForm,
  useToast,
} from '../ui';
import { useConnectionTest } from './connection';
import { MidFields, midSections } from './fields';
import { toSend } from './form-values';
import { midLabels, secretFields, shownValues } from './labels';

type Props = { initial: MidPage; choices: MidChoices };

export function Mid({ initial, choices }: Props) {
  const [page, setPage] = useState(initial);
  // The stored values are the base of the next changes; entered secrets are cleared.
  return <Settings key={page.version} page={page} setPage={setPage} choices={choices} />;
}

type SettingsProps = { page: MidPage; setPage: (page: MidPage) => void; choices: MidChoices };

function Settings({ page, setPage, choices }: SettingsProps) {
  const form = useForm<MidValues>({ defaultValues: page.values });
  const labels = useMemo(() => midLabels(choices.credentials), [choices]);
  const secrets = useMemo(() => secretFields(choices.credentials), [choices]);
  const { button, answer } = useConnectionTest(form, `/mids/${page.id}`);
  const save = async (values: MidValues) => {
    const body = { version: page.version, ...toSend(values) };
    const saved = await request<MidPage>(`/mids/${page.id}`, { body });
    setTimeout(() => setPage(saved));
  };
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <Head page={page} setPage={setPage} choices={choices} test={page.mayChange ? button : null} />
      {answer}
      <SettingsForm
        sections={midSections}
        form={form}
        labels={labels}
        show={shownValues}
        secrets={secrets}
        effect={page.enabled ? 'Takes effect immediately for payments' : 'Used when the MID is enabled'}
        onSave={save}
        saved="MID saved."
        readOnly={!page.mayChange}
      >
        {page.mayChange ? null : (
          <div className="pt-[18px]">
            <Note>You have read-only access. Account managers can change MIDs.</Note>
          </div>
        )}
        <MidFields
          choices={choices}
          stored={page.stored}
          page={page}
          merchant={
            <FormRow label="Merchant" name="merchantId" group>
              <span className="flex min-h-8 items-center">{page.merchantName}</span>
            </FormRow>
          }
        />
      </SettingsForm>
    </div>
  );
}

function Head({ page, setPage, choices, test }: SettingsProps & { test: ReactNode }) {
  const [asking, setAsking] = useState(false);
  const toast = useToast();
  const { id, version, enabled, mayChange, values, merchantId, use } = page;
  const turn = async () => {
    const body = { version, enabled: !enabled };
    const saved = await request<MidPage>(`/mids/${id}/switch`, { body });
    toast(enabled ? `${values.name} is disabled.` : `${values.name} is enabled.`);
    setTimeout(() => setPage(saved));
  };
  const items: MenuItem[] = [
    { text: 'Payments of this MID', icon: 'payments', href: `/dashboard/payments?mid=${id}` },
    { text: page.merchantName, icon: 'merchants', href: `/dashboard/merchants/${merchantId}` },
  ];
  if (mayChange) {
    items.push('line', {
      text: enabled ? 'Disable' : 'Enable',
      danger: enabled,
      onSelect: () => setAsking(true),
    });
  }
  const connector = choices.connectors.find(({ value }) => value === values.connector)?.label ?? values.connector;
  return (
    <>
      <SettingsHead
        title={values.name}
        enabled={enabled}
        about={`${connector}, ${attemptsText(use.tries)} in 14 days`}
        actions={
          <>
            {test}
            <LinkButton href={`/dashboard/audit-log?on=mid:${id}`} icon="history">
              History
            </LinkButton>
            <Menu label="MID" items={items}>
              <IconButton label="More" icon="dots" framed size="normal" />
            </Menu>
          </>
        }
      />
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={enabled ? `Disable ${values.name}` : `Enable ${values.name}`}
        verb={enabled ? 'Disable MID' : 'Enable MID'}
        danger={enabled}
        typed={enabled ? values.name : undefined}
        onConfirm={turn}
      >
        <p className="text-ink2">
          {enabled
            ? 'New payments no longer use it: routing selects the next MID, or refuses if there is none. Captures, refunds and provider responses of earlier payments continue. Nothing is deleted.'
            : 'Routing can select it again immediately.'}
        </p>
      </ConfirmDialog>
    </>
  );
}

function attemptsText(attempts: number): string {
  if (attempts === 0) return 'no payments';
  if (attempts >= 10_000) return '10,000 or more payments';
  return attempts === 1 ? '1 payment' : `${attempts.toLocaleString('en')} payments`;
}
