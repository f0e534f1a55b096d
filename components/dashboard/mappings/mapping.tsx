'use client';
// One protocol mapping: what its requests have to hold, what callbacks and status answers add, and everything else that
// the protocol lets a merchant set.
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
    // The list and the addresses come back as the server has read them.
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
        effect={`${protocolNames[protocol]} requests and callbacks use them at once`}
        onSave={save}
        saved="Mapping saved."
        readOnly={!editable}
      >
        {editable ? null : (
          <div className="pt-[18px]">
            <Note>Your role looks on: account managers change mappings.</Note>
          </div>
        )}
        {isInitiallyOpen(page.values) ? (
          <div className="pt-[18px]">
            <Note tone="warn">
              Payouts are open: a request with the right <code className="mono">hash</code> pays money out, from any
              address. Switch open payouts off, or name the addresses of the merchant's servers.
            </Note>
          </div>
        ) : null}
        <General />
        <FormSection
          id="fields"
          title="Fields"
          about={
            protocol === 'checkout'
              ? 'The payment page asks for what is required and missing in the request. Callbacks and status answers tell what is ticked, as far as it is known.'
              : 'A request without a required field is refused. Callbacks and status answers tell what is ticked, as far as it is known.'
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

/** Whether payouts are taken over nothing but the contract's hash. */
function isInitiallyOpen({ openPayouts, signedRequests, ipAllowlist }: MappingPage['values']): boolean {
  return openPayouts && !signedRequests && ipAllowlist.length === 0;
}

function sectionsOf({ protocol }: MappingPage) {
  return [
    { id: 'general', title: 'Signature' },
    { id: 'fields', title: 'Fields' },
    { id: 'orders', title: 'Orders' },
    { id: 'return', title: 'Return and notification' },
    { id: 'allowlist', title: 'IP allowlist and signature' },
    { id: 'limits', title: 'Cascade and limits' },
    ...(hasSetting(protocol, 'scheduleRetries') ? [{ id: 'schedules', title: 'Schedules' }] : []),
  ];
}

/** Merchant, the way to the merchant's other protocols, and what can be done with the mapping as a whole. */
function Header({ page, copy }: { page: MappingPage; copy: (other: MappingPage) => void }) {
  const toast = useToast();
  const { merchant, siblings, editable, id } = page;
  const others = siblings.filter((each) => each.id !== id);
  const take = async (from: string) => {
    const other = await request<MappingPage>(`/mappings/${from}`);
    copy(other);
    toast(`Taken from ${protocolNames[other.protocol]}, not saved yet.`);
  };
  return (
    <div className="border-b border-line px-gutter pt-[18px]">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
          <h1 className="text-title font-semibold">{merchant.name}</h1>
          <p className="text-ink2">How requests are read and callbacks written</p>
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
