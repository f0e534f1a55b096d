/**
 * Routing for the dashboard: the rules of a mapping with their draft, the draft's dry run, and its publication. Nothing
 * but the publication reaches payments, and it asks for a dry run of the very draft that is published.
 */
import { z } from 'zod';
import { type AuditRecordWithActor, audit, findAuditRecords, type Json, may, type Viewer } from '../../auth';
import { env } from '../../config';
import { mappingsOf, settingsOf } from '../../merchants';
import { findMethod } from '../../methods/catalog';
import {
  discardDraft,
  findRouting,
  type NamedMid,
  namedMids,
  publishDraft,
  rebaseDraft,
  rulesToPublish,
  type SavedRule,
  type StoredDraft,
  type StoredRouting,
  saveDraft,
  saveDryRun,
} from '../../routing';
import { DashboardError } from '../errors';
import type { DashboardRequest } from '../guard';
import { parseBody } from '../parse-body';
import type { Publication, RoutingDraft, RoutingPage, RoutingRule, RuleHits } from './contract';
import { dryRun } from './dry-run';
import { countDecisions, pastPayments } from './history';
import { rulesSchema } from './schema';

const pastDays = 30;
const dryRunMost = 5000;
const hitsMost = 50_000;
const publicationsMost = 20;
const published = 'routing.publish';

type ScopedRequest = Pick<DashboardRequest, 'viewer' | 'scope'>;

/** One mapping's routing; null where the person finds none. */
export async function routingPage(mappingId: string, { viewer, scope }: ScopedRequest): Promise<RoutingPage | null> {
  const stored = await findRouting(mappingId, scope);
  if (!stored) return null;
  const [mids, siblings, done] = await Promise.all([
    namedMids(stored.merchant.id),
    mappingsOf(stored.merchant.id),
    findAuditRecords([subjectOf(stored)]),
  ]);
  return {
    mappingId: stored.id,
    merchant: stored.merchant,
    protocol: stored.protocol,
    siblings: siblings ?? [],
    version: stored.routingVersion,
    rules: stored.rules,
    draft: stored.draft && draftOf(stored.draft),
    cascadeLimit: stored.cascadeLimit,
    mids: mids.map(({ id, name, enabled, methods, currencies }) => ({ id, name, enabled, methods, currencies })),
    methods: methodsOf(mids),
    publications: publicationsOf(done, stored),
    editable: may(viewer.role, 'settings.change'),
  };
}

const subjectOf = ({ id }: { id: string }) => `mapping:${id}`;

function draftOf(draft: StoredDraft): RoutingDraft {
  return {
    version: draft.version,
    basedOn: draft.basedOn,
    rules: draft.rules,
    updatedBy: draft.updatedBy,
    updatedAt: draft.updatedAt.toISOString(),
    dryRun: draft.dryRun as RoutingDraft['dryRun'],
    dryRunOf: draft.dryRunOf,
  };
}

function methodsOf(mids: NamedMid[]): RoutingPage['methods'] {
  const ids = [...new Set(mids.flatMap(({ methods }) => methods))];
  return ids.map((id) => ({ id, name: findMethod(id)?.name ?? id }));
}

/** What was published, by the audit log; of a try that came to nothing a later one has the same version. */
function publicationsOf(done: AuditRecordWithActor[], { routingVersion }: StoredRouting): Publication[] {
  const found = new Map<number, Publication>();
  for (const { action, after, at, actorName } of done) {
    if (action !== published) continue;
    const { version, rules } = after as { version: number; rules: RoutingRule[] };
    if (version > routingVersion) continue;
    found.set(version, { version, rules: rules.map(withoutNames), at: at.toISOString(), by: actorName });
  }
  return [...found.values()].sort((one, other) => other.version - one.version).slice(0, publicationsMost);
}

/** How many payments of the last 30 days each published rule decided. */
export async function ruleHits(mappingId: string, scope: string | null, now: Date): Promise<RuleHits | null> {
  const stored = await findRouting(mappingId, scope);
  if (!stored) return null;
  const since = daysBefore(now);
  const asked = { merchantId: stored.merchant.id, protocol: stored.protocol, since };
  const { payments, by } = await countDecisions(asked, hitsMost);
  const rules: Record<string, number> = { '': by.get('priority') ?? 0 };
  for (const { id, name } of stored.rules) rules[id] = by.get(`rule: ${name}`) ?? 0;
  return { since: since.toISOString(), payments, cut: payments === hitsMost, rules };
}

const daysBefore = (now: Date) => new Date(now.getTime() - pastDays * 86_400_000);

const changed = 'The draft has changed meanwhile. Load it again and decide anew.';
const noDraftMessage = 'There is no draft of these rules.';

const draftVersionForm = z.object({ version: z.int().min(0) });

const draftSchema = (mids: NamedMid[]) =>
  z.object({
    /** The version of the draft that was seen; null where there was none. */
    version: z.int().min(0).nullable(),
    /** The publication that was seen. */
    basedOn: z.int().min(0),
    rules: rulesFor(mids),
  });

const rulesFor = (mids: NamedMid[]) => rulesSchema(new Set(mids.map(({ id }) => id)));

/** Keeps the rules of the body as the draft. */
export async function saveDraftAction(asked: DashboardRequest): Promise<RoutingPage | null> {
  const stored = await find(asked);
  if (!stored) return null;
  const { version, ...change } = parseBody(draftSchema(await namedMids(stored.merchant.id)), asked.body);
  const draft = { ...change, mappingId: stored.id, seen: version, by: asked.viewer.name };
  if (!(await saveDraft(draft, asked.now))) throw new DashboardError(409, changed);
  return routingPage(stored.id, asked);
}

/** Throws the draft away. */
export async function discardAction(asked: DashboardRequest): Promise<RoutingPage | null> {
  const stored = await find(asked);
  if (!stored) return null;
  const { version } = draftAtVersion(stored, asked.body);
  await log(asked.viewer, 'routing.draft.discard', stored, { draft: stored.draft?.rules as Json }, null, asked.now);
  if (!(await discardDraft(stored.id, version))) throw new DashboardError(409, changed);
  return routingPage(stored.id, asked);
}

/** Takes the draft as one of the rules that are published now, after somebody else has published others. */
export async function rebaseAction(asked: DashboardRequest): Promise<RoutingPage | null> {
  const stored = await find(asked);
  if (!stored) return null;
  const { version } = draftAtVersion(stored, asked.body);
  if (!(await rebaseDraft(stored.id, version, asked.viewer.name, asked.now))) throw new DashboardError(409, changed);
  return routingPage(stored.id, asked);
}

/** Runs the draft against past payments and keeps what it finds beside the draft. */
export async function dryRunAction(asked: DashboardRequest): Promise<RoutingPage | null> {
  const stored = await find(asked);
  if (!stored) return null;
  const { version, rules } = draftAtVersion(stored, asked.body);
  const { mids, mappings } = await settingsOf(stored.merchant.id);
  const mapping = mappings.find(({ protocol }) => protocol === stored.protocol);
  if (!mapping) throw new Error(`mapping ${stored.id} is gone`);
  const scope = { merchantId: stored.merchant.id, protocol: stored.protocol, since: daysBefore(asked.now) };
  const past = await pastPayments(scope, { mids, mapping }, dryRunMost);
  const lists = { mids, now: stored.rules, draft: rules, binCountries: env.binCountries };
  const found = await dryRun(past, lists);
  const kept = { ...found, at: asked.now.toISOString(), cut: past.length === dryRunMost };
  if (!(await saveDryRun(stored.id, version, kept))) throw new DashboardError(409, changed);
  return routingPage(stored.id, asked);
}

/** Publishes the draft: from the next payment on its rules decide. */
export async function publishAction(asked: DashboardRequest): Promise<RoutingPage | null> {
  const stored = await find(asked);
  if (!stored) return null;
  const { version, basedOn, dryRunOf } = draftAtVersion(stored, asked.body);
  if (basedOn !== stored.routingVersion) {
    throw new DashboardError(
      409,
      `Version ${stored.routingVersion} was published after this draft was begun on ${basedOn}.`,
    );
  }
  if (dryRunOf !== version) throw new DashboardError(409, 'Run the draft against past payments first.');
  const mids = await namedMids(stored.merchant.id);
  const rules = rulesToPublish(stored);
  // A MID may have gone, or a method's row, since the draft was written.
  parseBody(rulesFor(mids), rules);
  const before = { version: stored.routingVersion, rules: withNames(stored.rules, mids) };
  const after = { version: stored.routingVersion + 1, rules: withNames(rules, mids) };
  await log(asked.viewer, published, stored, before, after, asked.now);
  if (!(await publishDraft(stored.id, version, rules))) {
    await log(asked.viewer, `${published}.refused`, stored, null, { message: changed }, asked.now);
    throw new DashboardError(409, changed);
  }
  return routingPage(stored.id, asked);
}

/** Rules as the audit log keeps them: an account's id says nothing to whoever reads it. */
function withNames(rules: SavedRule[], mids: NamedMid[]): Json {
  const nameOf = (id: string) => mids.find((mid) => mid.id === id)?.name ?? '';
  return rules.map(({ targets, conditions, ...rule }) => ({
    ...rule,
    conditions: { ...conditions } as { [name: string]: Json },
    targets: targets.map(({ midId, weight }) => ({ midId, name: nameOf(midId), weight })),
  }));
}

const withoutNames = (rule: RoutingRule): RoutingRule => ({
  ...rule,
  targets: rule.targets.map(({ midId, weight }) => ({ midId, weight })),
});

const find = ({ params, scope }: DashboardRequest) => findRouting(params.mappingId ?? '', scope);

/** The draft, if it is still the one that the person saw. */
function draftAtVersion({ draft }: StoredRouting, body: unknown): StoredDraft {
  const { version } = parseBody(draftVersionForm, body);
  if (!draft) throw new DashboardError(409, noDraftMessage);
  if (draft.version !== version) throw new DashboardError(409, changed);
  return draft;
}

function log(viewer: Viewer, action: string, mapping: StoredRouting, before: Json, after: Json, now: Date) {
  return audit({ actor: `user:${viewer.id}`, action, subject: subjectOf(mapping), before, after }, now);
}
