/**
 * What a change of a mapping may say, as one schema per protocol: every message stands at its field. A change names only
 * the settings that it changes; a setting that the protocol does not have is a fault, not a silence.
 */
import { z } from 'zod';
import { findLocale } from '../../core/locales';
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
} from '../../core/mapping-options';
import { parseWebUrl } from '../../http';
import { readIpList } from './ip-list';

const urlMax = 1024;
// A signed 64-bit column holds it.
const limitMax = 2n ** 63n - 1n;

/** The settings of a protocol, each optional. Lists of fields are brought into the order of the matrix. */
export function changeSchema(protocol: MappingProtocol) {
  const whole = z.strictObject(
    {
      enabled: z.boolean('Switch it on or off.'),
      digest: z.enum(['md5', 'sha256'], 'Choose MD5 or SHA-256.'),
      requiredPayerFields: names(protocol, 'required'),
      callbackFields: names(protocol, 'callback'),
      statusFields: names(protocol, 'status'),
      orderIdReuse: z.enum(['never', 'after_failed', 'always'], 'Choose when an order id may be used again.'),
      maximumDeclines: bounded('maximumDeclines').nullable(),
      defaultLanguage: language,
      redirectParameters: z.boolean('Switch it on or off.'),
      defaultNotificationUrl: webAddress,
      uppercase: z.enum(['ascii', 'unicode'], 'Choose a to z or every letter.'),
      reversalWord: z.enum(['reversal', 'void'], 'Choose reversal or void.'),
      frameBySuccessUrl: z.boolean('Switch it on or off.'),
      ipAllowlist: ipList,
      signedRequests: z.boolean('Switch it on or off.'),
      openPayouts: z.boolean('Switch it on or off.'),
      scheduleRetries: bounded('scheduleRetries'),
      scheduleRetryHours: bounded('scheduleRetryHours'),
      missedSlots: z.enum(missedSlotOptions, 'Choose which missed charges are made.'),
      cascadeLimit: bounded('cascadeLimit'),
      dailyLimitMinor: limit,
      weeklyLimitMinor: limit,
    } satisfies Record<MappingSetting | 'requiredPayerFields' | 'callbackFields' | 'statusFields', z.ZodType>,
    { error: (issue) => (issue.code === 'unrecognized_keys' ? 'There is no such setting.' : undefined) },
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
    .array(z.string(), 'Name the fields in a list.')
    .superRefine((given, context) => {
      const strange = given.find((name) => !known.includes(name));
      if (strange === undefined) return;
      context.addIssue({ code: 'custom', message: `${strange.slice(0, 60)} cannot be chosen here.` });
    })
    .transform((given) => known.filter((name) => given.includes(name)));
}

function bounded(setting: 'maximumDeclines' | 'scheduleRetries' | 'scheduleRetryHours' | 'cascadeLimit') {
  const { least, most } = mappingBounds[setting];
  const message = `Write a whole number from ${least} to ${most}.`;
  return z.int(message).min(least, message).max(most, message);
}

const language = z
  .string('Choose a language.')
  .nullable()
  .refine((code) => code === null || findLocale(code)?.code === code, 'Choose one of the 21 languages.');

const webAddress = z
  .string('Write an address.')
  .trim()
  .nullable()
  .transform((address) => address || null)
  .refine((address) => address === null || address.length <= urlMax, `Write at most ${urlMax} characters.`)
  .refine(
    (address) => address === null || parseWebUrl(address) !== null,
    'Write a whole address, as https://shop.example/callbacks, without blanks, user name and password.',
  );

const ipList = z.array(z.string(), 'Write one address or network per line.').transform((lines, context) => {
  const read = readIpList(lines, mappingBounds.ipAllowlist.most);
  if ('entries' in read) return read.entries;
  context.addIssue({ code: 'custom', message: read.fault });
  return z.NEVER;
});

const limit = z
  .string('Write the limit in digits.')
  .trim()
  .nullable()
  .transform((digits, context) => {
    if (digits === null || digits === '') return null;
    if (!/^\d{1,19}$/.test(digits)) {
      context.addIssue({
        code: 'custom',
        message: 'Write digits alone: the limit in the smallest unit of a currency.',
      });
      return z.NEVER;
    }
    const minor = BigInt(digits);
    if (minor > 0n && minor <= limitMax) return minor;
    const message = minor === 0n ? 'A limit is above 0. Leave it empty for none.' : `A limit goes up to ${limitMax}.`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
