/**
 * Converts a mapping to form values and back. Every box of the matrix is its own field, so that the list of changes
 * names the box; limits are entered in EUR and sent in minor units.
 */
import {
  type FieldPlace,
  type FieldRow,
  hasSetting,
  type MappingProtocol,
  type MappingSetting,
  mappingSettings,
  moreRows,
  payerRows,
} from '../../../lib/core/mapping-options.ts';
import { formatAmount } from '../../../lib/core/money.ts';
import { ambiguousAmount, plainAmount, typedMinor } from '../../../lib/core/typed-amount.ts';
import type { MappingValues } from '../../../lib/dashboard/mappings/contract.ts';

/** A box: on, off, or mixed if an API client set only some of its fields. */
export type Box = boolean | 'some';

type Lists = 'requiredPayerFields' | 'callbackFields' | 'statusFields';

/** The settings whose fields contain text, and how it is sent. */
const sentTexts = {
  ipAllowlist: (text: string) => text.split('\n'),
  dailyLimitMinor: minorOf,
  weeklyLimitMinor: minorOf,
};

type TextSetting = keyof typeof sentTexts;

export type MappingForm = Omit<MappingValues, Lists | TextSetting> &
  Record<TextSetting, string> & { matrix: Record<FieldPlace, Record<string, Box>> };

/** The currency of the limit fields. Every currency is counted separately, in its own minor units. */
export const limitCurrency = 'EUR';

const listOf = { required: 'requiredPayerFields', callback: 'callbackFields', status: 'statusFields' } as const;
const places = Object.keys(listOf) as FieldPlace[];

/** Every row of a protocol's matrix. */
export const rowsOf = (protocol: MappingProtocol): FieldRow[] => [...payerRows(protocol), ...moreRows(protocol)];

/** The initial form values. */
export function toForm(protocol: MappingProtocol, values: MappingValues): MappingForm {
  const matrix: MappingForm['matrix'] = { required: {}, callback: {}, status: {} };
  for (const row of rowsOf(protocol)) {
    for (const place of places) {
      if (row.places[place] === 'open') matrix[place][row.id] = boxOf(row, values[listOf[place]]);
    }
  }
  const { requiredPayerFields: _required, callbackFields: _callback, statusFields: _status, ...settings } = values;
  const texts = (Object.keys(sentTexts) as TextSetting[]).map((name) => [name, textOf(name, values[name])]);
  return { ...settings, ...(Object.fromEntries(texts) as Record<TextSetting, string>), matrix };
}

function textOf(name: TextSetting, value: MappingValues[TextSetting]): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.join('\n');
  return name.endsWith('Minor') ? formatAmount(BigInt(value), limitCurrency) : String(value);
}

function boxOf({ names }: FieldRow, chosen: readonly string[]): Box {
  const count = names.filter((name) => chosen.includes(name)).length;
  return count === 0 ? false : count === names.length || 'some';
}

type Other = { protocol: MappingProtocol; values: MappingValues };

/** A form with the settings of another mapping; settings that the other protocol does not have stay unchanged. */
export function copiedFrom(other: Other, protocol: MappingProtocol, form: MappingForm): MappingForm {
  const taken = toForm(protocol, other.values);
  const copiedRows = new Map(rowsOf(other.protocol).map((row) => [row.id, row]));
  const matrix = structuredClone(form.matrix);
  for (const place of places) {
    for (const id of Object.keys(matrix[place])) {
      if (copiedRows.get(id)?.places[place] === 'open') matrix[place][id] = taken.matrix[place][id] ?? false;
    }
  }
  const settings = mappingSettings.filter((setting) => hasSetting(other.protocol, setting));
  return { ...form, ...Object.fromEntries(settings.map((setting) => [setting, taken[setting]])), matrix };
}

type Sent = Partial<Record<keyof MappingValues, unknown>>;

/** The settings to send for the protocol. `before` fills mixed boxes. */
export function fromForm(protocol: MappingProtocol, form: MappingForm, before: MappingValues): Sent {
  const sent: Sent = {};
  for (const place of places) {
    const stored = before[listOf[place]];
    sent[listOf[place]] = rowsOf(protocol).flatMap(({ id, names }) => {
      const box = form.matrix[place][id];
      return box === 'some' ? names.filter((name) => stored.includes(name)) : box ? names : [];
    });
  }
  for (const setting of mappingSettings.filter((each) => hasSetting(protocol, each))) {
    sent[setting] = isText(setting) ? sentTexts[setting](form[setting]) : form[setting];
  }
  return sent;
}

const isText = (setting: MappingSetting): setting is TextSetting & MappingSetting => setting in sentTexts;

function minorOf(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' ? null : String(typedMinor(trimmed, limitCurrency) ?? trimmed);
}

/** The error of a limit as entered; undefined if valid. */
export function limitError(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  if (plainAmount(text) === null) return ambiguousAmount(text);
  const minor = typedMinor(text, limitCurrency);
  if (minor === null) return 'Enter an amount such as 10000.00, or leave the field empty for no limit.';
  return minor > 0n ? undefined : 'A limit is above 0. Leave the field empty for none.';
}
