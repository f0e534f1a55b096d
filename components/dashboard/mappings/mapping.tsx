'use client';
// One protocol mapping: the required request fields, the additional fields of callbacks and status responses, and the
// protocol's other settings.
import { useMemo } from 'react';
import { protocolNames } from '../../../lib/core/mapping-options.ts';
import type { MappingPage } from '../../../lib/dashboard/mappings/contract.ts';
import { Button, Menu, request, SettingsForm, TopNote, useSettings, useToast } from '../ui/index.ts';
import { copiedFrom, fromForm, type MappingForm, toForm } from './form-values.ts';
import { MappingHead } from './mapping-head.tsx';
import { matrixWords } from './matrix.tsx';
import { mappingSections } from './sections.tsx';

export function Mapping({ initial }: { initial: MappingPage }) {
  const { protocol } = initial;
  const settings = useSettings<MappingPage, MappingForm>({
    ...{ initial, path: `/mappings/${initial.id}`, checks: true, mode: 'onTouched' },
    valuesOf: ({ values }) => toForm(protocol, values),
    toSend: (form, { values }) => ({ values: fromForm(protocol, form, values) }),
  });
  const { page, form } = settings;
  const sections = useMemo(() => mappingSections(page), [page]);
  const words = useMemo(() => matrixWords(protocol), [protocol]);
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <MappingHead
        page={page}
        way="mappings"
        about="Request and callback settings"
        actions={[{ text: 'Routing', icon: 'routing', href: `/dashboard/routing/${page.id}` }]}
      >
        <CopyMenu
          page={page}
          copy={(other) => form.reset(copiedFrom(other, protocol, form.getValues()), { keepDefaultValues: true })}
        />
      </MappingHead>
      <SettingsForm
        key={page.version}
        settings={settings}
        sections={sections}
        words={words}
        effect={`Takes effect immediately for ${protocolNames[protocol]} requests and callbacks`}
        saved="Mapping saved."
        readOnly={!page.editable && 'mappings'}
      >
        {acceptsOpenPayouts(page.values) ? (
          <TopNote tone="warn">
            Payouts are open: a request with the right <code className="mono">hash</code> pays money out from any
            address. Turn open payouts off, or list the addresses of the merchant's servers.
          </TopNote>
        ) : null}
      </SettingsForm>
    </div>
  );
}

function acceptsOpenPayouts({ openPayouts, signedRequests, ipAllowlist }: MappingPage['values']): boolean {
  return openPayouts && !signedRequests && ipAllowlist.length === 0;
}

function CopyMenu({ page, copy }: { page: MappingPage; copy: (other: MappingPage) => void }) {
  const toast = useToast();
  const { siblings, editable, id } = page;
  const others = siblings.filter((each) => each.id !== id);
  const take = async (from: string) => {
    const other = await request<MappingPage>(`/mappings/${from}`);
    copy(other);
    toast(`Copied from ${protocolNames[other.protocol]}, not saved yet.`);
  };
  if (!editable || others.length === 0) return null;
  const items = others.map((each) => ({ text: protocolNames[each.protocol], onSelect: () => void take(each.id) }));
  return (
    <Menu label="Copy from" items={items}>
      <Button icon="download">Copy from another mapping</Button>
    </Menu>
  );
}
