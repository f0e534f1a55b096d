/** Payments that `florin archive` has moved to files, for the search of the list. */
import { isUuid } from '../../core/ids.ts';
import { formatAmount } from '../../core/money.ts';
import type { State } from '../../core/states.ts';
import { unprepared } from '../../db/index.ts';
import { stateLabel } from '../labels.ts';
import type { ArchivedLine } from '../lists/description.ts';
import type { Search } from './search.ts';

/** An order number can have several archived payments. */
const shownMax = 20;

type Row = {
  id: string;
  orderNumber: string;
  state: State;
  currency: string;
  amountMinor: bigint;
  createdAt: Date;
  archivedAt: Date;
  file: string;
};

const readArchived = unprepared<Search & { id: string | null }, Row>(
  `select id, order_number as "orderNumber", state, currency, amount_minor as "amountMinor", created_at as "createdAt",
          archived_at as "archivedAt", file
     from archived_payments
    where (order_number = :search::text or id = :id::uuid)
      and (:merchantId::uuid is null or merchant_id = :merchantId::uuid)
    order by created_at desc, id desc limit ${shownMax}`,
);

/** The archived payments with this id or order number. */
export async function findArchived(search: Search): Promise<ArchivedLine[]> {
  const { search: text } = search;
  const rows = await readArchived({ ...search, id: isUuid(text) ? text : null });
  return rows.map(({ state, amountMinor, createdAt, archivedAt, ...row }) => ({
    ...row,
    amount: formatAmount(amountMinor, row.currency),
    status: stateLabel(state),
    createdAt: createdAt.toISOString(),
    archivedAt: archivedAt.toISOString(),
  }));
}
