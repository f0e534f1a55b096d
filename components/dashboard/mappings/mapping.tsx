'use client';
// One protocol mapping: the required request fields, the additional fields of callbacks and status responses, and the
// protocol's other settings.
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { hasSetting, protocolNames } from '../../../lib/core/mapping-options';
import type { MappingPage } from '../../../lib/dashboard/mappings/contract';
import { Button, FormSection, LinkButton, Menu, Note, request, SettingsForm, useToast } from '../ui';
import { copiedFrom, fromForm, type MappingForm, toForm } from './form-values';
import { labelsOf, showOf } from './labels';
import { Matrix } from './matrix';
import { ProtocolTabs } from './protocol-tabs';
import { Allowlist, General, Limits, Orders, Return, Schedules } from './sections';

type Props = { initial: MappingPage };

export function Mapping({ initial }: Props) {
  const [page, setPage] = useState(initial);
  const { protocol, editable } = page;
  const form = useForm<MappingForm>({ defaultValues: toForm(protocol, page.values), mode: 'onTouched' });
  const labels = useMemo(() => labelsOf(protocol), [protocol]);
  const show = useMemo(() => showOf(protocol), [protocol]);
  const save = async (values: MappingForm) => {
    const body = { version: page.version, values: fromForm(protocol, values, page.values) };
    const saved = await request<MappingPage>(`/mappings/${page.id}`, { body });
    setPage(saved);
    // The list and the URLs are shown as the server stored them.
    setTimeout(() => form.reset(toForm(protocol, saved.values)));
  };
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <Header
        page={page}
        copy={(other) => form.reset(copiedFrom(other, protocol, form.getValues()), { keepDefaultValues: true })}
      />
      <SettingsForm
        sections={sectionsOf(page)}
        form={form}
        labels={labels}
        show={show}
        effect={`Takes effect immediately for ${protocolNames[protocol]} requests and callbacks`}
        onSave={save}
        saved="Mapping saved."
        readOnly={!editable}
      >
        {editable ? null : (
          <div className="pt-[18px]">
            <Note>You have read-only access. Account managers can change mappings.</Note>
          </div>
        )}
        {isInitiallyOpen(page.values) ? (
          <div className="pt-[18px]">
            <Note tone="warn">
              Payouts are open: a request with the right <code className="mono">hash</code> pays money out from any
              address. Turn open payouts off, or list the addresses of the merchant's servers.
            </Note>
          </div>
        ) : null}
        <General />
        <FormSection
          id="fields"
          title="Fields"
          about={
            protocol === 'checkout'
              ? 'The payment page asks for required fields that the request does not contain. Callbacks and status responses contain the selected fields if they are known.'
              : 'Requests without a required field are refused. Callbacks and status responses contain the selected fields if they are known.'
          }
        >
          <Matrix protocol={protocol} section="fields" readOnly={!editable} />
        </FormSection>
        <Orders page={page} />
        <Return page={page} />
        <Allowlist />
        <Limits />
        {hasSetting(protocol, 'scheduleRetries') ? <Schedules /> : null}
      </SettingsForm>
    </div>
  );
}

/** Whether payouts are accepted with only the contract's hash. */
function isInitiallyOpen({ openPayouts, signedRequests, ipAllowlist }: MappingPage['values']): boolean {
  return openPayouts && !signedRequests && ipAllowlist.length === 0;
}

function sectionsOf({ protocol }: MappingPage) {
  return [
    { id: 'general', title: 'Signature' },
    { id: 'fields', title: 'Fields' },
    { id: 'orders', title: 'Orders' },
    { id: 'return', title: 'Return and callbacks' },
    { id: 'allowlist', title: 'IP allowlist and signature' },
    { id: 'limits', title: 'Cascade and limits' },
    ...(hasSetting(protocol, 'scheduleRetries') ? [{ id: 'schedules', title: 'Schedules' }] : []),
  ];
}

/** The merchant, links to its other protocols, and the mapping's actions. */
function Header({ page, copy }: { page: MappingPage; copy: (other: MappingPage) => void }) {
  const toast = useToast();
  const { merchant, protocol, siblings, editable, id } = page;
  const others = siblings.filter((each) => each.id !== id);
  const take = async (from: string) => {
    const other = await request<MappingPage>(`/mappings/${from}`);
    copy(other);
    toast(`Copied from ${protocolNames[other.protocol]}, not saved yet.`);
  };
  return (
    <div className="border-b border-line px-gutter pt-[18px]">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
          <h1 className="text-title font-semibold break-words">
            <bdi>{merchant.name}</bdi>, {protocolNames[protocol]}
          </h1>
          <p className="text-ink2">Request and callback settings</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {editable && others.length > 0 ? (
            <Menu
              label="Copy from"
              items={others.map((each) => ({
                text: protocolNames[each.protocol],
                onSelect: () => void take(each.id),
              }))}
            >
              <Button icon="download">Copy from another mapping</Button>
            </Menu>
          ) : null}
          <LinkButton href={`/dashboard/routing/${id}`} icon="routing">
            Routing
          </LinkButton>
          <LinkButton href={`/dashboard/audit-log?on=mapping:${id}`} icon="history">
            History
          </LinkButton>
        </div>
      </div>
      <ProtocolTabs page={page} way="mappings" />
    </div>
  );
}
