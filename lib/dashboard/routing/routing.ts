/** A mapping's rules with their draft. Only publishing affects payments, and it requires a simulation of the draft. */
import { z } from 'zod';
import {
  type AuditAction,
  type AuditRecordWithActor,
  findAuditRecords,
  type Json,
  may,
  shortenedChange,
} from '../../auth/index.ts';
import { env } from '../../config/index.ts';
import { pick } from '../../core/pick.ts';
import { mappingsOf, settingsOf } from '../../merchants/index.ts';
import { findMethod } from '../../methods/catalog.ts';
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
} from '../../routing/index.ts';
import { logAction, loggedRefusal } from '../changes.ts';
import { existing, parseBody, refusal } from '../errors.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { countDecisions, dryRun, pastPayments } from './dry-run.ts';
import { rulesSchema } from './schema.ts';

const pastDays = 30;
const dryRunMost = 5000;
const hitsMost = 50_000;
const publicationsMost = 20;
const published = 'routing.publish';

/** The routing of one mapping. */
export async function routingPage(request: PageContext) {
  const stored = await find(request);
  const { merchant, draft } = stored;
  const [mids, siblings, done] = await Promise.all([
    namedMids(merchant.id),
    mappingsOf(merchant.id),
    // A failed publication has the same version as a later one.
    findAuditRecords([subjectOf(stored)], { most: 2 * publicationsMost, action: published }),
  ]);
  const methods = [...new Set(mids.flatMap((mid) => mid.methods))];
  return {
    ...pick(stored, 'merchant', 'protocol', 'rules', 'cascadeLimit'),
    mappingId: stored.id,
    siblings: siblings ?? [],
    version: stored.routingVersion,
    draft: draft && { ...draft, dryRun: draft.dryRun as StoredDryRun | null },
    mids,
    methods: methods.map((method) => ({ id: method, name: findMethod(method)?.name ?? method })),
    /** Earlier publications and the current one, newest first. */
    publications: publicationsOf(done, stored),
    editable: may(request.viewer.role, 'settings.change'),
  };
}

/** The result of a simulation with its time; `cut`: the period had more payments than were evaluated. */
type StoredDryRun = Awaited<ReturnType<typeof dryRun>> & { at: string; cut: boolean };

const subjectOf = ({ id }: { id: string }) => `mapping:${id}`;

/** Earlier publications from the audit log. */
function publicationsOf(done: AuditRecordWithActor[], { routingVersion }: StoredRouting) {
  const matches = new Map<number, { version: number; at: Date; by: string | null; rules: SavedRule[] }>();
  for (const { after, at, actorName } of done) {
    const { version, rules } = after as { version: number; rules: SavedRule[] };
    if (version > routingVersion) continue;
    matches.set(version, { version, rules: rules.map(withoutNames), at, by: actorName });
  }
  return [...matches.values()].sort((one, other) => other.version - one.version).slice(0, publicationsMost);
}

/** The number of payments of the last 30 days that each published rule decided. */
export async function ruleHits(request: DashboardRequest) {
  const stored = await find(request);
  const since = daysBefore(request.now);
  const requested = { merchantId: stored.merchant.id, protocol: stored.protocol, since };
  const { payments, by } = await countDecisions(requested, hitsMost);
  const rules: Record<string, number> = { '': by.get('priority') ?? 0 };
  for (const { id, name } of stored.rules) rules[id] = by.get(`rule: ${name}`) ?? 0;
  return { since, payments, cut: payments === hitsMost, rules };
}

const daysBefore = (now: Date) => new Date(now.getTime() - pastDays * 86_400_000);

const changed = 'The draft was changed by someone else. Reload the page, review it and try again.';

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

/** Logs and makes a change of the draft or of its rules. Throws if another user was faster, which is logged. */
async function logged(
  request: DashboardRequest,
  action: AuditAction,
  stored: StoredRouting,
  values: { before?: Json; after: Json },
  change: () => Promise<boolean>,
): Promise<true> {
  await logAction(request, action, subjectOf(stored), values);
  if (await change()) return true;
  throw await loggedRefusal(request, action, subjectOf(stored), changed);
}

/** Saves the rules of the body as the draft. */
export async function saveDraftAction(request: DashboardRequest) {
  const stored = await find(request);
  const mids = await namedMids(stored.merchant.id);
  const { version, ...change } = parseBody(draftSchema(mids), request.body);
  if (version !== (stored.draft?.version ?? null)) throw refusal(changed);
  const draft = { ...change, mappingId: stored.id, seen: version, by: request.viewer.name };
  const { after } = shortenedChange({ before: {}, after: { draft: withNames(change.rules, mids) } });
  await logged(request, 'routing.draft.save', stored, { after }, () => saveDraft(draft, request.now));
  return routingPage(request);
}

/** An action on the draft that the user saw; `act` gives whether it was still the same. */
const draftAction =
  (act: (stored: StoredRouting, draft: StoredDraft, request: DashboardRequest) => Promise<boolean>) =>
  async (request: DashboardRequest) => {
    const stored = await find(request);
    const { version } = parseBody(draftVersionForm, request.body);
    if (!stored.draft) throw refusal('These rules have no draft.');
    if (stored.draft.version !== version || !(await act(stored, stored.draft, request))) throw refusal(changed);
    return routingPage(request);
  };

/** Discards the draft. */
export const discardAction = draftAction((stored, { version, rules }, request) => {
  const values = { before: { draft: rules as Json }, after: null };
  return logged(request, 'routing.draft.discard', stored, values, () => discardDraft(stored.id, version));
});

/** Rebases the draft on the rules that are published now, after another user published others. */
export const rebaseAction = draftAction((stored, { version }, request) => {
  const { viewer, now } = request;
  const values = { after: { 'based on': stored.routingVersion } };
  return logged(request, 'routing.draft.rebase', stored, values, () =>
    rebaseDraft(stored.id, version, viewer.name, now),
  );
});

/** Simulates the draft with past payments and stores the result with the draft. */
export const dryRunAction = draftAction(async (stored, { version, rules }, { now }) => {
  const { id, merchant, protocol } = stored;
  const { mids, mappings } = await settingsOf(merchant.id);
  const mapping = mappings.find((each) => each.protocol === protocol);
  if (!mapping) throw new Error(`mapping ${id} not found`);
  const scope = { merchantId: merchant.id, protocol, since: daysBefore(now) };
  const past = await pastPayments(scope, { mids, mapping }, dryRunMost);
  const result = await dryRun(past, { mids, now: stored.rules, draft: rules, binCountries: env.binCountries });
  const cut = past.length === dryRunMost;
  return saveDryRun(id, version, { ...result, at: now.toISOString(), cut } satisfies StoredDryRun);
});

/** Publishes the draft: its rules apply from the next payment on. */
export const publishAction = draftAction(async (stored, { version, basedOn, dryRunOf }, request) => {
  const { id, routingVersion } = stored;
  if (basedOn !== routingVersion) {
    throw refusal(`Version ${routingVersion} was published after this draft was started from version ${basedOn}.`);
  }
  if (dryRunOf !== version) throw refusal('Simulate the draft with past payments first.');
  const mids = await namedMids(stored.merchant.id);
  const rules = rulesToPublish(stored);
  // A MID or a method may have been removed since the draft was saved.
  parseBody(rulesFor(mids), rules);
  const before = { version: routingVersion, rules: withNames(stored.rules, mids) };
  const after = { version: routingVersion + 1, rules: withNames(rules, mids) };
  return logged(request, published, stored, { before, after }, () => publishDraft(id, version, rules));
});

/** Rules as the audit log stores them, with names instead of MID ids. */
function withNames(rules: SavedRule[], mids: NamedMid[]): Json {
  const nameOf = (id: string) => mids.find((mid) => mid.id === id)?.name ?? '';
  return rules.map(({ targets, conditions, ...rule }) => ({
    ...rule,
    conditions: { ...conditions } as { [name: string]: Json },
    targets: targets.map(({ midId, weight }) => ({ midId, name: nameOf(midId), weight })),
  }));
}

const withoutNames = (rule: SavedRule): SavedRule => ({
  ...rule,
  targets: rule.targets.map(({ midId, weight }) => ({ midId, weight })),
});

const find = async ({ params, scope }: PageContext) => existing(await findRouting(params.mappingId ?? '', scope));
