// The settings of the merchant, edited as in the dashboard: where an account's provider is, how long a call may take, and
// which account takes part first, or at all.

import { oneOf } from '../chaos/seeded-random.ts';
import type { Chance } from './chance.ts';
import type { Base } from './database.ts';
import { accountId, origins, providerKeys } from './settings.ts';

type Label = 'mid-settings' | 'earlier-mid-settings';
export type SealAccount = (text: string, label: Label) => Promise<Uint8Array>;

const quickSeconds = 10;
const slowSeconds = 60;

/** Sealed settings by provider and time: as an account has them now, and as its earlier ones. */
export type Sealed = Map<string, { now: Buffer; earlier: Buffer }>;

const nameOf = (origin: string, seconds: number) => `${origin} ${seconds}`;

/** Seals all settings that an account can have. */
export async function sealAccounts(seal: SealAccount): Promise<Sealed> {
  const sealed: Sealed = new Map();
  for (const url of origins) {
    for (const timeoutSeconds of [quickSeconds, slowSeconds]) {
      const text = JSON.stringify({ url, ...providerKeys, timeoutSeconds });
      const earlier = Buffer.from(await seal(text, 'earlier-mid-settings'));
      sealed.set(nameOf(url, timeoutSeconds), { now: Buffer.from(await seal(text, 'mid-settings')), earlier });
    }
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
const beginnings = 'enabled = true, priority = 100 + $3, hold_days = 7, late_success = $4::"LateSuccess"';
/** What accounts do about late approvals: most void them, as by default. */
const lateApprovals = ['void', 'void', 'void', 'refund', 'refund', 'task'];

/** The accounts of a world. */
export function newAccounts({ chance, note, run, onEdit }: Surroundings, sealed: Sealed) {
  const current: { origin: string; seconds: number }[] = [];

  const settingsOf = (place: number) => {
    const { origin = '', seconds = quickSeconds } = current[place] ?? {};
    return sealed.get(nameOf(origin, seconds)) as { now: Buffer; earlier: Buffer };
  };

  return {
    /** Gives each account its own provider, and a time for the history. */
    async begin() {
      for (const [place, origin] of origins.entries()) {
        current[place] = { origin, seconds: chance.happens('account slow') ? slowSeconds : quickSeconds };
        // Processes that have read the settings of the history before take these for newer ones.
        const changed = 'settings = $2, version = version + 1, settings_version = settings_version + 1';
        const lateApproval = oneOf(chance.draws('late approvals'), lateApprovals);
        const values = [accountId(place), settingsOf(place).now, place, lateApproval];
        await run(`update mids set ${changed}, ${beginnings} where id = $1`, values);
      }
      const missedSlots = oneOf(chance.draws('missed slots'), ['one', 'one', 'all', 'none']);
      await run('update protocol_mappings set cascade_limit = 3, missed_slots = $1', [missedSlots]);
    },
    /** Changes a setting of an account, or how many accounts an order may be offered to. */
    async edit(): Promise<void> {
      const draw = chance.draws('which setting');
      const place = Math.floor(draw() * origins.length);
      if (draw() < 0.2) {
        note('world', 'the cascade limit changes');
        await run('update protocol_mappings set cascade_limit = 1 + cascade_limit % 3, version = version + 1');
        return;
      }
      const change = oneOf(draw, changes);
      note('world', `account ${place + 1}: ${change}`);
      const { rows } = await run(
        `update mids set ${change}, version = version + 1 where id = $1 returning enabled::text`,
        [accountId(place)],
      );
      onEdit(accountId(place), rows[0]?.[0] === 'true');
    },
    /** Moves an account to the other provider. */
    async move(): Promise<void> {
      const place = Math.floor(chance.draws('which account')() * origins.length);
      const earlier = settingsOf(place).earlier;
      const { origin, seconds } = current[place] as (typeof current)[number];
      current[place] = { origin: origins.find((each) => each !== origin) as string, seconds };
      note('world', `account ${place + 1} moves to ${current[place]?.origin}`);
      await run(
        `with changed as (update mids set settings = $2, version = version + 1, settings_version = settings_version + 1
                           where id = $1 returning settings_version)
         insert into earlier_mid_settings (id, mid_id, version, connector, settings, replaced_at)
         select gen_random_uuid(), $1, settings_version - 1, 'http', $3, now() from changed`,
        [accountId(place), settingsOf(place).now, earlier],
      );
    },
  };
}
