/** Statements that pause and resume deliveries to a merchant's address. */
import { query } from '../../db';
import { countMax } from './queries';

type Row = Record<string, unknown>;

export type PausedAddress = {
  merchantId: string;
  merchantName: string;
  address: string;
  heldSince: Date;
  waiting: number;
};

/** Paused addresses, and the number of callbacks waiting for each. */
export async function pausedAddresses(merchantId: string | null): Promise<PausedAddress[]> {
  const rows = await query<Row>(
    'holds',
    `select h.merchant_id, m.name, h.address, h.held_since,
            (select count(*)::int from (select 1 from callbacks c where c.address = h.address and c.state = 'waiting'
                and c.merchant_id = h.merchant_id limit ${countMax + 1}) n) as waiting
       from callback_holds h join merchants m on m.id = h.merchant_id
      where ($1::uuid is null or h.merchant_id = $1::uuid) order by h.held_since desc limit 100`,
    [merchantId],
  );
  return rows.map((row) => ({
    merchantId: row.merchant_id as string,
    merchantName: row.name as string,
    address: row.address as string,
    heldSince: row.held_since as Date,
    waiting: row.waiting as number,
  }));
}

/** Whether a merchant has ever had a callback for an address. */
export async function isKnownAddress(merchantId: string, address: string): Promise<boolean> {
  const rows = await query(
    'address-known',
    `select 1 from callbacks where merchant_id = $1::uuid and address = $2
     union all select 1 from callback_holds where merchant_id = $1::uuid and address = $2 limit 1`,
    [merchantId, address],
  );
  return rows.length > 0;
}

/** Pauses deliveries to a merchant's address; false if they are paused already. */
export async function pauseAddress(merchantId: string, address: string, by: string, now: Date): Promise<boolean> {
  const rows = await query(
    'hold',
    `insert into callback_holds (merchant_id, address, held_by, held_since) values ($1::uuid, $2, $3, $4::timestamptz)
     on conflict do nothing returning address`,
    [merchantId, address, by, now],
  );
  return rows.length > 0;
}

/** Resumes deliveries to an address; waiting callbacks keep their due times. False if they were not paused. */
export async function resumeAddress(merchantId: string, address: string): Promise<boolean> {
  const rows = await query(
    'hold-end',
    'delete from callback_holds where merchant_id = $1::uuid and address = $2 returning address',
    [merchantId, address],
  );
  return rows.length > 0;
}
