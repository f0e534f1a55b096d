/** Stores routing rules and drafts. Publishing a draft replaces all published rules of its mapping at once. */
import { isUuid, newId } from '../core/ids.ts';
import { prisma, statement } from '../db/index.ts';
import { clearSettingsCache, type Rule } from '../merchants/index.ts';
import type { Mid, ProtocolMapping, RoutingDraft } from '../prisma/client.ts';

/** A rule with the id that it keeps from one publication to the next. */
export type SavedRule = Rule & { id: string };

/** `dryRun`: the result of the last dry run, which ran on version `dryRunOf` of the draft. */
export type StoredDraft = Omit<RoutingDraft, 'mappingId' | 'rules'> & { rules: SavedRule[] };

export type StoredRouting = Pick<ProtocolMapping, 'id' | 'protocol' | 'routingVersion' | 'cascadeLimit'> & {
  merchant: { id: string; name: string };
  rules: SavedRule[];
  draft: StoredDraft | null;
};

/** A mapping's rules and draft; with `merchantId` only that merchant's. */
export async function findRouting(mappingId: string, merchantId: string | null): Promise<StoredRouting | null> {
  if (!isUuid(mappingId)) return null;
  const row = await prisma().protocolMapping.findFirst({
    where: { id: mappingId, ...(merchantId !== null && { merchantId }) },
    select: {
      id: true,
      protocol: true,
      routingVersion: true,
      cascadeLimit: true,
      merchant: { select: { id: true, name: true } },
      rules: {
        select: { id: true, name: true, enabled: true, conditions: true, targets: true },
        orderBy: { position: 'asc' },
      },
      routingDraft: true,
    },
  });
  if (!row) return null;
  const { routingDraft, rules, ...mapping } = row;
  const draft = routingDraft && { ...routingDraft, rules: routingDraft.rules as SavedRule[] };
  return { ...mapping, rules: rules as SavedRule[], draft };
}

/** The properties of an account that rules refer to. */
export type NamedMid = Pick<Mid, 'id' | 'name' | 'enabled' | 'priority' | 'methods' | 'currencies'>;

/** A merchant's accounts in order of priority, disabled ones included. */
export async function namedMids(merchantId: string): Promise<NamedMid[]> {
  return prisma().mid.findMany({
    where: { merchantId },
    select: { id: true, name: true, enabled: true, priority: true, methods: true, currencies: true },
    orderBy: [{ priority: 'asc' }, { id: 'asc' }],
  });
}

type DraftChange = {
  mappingId: string;
  /** The version of the draft that the user saw; null where there was none. */
  seen: number | null;
  /** The routing version that the user saw. */
  basedOn: number;
  rules: SavedRule[];
  by: string;
};

type DraftParams = { mappingId: string; rules: string; by: string; now: Date };

const insertDraft = statement<DraftParams & { basedOn: number }>(
  'routing-draft-begin',
  `insert into routing_drafts (mapping_id, rules, based_on, version, updated_by, updated_at)
   select m.id, :rules::jsonb, :basedOn::int, 1, :by, :now::timestamptz from protocol_mappings m
    where m.id = :mappingId::uuid and m.routing_version = :basedOn::int
       on conflict (mapping_id) do nothing returning 1`,
);

const updateDraft = statement<DraftParams & { seen: number }>(
  'routing-draft-save',
  `update routing_drafts set rules = :rules::jsonb, version = version + 1, updated_by = :by,
          updated_at = :now::timestamptz
    where mapping_id = :mappingId::uuid and version = :seen::int returning 1`,
);

/** Saves a draft; false where the draft, or the published rules without one, have changed since the user saw them. */
export async function saveDraft({ mappingId, seen, basedOn, rules, by }: DraftChange, now: Date): Promise<boolean> {
  const values = { mappingId, rules: JSON.stringify(rules), by, now };
  const rows = await (seen === null ? insertDraft({ ...values, basedOn }) : updateDraft({ ...values, seen }));
  return rows.length > 0;
}

const rebase = statement<{ mappingId: string; seen: number; by: string; now: Date }>(
  'routing-draft-rebase',
  `update routing_drafts d set based_on = m.routing_version, version = d.version + 1, updated_by = :by,
          updated_at = :now::timestamptz
     from protocol_mappings m where m.id = d.mapping_id and d.mapping_id = :mappingId::uuid and d.version = :seen::int
   returning 1`,
);

/** Bases a draft on the present published rules, which invalidates its dry run. False where the draft has changed. */
export async function rebaseDraft(mappingId: string, seen: number, by: string, now: Date): Promise<boolean> {
  return (await rebase({ mappingId, seen, by, now })).length > 0;
}

/** Deletes a draft; false where it has changed meanwhile. */
export async function discardDraft(mappingId: string, seen: number): Promise<boolean> {
  const { count } = await prisma().routingDraft.deleteMany({ where: { mappingId, version: seen } });
  return count > 0;
}

/** Saves the result of a draft's dry run; false where the draft has changed during the run. */
export async function saveDryRun(mappingId: string, seen: number, dryRun: object): Promise<boolean> {
  const { count } = await prisma().routingDraft.updateMany({
    where: { mappingId, version: seen },
    data: { dryRun, dryRunOf: seen },
  });
  return count > 0;
}

/** The draft's rules with ids to publish: new ones for new rules, as the page's could be another mapping's. */
export function rulesToPublish({ rules, draft }: Pick<StoredRouting, 'rules' | 'draft'>): SavedRule[] {
  const known = new Set(rules.map(({ id }) => id));
  return (draft?.rules ?? []).map((rule) => (known.has(rule.id) ? rule : { ...rule, id: newId() }));
}

/**
 * Replaces the published rules by a draft's, in one transaction. False, without effect, unless the draft has version
 * `seen`, had a dry run in that version and is based on the present published rules.
 */
export async function publishDraft(mappingId: string, seen: number, rules: readonly SavedRule[]): Promise<boolean> {
  const done = await prisma().$transaction(async (tx) => {
    const locked = await tx.$queryRaw<object[]>`
      select 1 from protocol_mappings m join routing_drafts d on d.mapping_id = m.id
       where m.id = ${mappingId}::uuid and d.version = ${seen}::int and d.dry_run_of = d.version
         and d.based_on = m.routing_version for update`;
    if (locked.length === 0) return false;
    await tx.routingRule.deleteMany({ where: { mappingId } });
    await tx.routingRule.createMany({ data: rules.map((rule, position) => ({ ...rule, mappingId, position })) });
    await tx.protocolMapping.update({ where: { id: mappingId }, data: { routingVersion: { increment: 1 } } });
    await tx.routingDraft.delete({ where: { mappingId } });
    return true;
  });
  clearSettingsCache();
  return done;
}
