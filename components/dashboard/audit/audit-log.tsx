'use client';
// The audit log: who did what, newest first, each entry bound to the one before it. Whether the chain holds is checked on
// the server when somebody asks.
import { useMemo } from 'react';
import type { AuditChoices, AuditPage } from '../../../lib/dashboard/audit/contract';
import { type FilterDef, ListPage } from '../ui';
import { Empty } from '../ui/parts';
import { request } from '../ui/request';
import { EntryTable } from './entries';
import { HashChainBanner, useHashChain } from './hash-chain';

type Props = { initial: AuditPage; query: string; choices: AuditChoices; ofMerchant: boolean };

/** Kinds of actions, as the server filters them: with a dot at the end all that begin so. */
const kinds = [
  { value: 'sign_in', label: 'Sign-ins' },
  { value: 'sign_in.locked', label: 'Locks' },
  { value: 'proof.', label: 'Wrong proofs' },
  { value: 'person.,invitation.', label: 'People' },
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
        search="Person, object, field, value"
        filters={filters}
        query={query}
        initial={initial}
        fetch={(text) => request<AuditPage>(`/audit-log?${text}`)}
        columns={columns}
        draw={(rows, open, toggle) => <EntryTable rows={rows} open={open} toggle={toggle} state={chain.state} />}
        empty={
          <Empty title="Nothing was done yet">
            <p>What people do here is written down in this place: sign-ins, money, settings, keys and people.</p>
          </Empty>
        }
      />
    </>
  );
}
