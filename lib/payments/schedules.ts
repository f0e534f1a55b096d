/** Schedules, as far as payments refer to them. */
import { query } from '../db';
import { isUuid } from './ids';

/** Whether the merchant has this schedule. Deleted ones and those of other merchants are not found. */
export async function hasSchedule(merchantId: string, scheduleId: string): Promise<boolean> {
  if (!isUuid(scheduleId)) return false;
  const rows = await query<{ id: string }>(
    'schedule-exists',
    'select id from schedules where id = $1 and merchant_id = $2 and deleted_at is null',
    [scheduleId, merchantId],
  );
  return rows.length > 0;
}
