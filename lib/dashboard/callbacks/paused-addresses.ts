/** Pauses and resumes deliveries to a merchant's address. */
import { prisma, query } from '../../db';
import { countMax } from './queries';

type PausedAddress = {
  merchantId: string;
  merchantName: string;
  address: string;
  heldSince: Date;
  waiting: number;
};

/** Paused addresses, and the number of callbacks waiting for each. */
export function pausedAddresses(merchantId: string | null): Promise<PausedAddress[]> {
  return query(
    'holds',
    `select h.merchant_id as "merchantId", m.name as "merchantName", h.address, h.held_since as "heldSince",
            (select count(*)::int from (select 1 from callbacks c where c.address = h.address and c.state = 'waiting'
                and c.merchant_id = h.merchant_id limit ${countMax + 1}) n) as waiting
       from callback_holds h join merchants m on m.id = h.merchant_id
      where ($1::uuid is null or h.merchant_id = $1::uuid) order by h.held_since desc limit 100`,
    [merchantId],
  );
}

/** Whether a merchant has ever had a callback for an address. */
export async function isKnownAddress(merchantId: string, address: string): Promise<boolean> {
  const where = { merchantId, address };
  return (
    (await prisma().callback.findFirst({ where })) !== null ||
    (await prisma().callbackHold.findFirst({ where })) !== null
  );
}

/** Pauses deliveries to a merchant's address. */
export async function pauseAddress(merchantId: string, address: string, heldBy: string, now: Date): Promise<void> {
  await prisma().callbackHold.createMany({
    data: { merchantId, address, heldBy, heldSince: now },
    skipDuplicates: true,
  });
}

/** Resumes deliveries to an address; waiting callbacks keep their due times. */
export async function resumeAddress(merchantId: string, address: string): Promise<void> {
  await prisma().callbackHold.deleteMany({ where: { merchantId, address } });
}
