/** Columns that several lists have. */
import type { ColumnDef } from './description.ts';

/** Takes its space whatever the list is: 168 px fit eight digits, the decimals and the currency. */
export const amount: ColumnDef = { id: 'amount', head: 'Amount', kind: 'amount', align: 'amount', width: 168 };

export const order: ColumnDef = { id: 'orderNumber', head: 'Order', mono: true };

export const payer: ColumnDef = { id: 'payer', head: 'Payer', hideOnPhone: true };

/** Only for users who manage several merchants. */
export const merchant: ColumnDef = {
  id: 'merchantName',
  head: 'Merchant',
  hideOnPhone: true,
  hideBelow: 'lg',
  manyMerchants: true,
};

export const time = { kind: 'time', align: 'end', width: 150 } as const;

/** The column that orders a list. */
export const created = (head = 'Created'): ColumnDef => ({ ...time, id: 'createdAt', head, sorted: 'descending' });

/** The status of a payment, with a decline's reason. */
export const status: ColumnDef = { id: 'status', head: 'Status', kind: 'status', remark: 'reason', width: '22%' };

/** The state of an object. */
export const state = (width?: string): ColumnDef => ({
  id: 'state',
  head: 'State',
  kind: 'state',
  ...(width && { width }),
});

/** The most selected rows that an address names: longer addresses do not pass every proxy. */
export const selectedMax = 200;
