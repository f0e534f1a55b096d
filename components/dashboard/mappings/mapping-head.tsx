'use client';
// The head of a mapping's pages: its settings and its routing.
import type { ReactNode } from 'react';
import { mappingProtocols, protocolNames } from '../../../lib/core/mapping-options.ts';
import type { MappingPage } from '../../../lib/dashboard/mappings/contract.ts';
import { ActionError, Actions, Button, type Offers, request, useAction, useGo } from '../ui/index.ts';
import { tabClass } from '../ui/tabs.tsx';
import { leave } from '../ui/unsaved.ts';

type TabsProps = {
  page: Pick<MappingPage, 'siblings' | 'merchant' | 'editable' | 'protocol'>;
  way: 'mappings' | 'routing';
};

type HeadProps = TabsProps & { about: string; actions: Offers; children?: ReactNode };

/** The merchant and protocol, its other protocols, and the page's actions; `children` are before them. */
export function MappingHead({ page, way, about, actions, children }: HeadProps) {
  const { merchant, protocol, siblings } = page;
  const id = siblings.find((each) => each.protocol === protocol)?.id;
  return (
    <div className="border-b border-line px-gutter pt-[18px]">
      <div className="flex items-start justify-between gap-x-4 gap-y-2 max-md:flex-wrap">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
          <h1 className="min-w-0 text-title break-words font-semibold">
            <bdi>{merchant.name}</bdi>, {protocolNames[protocol]}
          </h1>
          <p className="text-ink2">{about}</p>
        </div>
        <div className="flex flex-wrap gap-2 md:shrink-0">
          {children}
          <Actions
            of={[...actions, { text: 'History', icon: 'history', href: `/dashboard/audit-log?on=mapping:${id}` }]}
          />
        </div>
      </div>
      <ProtocolTabs page={page} way={way} />
    </div>
  );
}

/** The merchant's protocols as tabs; a missing one can be added. */
function ProtocolTabs({ page, way }: TabsProps) {
  const go = useGo();
  const { run, busy, error } = useAction();
  // Asks before: the new mapping's page replaces this one.
  const setUp = (protocol: string) =>
    leave(() =>
      run(async () => {
        const made = await request<MappingPage>('/mappings', { body: { merchantId: page.merchant.id, protocol } });
        go(`/dashboard/${way}/${made.id}`);
      }, protocol),
    );
  return (
    <nav aria-label="Protocols" className="-mb-px flex h-11 items-stretch gap-5 overflow-x-auto">
      {mappingProtocols.map((protocol) => {
        const sibling = page.siblings.find((each) => each.protocol === protocol);
        const here = protocol === page.protocol;
        if (sibling) {
          return (
            <a
              key={protocol}
              href={`/dashboard/${way}/${sibling.id}`}
              aria-current={here ? 'page' : undefined}
              className={tabClass(here)}
            >
              {protocolNames[protocol]}
            </a>
          );
        }
        return page.editable ? (
          <span key={protocol} className="flex items-center">
            <Button kind="bare" size="small" icon="plus" busy={busy === protocol} onClick={() => setUp(protocol)}>
              Set up {protocolNames[protocol]}
            </Button>
          </span>
        ) : null;
      })}
      <ActionError text={error} className="self-center text-xs" />
    </nav>
  );
}
