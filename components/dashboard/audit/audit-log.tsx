'use client';
// The audit log, newest first, each entry chained to the one before it. The server verifies the chain on request.
import type { AuditRow } from '../../../lib/dashboard/audit/contract';
import type { ListOf, ListView } from '../../../lib/dashboard/lists/contract';
import { ListPage } from '../ui';
import { EntryTable } from './entries';
import { HashChainBanner, useHashChain } from './hash-chain';

type Props = { view: ListView; initial: ListOf<AuditRow>; query: string; ofMerchant: boolean };

export function AuditLog({ ofMerchant, ...list }: Props) {
  const chain = useHashChain();
  return (
    <>
      <HashChainBanner chain={chain} ofMerchant={ofMerchant} />
      <ListPage<AuditRow>
        {...list}
        draw={(rows, open, toggle) => <EntryTable rows={rows} open={open} toggle={toggle} state={chain.state} />}
      />
    </>
  );
}
