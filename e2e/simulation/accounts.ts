// The settings of the merchants, edited as in the dashboard: where an account's provider is, how long a call may take, and
// which account takes part first, or at all.

import { type Draw, oneOf } from '../chaos/seeded-random.ts';
import type { Chance } from './chance.ts';
import type { Base } from './database.ts';
import { firstMerchant, type Merchant, merchants } from './merchants.ts';
import { id, origins } from './settings.ts';

type Label = 'mid-settings' | 'earlier-mid-settings';
type Row = { id: string; owner: string };
export type SealAccount = (text: string, label: Label, row: Row) => Promise<Uint8Array>;

const quickSeconds = 10;
const slowSeconds = 60;

/** A row of earlier settings. */
type Earlier = { id: string; settings: Buffer };
/** Sealed settings by account, provider and time: as the account has them now, and as its earlier ones by move. */
export type Sealed = Map<string, { now: Buffer; earlier: Earlier[] }>;

const nameOf = (account: string, origin: string, seconds: number) => `${account} ${origin} ${seconds}`;

/** How often an account moves in a history at most. */
const moves = 8;

/** Seals all settings that an account can have. They are bound to their rows. */
export async function sealAccounts(seal: SealAccount): Promise<Sealed> {
  const sealed: Sealed = new Map();
  const accounts = merchants.flatMap(({ id: owner, accounts, providerKeys }) =>
    accounts.map((account) => ({ account, owner, providerKeys })),
  );
  const forms = accounts.flatMap((account) =>
    origins.flatMap((url) =>
      [quickSeconds, slowSeconds].map((timeoutSeconds) => ({ ...account, url, timeoutSeconds })),
    ),
  );
  let lastId = 100_000;
  for (const { account, owner, providerKeys, url, timeoutSeconds } of forms) {
    const text = JSON.stringify({ url, ...providerKeys, timeoutSeconds });
    const earlier: Earlier[] = [];
    while (earlier.length < moves) {
      lastId += 1;
      const row = { id: id(lastId), owner: account };
      earlier.push({ id: row.id, settings: Buffer.from(await seal(text, 'earlier-mid-settings', row)) });
    }
    const now = Buffer.from(await seal(text, 'mid-settings', { id: account, owner }));
    sealed.set(nameOf(account, url, timeoutSeconds), { now, earlier });
  }
  return sealed;
}

type Surroundings = {
  chance: Chance;
  note: (who: string, what: string) => void;
  run: Base['run'];
  /** Called after a change, with whether the account is enabled. */
  onEdit: (account: string, isEnabled: boolean) => void;
};

/** The changes that a user makes to one account. */
const changes = [
  'enabled = not enabled',
  'priority = 300 - priority',
  'hold_days = 1 + (hold_days + 2) % 7',
  "late_success = (case late_success when 'void' then 'refund' when 'refund' then 'task' else 'void' end)::\"LateSuccess\"",
];
/** The settings of an account at the beginning of a history. */
const beginnings = `enabled = true, priority = 100 + $3, hold_days = 7, late_success = $4::"LateSuccess",
  daily_limit_minor = $5::bigint, monthly_limit_minor = $6::bigint`;
/** What accounts do about late approvals: most void them, as by default. */
const lateApprovals = ['void', 'void', 'void', 'refund', 'refund', 'task'];

/** The second key of a merchant is valid after a rotation only. */
const firstKeysOnly = `update merchant_keys set replaces_id = null,
  valid_until = case when id = any($1::uuid[]) then null else timestamptz '2000-01-01' end`;

/** An account of a merchant. */
type Account = { id: string; name: string; origin: string; seconds: number; moves: number };

/** The accounts of a world. */
export function newAccounts({ chance, note, run, onEdit }: Surroundings, sealed: Sealed) {
  /** The accounts of the merchants that take part. */
  let accounts: Account[] = [];

  function settingsOf({ id: account, origin, seconds, moves: move }: Account): { now: Buffer; earlier: Earlier } {
    const found = sealed.get(nameOf(account, origin, seconds));
    const earlier = found?.earlier[move];
    if (!found || !earlier) throw new Error(`account ${account} has no sealed settings for its move ${move}`);
    return { now: found.now, earlier };
  }
  /** A turnover limit in minor units, of one to three payments; null for none. */
  function limit(): string | null {
    const draw = chance.draws('limits');
    return chance.joins('limits') && draw() < 0.4 ? String(2_000 + Math.floor(draw() * 18_000)) : null;
  }
  const pick = (draw: Draw) => accounts[Math.floor(draw() * accounts.length)] as Account;

  return {
    /** Gives each account its own provider, and a time for the history. */
    async begin(present: Merchant[]) {
      accounts = [];
      await run(firstKeysOnly, [merchants.map(({ keyId }) => keyId)]);
      const places = present.flatMap((merchant) => origins.map((origin, place) => ({ merchant, origin, place })));
      for (const { merchant, origin, place } of places) {
        const seconds = chance.happens('account slow') ? slowSeconds : quickSeconds;
        const name = `account ${place + 1}${merchant === firstMerchant ? '' : ` of ${merchant.name}`}`;
        const account = { id: merchant.accounts[place] as string, name, origin, seconds, moves: 0 };
        accounts.push(account);
        // Processes that have read the settings of the history before take these for newer ones.
        const changed = 'settings = $2, version = version + 1, settings_version = settings_version + 1';
        const lateApproval = oneOf(chance.draws('late approvals'), lateApprovals);
        const values = [account.id, settingsOf(account).now, place, lateApproval, limit(), limit()];
        await run(`update mids set ${changed}, ${beginnings} where id = $1`, values);
      }
      const missedSlots = oneOf(chance.draws('missed slots'), ['one', 'one', 'all', 'none']);
      await run(
        `update protocol_mappings set cascade_limit = 3, missed_slots = $1, daily_limit_minor = $2::bigint,
                                      weekly_limit_minor = $3::bigint`,
        [missedSlots, limit(), limit()],
      );
    },
    /** Changes a setting of an account, or how many accounts an order may be offered to. */
    async edit(): Promise<void> {
      const draw = chance.draws('which setting');
      const account = pick(draw);
      if (draw() < 0.2) {
        note('world', 'the cascade limit changes');
        await run('update protocol_mappings set cascade_limit = 1 + cascade_limit % 3, version = version + 1');
        return;
      }
      const change = oneOf(draw, changes);
      note('world', `${account.name}: ${change}`);
      const { rows } = await run(
        `update mids set ${change}, version = version + 1 where id = $1 returning enabled::text`,
        [account.id],
      );
      onEdit(account.id, rows[0]?.[0] === 'true');
    },
    /** Moves an account to the other provider. */
    async move(): Promise<void> {
      const account = pick(chance.draws('which account'));
      const { earlier } = settingsOf(account);
      account.origin = origins.find((each) => each !== account.origin) as string;
      account.moves += 1;
      note('world', `${account.name} moves to ${account.origin}`);
      await run(
        `with changed as (update mids set settings = $2, version = version + 1, settings_version = settings_version + 1
                           where id = $1 returning settings_version)
         insert into earlier_mid_settings (id, mid_id, version, connector, settings, replaced_at)
         select $4::uuid, $1, settings_version - 1, 'http', $3, now() from changed`,
        [account.id, settingsOf(account).now, earlier.settings, earlier.id],
      );
    },
  };
}
