// Protocol mappings and routing rules of merchants that tests create, over the dashboard API.
import { randomUUID } from 'node:crypto';
import type { Visitor } from './dashboard.ts';

type Protocol = 'checkout' | 's2s_card' | 's2s_apm';

/** A merchant's mapping, as the dashboard's API returns it. */
export async function mappingOf(user: Visitor, merchant: { id: string; name: string }, protocol: Protocol) {
  const { body } = await user.get(`/mappings?q=${encodeURIComponent(merchant.name)}&protocol=${protocol}`);
  const [row] = body.rows;
  if (!row) throw new Error(`no ${protocol} mapping: ${JSON.stringify(body)}`);
  return (await user.get(`/mappings/${row.id}`)).body;
}

/** Changes settings of a mapping in its current version; returns the mapping. */
export async function changeMapping(user: Visitor, id: string, values: object) {
  const { version } = (await user.get(`/mappings/${id}`)).body;
  const { status, body } = await user.post(`/mappings/${id}`, { version, values });
  if (status !== 200) throw new Error(`the mapping change failed: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** A routing rule in a draft; targets have equal weights by default. */
export function ruleBody(name: string, targets: (string | [string, number])[], conditions: object = {}) {
  return {
    id: randomUUID(),
    name,
    enabled: true,
    conditions,
    targets: targets.map((target) => {
      const [midId, weight] = typeof target === 'string' ? [target, 1] : target;
      return { midId, weight };
    }),
  };
}

/** Saves these rules as a draft, simulates and publishes it; returns the routing. */
export async function publishRules(user: Visitor, mappingId: string, rules: object[]) {
  const post = async (action: string, body: object) => {
    const answer = await user.post(`/routing/${mappingId}/${action}`, body);
    if (answer.status !== 200) throw new Error(`${action}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { draft: seen, version: basedOn } = (await user.get(`/routing/${mappingId}`)).body;
  const { draft } = await post('draft', { version: seen?.version ?? null, basedOn, rules });
  await post('dry-run', { version: draft.version });
  return post('publish', { version: draft.version });
}
