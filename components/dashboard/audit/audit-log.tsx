'use client';
// The audit log, newest first, each entry chained to the one before it. The server verifies the chain on request.
import { useMemo } from 'react';
import type { AuditChoices, AuditPage } from '../../../lib/dashboard/audit/contract';
import { type FilterDef, ListPage } from '../ui';
import { Empty } from '../ui/parts';
import { request } from '../ui/request';
import { EntryTable } from './entries';
import { HashChainBanner, useHashChain } from './hash-chain';

type Props = { initial: AuditPage; query: string; choices: AuditChoices; ofMerchant: boolean };

/** Groups of actions as the server filters them: a trailing dot means a prefix. */
const kinds = [
  { value: 'sign_in', label: 'Sign-ins' },
  { value: 'sign_in.locked', label: 'Locks' },
  { value: 'proof.', label: 'Wrong passwords and codes' },
  { value: 'person.,invitation.', label: 'Users' },
  { value: 'password.,second_factor.,recovery_codes.,session.', label: 'Own accounts' },
  { value: 'payment.,payments.', label: 'Payments' },
  { value: 'callback.,callbacks.', label: 'Callbacks' },
  { value: 'schedule.,token.,chain.', label: 'Schedules and tokens' },
  { value: 'merchant.,merchants.,look.,page.', label: 'Merchants' },
  { value: 'key.,keys.', label: 'Keys' },
  { value: 'mid.,mids.', label: 'MIDs' },
  { value: 'mapping.', label: 'Mappings' },
  { value: 'routing.', label: 'Routing' },
  { value: 'wallet.', label: 'Wallets' },
];

const columns = [
  { id: 'when', head: 'When', cell: () => null, width: 150 },
  { id: 'who', head: 'Who', cell: () => null, width: '20%' },
  { id: 'what', head: 'What', cell: () => null },
];

export function AuditLog({ initial, query, choices, ofMerchant }: Props) {
  const chain = useHashChain();
  const filters = useMemo<FilterDef[]>(
    () => [
      { name: 'day', label: 'When', kind: 'day' },
      {
        name: 'who',
        label: 'Who',
        kind: 'choice',
        options: choices.actors.map(({ id, name }) => ({ value: id, label: name })),
      },
      { name: 'what', label: 'Action', kind: 'choice', options: kinds },
      { name: 'on', label: 'Object', kind: 'text' },
    ],
    [choices],
  );
  return (
    <>
      <HashChainBanner chain={chain} ofMerchant={ofMerchant} />
      <ListPage
        title="Audit log"
        nouns={['entry', 'entries']}
        search="User, object, field, value"
        filters={filters}
        query={query}
        initial={initial}
        fetch={(text) => request<AuditPage>(`/audit-log?${text}`)}
        columns={columns}
        draw={(rows, open, toggle) => <EntryTable rows={rows} open={open} toggle={toggle} state={chain.state} />}
        empty={
          <Empty title="No entries yet">
            <p>This log records all actions in the dashboard: sign-ins, payments, settings, keys and users.</p>
          </Empty>
        }
      />
    </>
  );
}
