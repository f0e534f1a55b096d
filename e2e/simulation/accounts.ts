// The settings of the merchants, edited as in the dashboard: where an account's provider is, how long a call may take, and
// which account takes part first, or at all.

import { type Draw, oneOf } from '../chaos/seeded-random.ts';
import type { Chance } from './chance.ts';
import type { Base } from './database.ts';
import { firstMerchant, type Merchant, merchants } from './merchants.ts';
import { origins } from './settings.ts';

type Label = 'mid-settings' | 'earlier-mid-settings';
export type SealAccount = (text: string, label: Label) => Promise<Uint8Array>;

const quickSeconds = 10;
const slowSeconds = 60;

/** Sealed settings by merchant, provider and time: as an account has them now, and as its earlier ones. */
export type Sealed = Map<string, { now: Buffer; earlier: Buffer }>;

const nameOf = ({ name }: Merchant, origin: string, seconds: number) => `${name} ${origin} ${seconds}`;

/** Seals all settings that an account can have. */
export async function sealAccounts(seal: SealAccount): Promise<Sealed> {
  const sealed: Sealed = new Map();
  const forms = merchants.flatMap((merchant) =>
    origins.flatMap((url) => [quickSeconds, slowSeconds].map((timeoutSeconds) => ({ merchant, url, timeoutSeconds }))),
  );
  for (const { merchant, url, timeoutSeconds } of forms) {
    const text = JSON.stringify({ url, ...merchant.providerKeys, timeoutSeconds });
    const earlier = Buffer.from(await seal(text, 'earlier-mid-settings'));
    const now = Buffer.from(await seal(text, 'mid-settings'));
    sealed.set(nameOf(merchant, url, timeoutSeconds), { now, earlier });
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
const firstKeysOnly =
  "update merchant_keys set valid_until = case when id = any($1::uuid[]) then null else timestamptz '2000-01-01' end";

/** An account of a merchant. */
type Account = { id: string; name: string; merchant: Merchant; origin: string; seconds: number };

/** The accounts of a world. */
export function newAccounts({ chance, note, run, onEdit }: Surroundings, sealed: Sealed) {
  /** The accounts of the merchants that take part. */
  let accounts: Account[] = [];

  const settingsOf = ({ merchant, origin, seconds }: Account) =>
    sealed.get(nameOf(merchant, origin, seconds)) as { now: Buffer; earlier: Buffer };
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
        const account = { id: merchant.accounts[place] as string, name, merchant, origin, seconds };
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
      note('world', `${account.name} moves to ${account.origin}`);
      await run(
        `with changed as (update mids set settings = $2, version = version + 1, settings_version = settings_version + 1
                           where id = $1 returning settings_version)
         insert into earlier_mid_settings (id, mid_id, version, connector, settings, replaced_at)
         select gen_random_uuid(), $1, settings_version - 1, 'http', $3, now() from changed`,
        [account.id, settingsOf(account).now, earlier],
      );
    },
  };
}
