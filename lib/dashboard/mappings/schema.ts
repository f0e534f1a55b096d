/** Validates a change of a mapping: one schema per protocol. A change names only the settings that it changes. */
import { z } from 'zod';
import { findLocale } from '../../core/locales.ts';
import {
  configurableNames,
  type FieldPlace,
  hasSetting,
  type MappingProtocol,
  type MappingSetting,
  mappingBounds,
  mappingSettings,
  missedSlotOptions,
  protocolNames,
} from '../../core/mapping-options.ts';
import { parseWebUrl } from '../../http/index.ts';
import { readIpList } from './ip-list.ts';

const urlMax = 1024;
// The maximum of a signed 64-bit column.
const limitMax = 2n ** 63n - 1n;

/** The settings of a protocol, each optional. Lists of fields are sorted in the order of the matrix. */
export function changeSchema(protocol: MappingProtocol) {
  const whole = z.strictObject(
    {
      enabled: z.boolean('Choose on or off.'),
      digest: z.enum(['md5', 'sha256'], 'Choose MD5 or SHA-256.'),
      requiredPayerFields: names(protocol, 'required'),
      callbackFields: names(protocol, 'callback'),
      statusFields: names(protocol, 'status'),
      orderIdReuse: z.enum(['never', 'after_failed', 'always'], 'Choose when an order ID can be used again.'),
      maximumDeclines: bounded('maximumDeclines').nullable(),
      defaultLanguage: language,
      redirectParameters: z.boolean('Choose on or off.'),
      defaultNotificationUrl: webAddress,
      uppercase: z.enum(['ascii', 'unicode'], 'Choose a to z or all letters.'),
      reversalWord: z.enum(['reversal', 'void'], 'Choose reversal or void.'),
      frameBySuccessUrl: z.boolean('Choose on or off.'),
      ipAllowlist: ipList,
      signedRequests: z.boolean('Choose on or off.'),
      openPayouts: z.boolean('Choose on or off.'),
      scheduleRetries: bounded('scheduleRetries'),
      scheduleRetryHours: bounded('scheduleRetryHours'),
      missedSlots: z.enum(missedSlotOptions, 'Choose which missed charges are made.'),
      cascadeLimit: bounded('cascadeLimit'),
      dailyLimitMinor: limit,
      weeklyLimitMinor: limit,
    } satisfies Record<MappingSetting | 'requiredPayerFields' | 'callbackFields' | 'statusFields', z.ZodType>,
    { error: (issue) => (issue.code === 'unrecognized_keys' ? 'This setting does not exist.' : undefined) },
  );
  return whole.partial().superRefine((change, context) => {
    for (const setting of mappingSettings) {
      if (change[setting] === undefined || hasSetting(protocol, setting)) continue;
      context.addIssue({ code: 'custom', path: [setting], message: `${protocolNames[protocol]} has no such setting.` });
    }
  });
}

function names(protocol: MappingProtocol, place: FieldPlace) {
  const known = configurableNames(protocol, place);
  return z
    .array(z.string(), 'Enter the fields as a list.')
    .superRefine((input, context) => {
      const unknownEntry = input.find((name) => !known.includes(name));
      if (unknownEntry === undefined) return;
      context.addIssue({ code: 'custom', message: `${unknownEntry.slice(0, 60)} cannot be chosen here.` });
    })
    .transform((values) => known.filter((name) => values.includes(name)));
}

function bounded(setting: 'maximumDeclines' | 'scheduleRetries' | 'scheduleRetryHours' | 'cascadeLimit') {
  const { least, most } = mappingBounds[setting];
  const message = `Enter a whole number from ${least} to ${most}.`;
  return z.int(message).min(least, message).max(most, message);
}

const language = z
  .string('Choose a language.')
  .nullable()
  .refine((code) => code === null || findLocale(code)?.code === code, 'Choose one of the 21 languages.');

const webAddress = z
  .string('Enter an address.')
  .trim()
  .nullable()
  .transform((address) => address || null)
  .refine((address) => address === null || address.length <= urlMax, `Enter at most ${urlMax} characters.`)
  .refine(
    (address) => address === null || parseWebUrl(address) !== null,
    'Enter a full URL such as https://shop.example/callbacks, without spaces, user name or password.',
  );

const ipList = z.array(z.string(), 'Enter one address or network per line.').transform((lines, context) => {
  const read = readIpList(lines, mappingBounds.ipAllowlist.most);
  if ('entries' in read) return read.entries;
  context.addIssue({ code: 'custom', message: read.fault });
  return z.NEVER;
});

const limit = z
  .string('Enter the limit in digits.')
  .trim()
  .nullable()
  .transform((digits, context) => {
    if (digits === null || digits === '') return null;
    if (!/^\d{1,19}$/.test(digits)) {
      context.addIssue({
        code: 'custom',
        message: 'Enter digits only: the limit in minor units.',
      });
      return z.NEVER;
    }
    const minor = BigInt(digits);
    if (minor > 0n && minor <= limitMax) return minor;
    const message = minor === 0n ? 'A limit is above 0. Leave it empty for none.' : `A limit goes up to ${limitMax}.`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
