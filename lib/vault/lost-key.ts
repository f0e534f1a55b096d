/**
 * Replaces the data keys after the key that encrypted them was lost. What only they decrypt is removed; passwords of
 * merchants are replaced, and MIDs lose their address and credentials. The last step is one transaction, so that a killed
 * run is repeated. No process may run meanwhile.
 */
import { randomBytes } from 'node:crypto';
import { type Query, statement, transaction } from '../db/index.ts';
import { keySource } from './key-source.ts';
import { newKey, type Purpose, purposes, unwrapKey, wrapKey } from './keys.ts';
import { RotationError } from './rotation.ts';
import { type SealedLabel, sealedColumns, sealUnder } from './seal.ts';

/** What was removed or replaced, by what it was. */
export type DiscardCounts = Record<
  'cards' | 'messages' | 'parameters' | 'presentations' | 'passwords' | 'mids' | 'wallets',
  number
>;

const allWrapped = statement<object, { purpose: Purpose; wrapped: Uint8Array; wrapped_next: Uint8Array | null }>(
  'lost-key-all',
  'select purpose::text, wrapped, wrapped_next from data_keys',
);

/** Whether the source of the settings decrypts none of the data keys, and there are some. */
export async function areDataKeysLost(): Promise<boolean> {
  const rows = await allWrapped({});
  const wrapped = rows.flatMap(({ purpose, wrapped: bytes, wrapped_next: next }) =>
    [bytes, ...(next ? [next] : [])].map((each) => unwrapKey(each, purpose, keySource())),
  );
  return rows.length > 0 && (await Promise.all(wrapped)).every((key) => key === null);
}

const otherProcesses = statement<object, { count: number }>(
  'lost-key-others',
  `select count(*)::int from pg_stat_activity
    where datname = current_database() and application_name = 'florin' and pid <> pg_backend_pid()`,
);

/** The number of database connections of other processes of the service. */
export async function countOtherConnections(): Promise<number> {
  const [row] = await otherProcesses({});
  return row?.count ?? 0;
}

/** What the transaction of the new keys does besides: `linkKey` is the new key of links. */
type Also = (counts: DiscardCounts, linkKey: Buffer, run: Query) => Promise<void>;

/** Encrypts and decrypts a new data key of each purpose. Throws where the source of the settings does not return it. */
async function trySource(): Promise<void> {
  const source = keySource();
  for (const purpose of purposes) {
    const tried = newKey();
    const opened = await unwrapKey(await wrapKey(tried, purpose, source), purpose, source);
    if (!opened?.key.equals(tried.key))
      throw new RotationError(`${source.setting} does not decrypt what it has encrypted: nothing was changed.`);
  }
}

/**
 * Removes and replaces everything that the lost data keys sealed, and creates new ones. Throws before the first change where
 * the source of the settings cannot encrypt them.
 */
export async function discardSealed(also: Also): Promise<DiscardCounts> {
  await trySource();
  const cards = await inBatches(
    'cards',
    `t as (update card_tokens set removed_at = now() where card_id in (select id from w) and removed_at is null),
     u as (update cards set sealed = null where id in (select id from w) and sealed is not null returning id)`,
  );
  const messages = await inBatches(
    'messages',
    `u as (update messages set state = case state when 'waiting' then 'failed' else state end, sealed = null,
                  send_at = null,
                  error = case state when 'waiting' then 'the key of its text was lost' else error end
            where id in (select id from w) and sealed is not null returning id)`,
  );
  const { members } = sealedColumns['card-parameters'];
  const names = `array[${members.map((name) => `'${name}'`).join()}]`;
  const parameters = await inBatches(
    'payments',
    `u as (update payments set parameters = parameters - ${names}
            where id in (select id from w) and parameters ?| ${names} returning id)`,
  );
  // The next status query of the provider returns them again.
  const presentations = await inBatches(
    'transactions',
    `u as (update transactions set sealed_present = null
            where id in (select id from w) and sealed_present is not null returning id)`,
  );
  return transaction(async (run) => {
    const { linkKey, ...replaced } = await replaceKeys(run);
    const counts = { cards, messages, parameters, presentations, ...replaced };
    await also(counts, linkKey, run);
    return counts;
  });
}

const batchRows = 2000;

/** Performs the changes `u` of a table's rows in the order of ids, each batch `w` by one statement; returns their number. */
async function inBatches(table: string, changes: string): Promise<number> {
  const change = statement<{ after: string }, { last: string | null; count: number }>(
    `lost-key-${table}`,
    `with w as (select id from ${table} where id > :after::uuid order by id limit ${batchRows}), ${changes}
     select (select id from w order by id desc limit 1) as last, (select count(*)::int from u) as count`,
  );
  let total = 0;
  for (let after: string | null = '00000000-0000-0000-0000-000000000000'; after !== null; ) {
    const [row] = await change({ after });
    total += row?.count ?? 0;
    after = row?.last ?? null;
  }
  return total;
}

type Changed = { id: string };
type Owned = { id: string; owner: string };

const newestVersion = statement<{ purpose: Purpose }, { version: number }>(
  'lost-key-newest',
  'select coalesce(max(version), 0) as version from data_keys where purpose = :purpose::"KeyPurpose"',
);
const replaceVersion = statement<{ purpose: Purpose; version: number; wrapped: Uint8Array }>(
  'lost-key-replace',
  `with gone as (delete from data_keys where purpose = :purpose::"KeyPurpose" and version < :version)
   insert into data_keys (purpose, version, wrapped) values (:purpose::"KeyPurpose", :version, :wrapped)`,
);
const removeRest = ['delete from earlier_mid_settings', 'delete from wallet_domains', 'delete from pending_cards'].map(
  (text, place) => statement(`lost-key-rest-${place}`, text),
);
const removeWallets = statement<object, Changed>('lost-key-wallets', 'delete from wallets returning id');

/** Replaces a purpose's keys by one with a new version, so that no value under an old one is taken for its own. */
async function replaceKey(purpose: Purpose, run: Query) {
  const [newest] = await newestVersion({ purpose }, run);
  const key = { version: (newest?.version ?? 0) + 1, ...newKey() };
  await replaceVersion({ purpose, version: key.version, wrapped: await wrapKey(key, purpose, keySource()) }, run);
  return key;
}

async function replaceKeys(run: Query) {
  const seals = await replaceKey('seal', run);
  const links = await replaceKey('link', run);
  for (const purpose of purposes.filter((each) => !['seal', 'link'].includes(each))) await replaceKey(purpose, run);
  const reseal = async (label: SealedLabel, more: string, textOf: () => string) => {
    const { table, column, owner } = sealedColumns[label];
    const read = statement<object, Owned>(`lost-key-read-${table}`, `select id, ${owner} as owner from ${table}`);
    const write = statement<{ id: string; sealed: Uint8Array }>(
      `lost-key-write-${table}`,
      `update ${table} set ${column} = :sealed${more} where id = :id::uuid`,
    );
    const rows = await read({}, run);
    for (const row of rows) await write({ id: row.id, sealed: sealUnder(seals, textOf(), label, row) }, run);
    return rows.length;
  };
  const passwords = await reseal('merchant-password', '', () => randomBytes(16).toString('hex'));
  const empty = JSON.stringify({ url: '', apiKey: '', signingSecret: '' });
  const mids = await reseal('mid-settings', ', enabled = false, version = version + 1', () => empty);
  for (const remove of removeRest) await remove({}, run);
  return { passwords, mids, wallets: (await removeWallets({}, run)).length, linkKey: links.key };
}
