'use client';
// The protocols of a merchant as tabs, shared by mappings and routing.
import { useRouter } from 'next/navigation';
import { mappingProtocols, protocolNames } from '../../../lib/core/mapping-options';
import type { MappingPage } from '../../../lib/dashboard/mappings/contract';
import { Button, request } from '../ui';
import { tabClass } from '../ui/tabs';

type TabsProps = {
  page: Pick<MappingPage, 'siblings' | 'merchant' | 'editable' | 'protocol'>;
  way: 'mappings' | 'routing';
};

/** The merchant's protocols; a missing one can be added. */
export function ProtocolTabs({ page, way }: TabsProps) {
  const router = useRouter();
  const setUp = async (protocol: string) => {
    const made = await request<MappingPage>('/mappings', { body: { merchantId: page.merchant.id, protocol } });
    router.push(`/dashboard/${way}/${made.id}`);
  };
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
            <Button kind="bare" size="small" icon="plus" onClick={() => void setUp(protocol)}>
              Set up {protocolNames[protocol]}
            </Button>
          </span>
        ) : null;
      })}
    </nav>
  );
}
