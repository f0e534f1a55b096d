/**
 * Routing in the dashboard: a mapping's rules with their draft, its simulation and its publication. Only publishing
 * affects payments, and it requires a simulation of the published draft.
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

/** The routing of one mapping; null if the user's scope has none with this id. */
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

/** Earlier publications from the audit log; a failed publication has the same version as a later one. */
function publicationsOf(done: AuditRecordWithActor[], { routingVersion }: StoredRouting): Publication[] {
  const matches = new Map<number, Publication>();
  for (const { action, after, at, actorName } of done) {
    if (action !== published) continue;
    const { version, rules } = after as { version: number; rules: RoutingRule[] };
    if (version > routingVersion) continue;
    matches.set(version, { version, rules: rules.map(withoutNames), at: at.toISOString(), by: actorName });
  }
  return [...matches.values()].sort((one, other) => other.version - one.version).slice(0, publicationsMost);
}

/** The number of payments of the last 30 days that each published rule decided. */
export async function ruleHits(mappingId: string, scope: string | null, now: Date): Promise<RuleHits | null> {
  const stored = await findRouting(mappingId, scope);
  if (!stored) return null;
  const since = daysBefore(now);
  const requested = { merchantId: stored.merchant.id, protocol: stored.protocol, since };
  const { payments, by } = await countDecisions(requested, hitsMost);
  const rules: Record<string, number> = { '': by.get('priority') ?? 0 };
  for (const { id, name } of stored.rules) rules[id] = by.get(`rule: ${name}`) ?? 0;
  return { since: since.toISOString(), payments, cut: payments === hitsMost, rules };
}

const daysBefore = (now: Date) => new Date(now.getTime() - pastDays * 86_400_000);

const changed = 'The draft was changed by someone else. Reload the page, review it and try again.';
const noDraftMessage = 'These rules have no draft.';

const draftVersionForm = z.object({ version: z.int().min(0) });

const draftSchema = (mids: NamedMid[]) =>
  z.object({
    /** The version of the draft that the user saw; null if there was none. */
    version: z.int().min(0).nullable(),
    /** The publication that the user saw. */
    basedOn: z.int().min(0),
    rules: rulesFor(mids),
  });

const rulesFor = (mids: NamedMid[]) => rulesSchema(new Set(mids.map(({ id }) => id)));

/** Saves the rules of the body as the draft. */
export async function saveDraftAction(request: DashboardRequest): Promise<RoutingPage | null> {
  const stored = await find(request);
  if (!stored) return null;
  const { version, ...change } = parseBody(draftSchema(await namedMids(stored.merchant.id)), request.body);
  const draft = { ...change, mappingId: stored.id, seen: version, by: request.viewer.name };
  if (!(await saveDraft(draft, request.now))) throw new DashboardError(409, changed);
  return routingPage(stored.id, request);
}

/** Discards the draft. */
export async function discardAction(request: DashboardRequest): Promise<RoutingPage | null> {
  const stored = await find(request);
  if (!stored) return null;
  const { version } = draftAtVersion(stored, request.body);
  await log(request.viewer, 'routing.draft.discard', stored, { draft: stored.draft?.rules as Json }, null, request.now);
  if (!(await discardDraft(stored.id, version))) throw new DashboardError(409, changed);
  return routingPage(stored.id, request);
}

/** Rebases the draft on the rules that are published now, after another user published others. */
export async function rebaseAction(request: DashboardRequest): Promise<RoutingPage | null> {
  const stored = await find(request);
  if (!stored) return null;
  const { version } = draftAtVersion(stored, request.body);
  if (!(await rebaseDraft(stored.id, version, request.viewer.name, request.now)))
    throw new DashboardError(409, changed);
  return routingPage(stored.id, request);
}

/** Simulates the draft with past payments and stores the result with the draft. */
export async function dryRunAction(request: DashboardRequest): Promise<RoutingPage | null> {
  const stored = await find(request);
  if (!stored) return null;
  const { version, rules } = draftAtVersion(stored, request.body);
  const { mids, mappings } = await settingsOf(stored.merchant.id);
  const mapping = mappings.find(({ protocol }) => protocol === stored.protocol);
  if (!mapping) throw new Error(`mapping ${stored.id} not found`);
  const scope = { merchantId: stored.merchant.id, protocol: stored.protocol, since: daysBefore(request.now) };
  const past = await pastPayments(scope, { mids, mapping }, dryRunMost);
  const lists = { mids, now: stored.rules, draft: rules, binCountries: env.binCountries };
  const result = await dryRun(past, lists);
  const remaining = { ...result, at: request.now.toISOString(), cut: past.length === dryRunMost };
  if (!(await saveDryRun(stored.id, version, remaining))) throw new DashboardError(409, changed);
  return routingPage(stored.id, request);
}

/** Publishes the draft: its rules apply from the next payment on. */
export async function publishAction(request: DashboardRequest): Promise<RoutingPage | null> {
  const stored = await find(request);
  if (!stored) return null;
  const { version, basedOn, dryRunOf } = draftAtVersion(stored, request.body);
  if (basedOn !== stored.routingVersion) {
    throw new DashboardError(
      409,
      `Version ${stored.routingVersion} was published after this draft was started from version ${basedOn}.`,
    );
  }
  if (dryRunOf !== version) throw new DashboardError(409, 'Simulate the draft with past payments first.');
  const mids = await namedMids(stored.merchant.id);
  const rules = rulesToPublish(stored);
  // A MID or a method may have been removed since the draft was saved.
  parseBody(rulesFor(mids), rules);
  const before = { version: stored.routingVersion, rules: withNames(stored.rules, mids) };
  const after = { version: stored.routingVersion + 1, rules: withNames(rules, mids) };
  await log(request.viewer, published, stored, before, after, request.now);
  if (!(await publishDraft(stored.id, version, rules))) {
    await log(request.viewer, `${published}.refused`, stored, null, { message: changed }, request.now);
    throw new DashboardError(409, changed);
  }
  return routingPage(stored.id, request);
}

/** Rules as the audit log stores them, with names instead of MID ids. */
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

/** The draft, if it is still the one that the user saw. */
function draftAtVersion({ draft }: StoredRouting, body: unknown): StoredDraft {
  const { version } = parseBody(draftVersionForm, body);
  if (!draft) throw new DashboardError(409, noDraftMessage);
  if (draft.version !== version) throw new DashboardError(409, changed);
  return draft;
}

function log(viewer: Viewer, action: string, mapping: StoredRouting, before: Json, after: Json, now: Date) {
  return audit({ actor: `user:${viewer.id}`, action, subject: subjectOf(mapping), before, after }, now);
}
