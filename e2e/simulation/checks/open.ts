// What must not stay open.
import type { World } from '../world.ts';

/** Some time after the last fault no outcome is unknown, unless it is listed. */
export async function checkOpen({ base, report }: World) {
  const open = await base.rows<{ id: string; kind: string; status: string }>(
    `select t.id, t.kind::text, t.status::text from transactions t where t.status in ('sent', 'unknown')
        and not exists (select 1 from unresolved u where u.transaction_id = t.id)`,
  );
  for (const { id, kind, status } of open) report(`${kind} ${id} is still ${status} long after the last fault`);
}
