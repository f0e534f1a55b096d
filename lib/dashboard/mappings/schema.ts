/** Validates a change of a mapping: one schema per protocol. A change names only the settings that it changes. */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { hasCardData } from '../../core/card-addresses.ts';
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
import { wholeNumber } from '../errors.ts';

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
      maximumDeclines: wholeNumber(mappingBounds.maximumDeclines).nullable(),
      defaultLanguage: language,
      redirectParameters: z.boolean('Choose on or off.'),
      offerSavingCards: z.boolean('Choose on or off.'),
      pendingUrl: webAddress,
      defaultNotificationUrl: webAddress,
      uppercase: z.enum(['ascii', 'unicode'], 'Choose a to z or all letters.'),
      reversalWord: z.enum(['reversal', 'void'], 'Choose reversal or void.'),
      frameBySuccessUrl: z.boolean('Choose on or off.'),
      ipAllowlist: ipList,
      signedRequests: z.boolean('Choose on or off.'),
      openPayouts: z.boolean('Choose on or off.'),
      scheduleRetries: wholeNumber(mappingBounds.scheduleRetries),
      scheduleRetryHours: wholeNumber(mappingBounds.scheduleRetryHours),
      missedSlots: z.enum(missedSlotOptions, 'Choose which missed charges are made.'),
      cascadeLimit: wholeNumber(mappingBounds.cascadeLimit),
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
    (address) => address === null || (parseWebUrl(address) !== null && !hasCardData(address)),
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
      context.addIssue({ code: 'custom', message: 'Enter digits only: the limit in minor units.' });
      return z.NEVER;
    }
    const minor = BigInt(digits);
    if (minor > 0n && minor <= limitMax) return minor;
    const message = minor === 0n ? 'A limit is above 0. Leave it empty for none.' : `A limit goes up to ${limitMax}.`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** The entries without spaces and empty lines, or the first error as a sentence. */
export type IpList = { entries: string[] } | { fault: string };

const examples = 'Enter 203.0.113.24, 203.0.113.0/28 or 2001:db8::/32.';

/**
 * Reads an IP allowlist: one IPv4 or IPv6 address or network per line, at most `most`. lib/protocols/pipeline/handle.ts
 * matches everything that is accepted here; an error names its line and the expected input.
 */
export function readIpList(lines: readonly string[], most: number): IpList {
  const matches = new Map<string, number>();
  const entries: string[] = [];
  for (const [place, line] of lines.entries()) {
    const entry = line.trim();
    if (entry === '') continue;
    const number = place + 1;
    const error = entryError(entry);
    if (error !== null) return { fault: `Line ${number}: ${error}` };
    const duplicate = matches.get(keyOf(entry));
    if (duplicate !== undefined) return { fault: `Line ${number} repeats line ${duplicate}.` };
    matches.set(keyOf(entry), number);
    entries.push(entry);
    if (entries.length > most) return { fault: `Line ${number}: a list holds at most ${most} entries.` };
  }
  return { entries };
}

/** The error of one entry as the end of a sentence about its line; null for a valid entry. */
function entryError(entry: string): string | null {
  const [address = '', bits, ...more] = entry.split('/');
  const shown = entry.length > 45 ? `${entry.slice(0, 44)}…` : entry;
  if (more.length > 0) return `${shown} has more than one slash. ${examples}`;
  const error = address.includes(':') ? ipv6Error(address, shown) : ipv4Error(address, shown);
  if (error !== null || bits === undefined) return error;
  return networkError(address, bits);
}

function ipv4Error(address: string, shown: string): string | null {
  if (!/^\d+(\.\d+)*\.?$/.test(address)) return `${shown} is not an address. ${examples}`;
  const parts = address.split('.').filter((part) => part !== '');
  if (parts.length !== 4 || address.endsWith('.')) {
    return `an IPv4 address has four parts; ${shown} has ${parts.length}.`;
  }
  const large = parts.find((part) => part.length > 3 || Number(part) > 255);
  if (large !== undefined) {
    return `${large.slice(0, 12)} is too large. Each part of an IPv4 address goes up to 255.`;
  }
  const padded = parts.find((part) => part.length > 1 && part.startsWith('0'));
  return padded === undefined ? null : `${padded} begins with a zero. Enter ${Number(padded)}.`;
}

function ipv6Error(address: string, shown: string): string | null {
  if (address.includes('%')) return `${shown} contains a zone after %. Enter the address without it.`;
  if (!ipaddr.IPv6.isValid(address)) return `${shown} is not an IPv6 address. ${examples}`;
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.isIPv4MappedAddress() ? `${shown} is an IPv4 address. Enter ${parsed.toIPv4Address()}.` : null;
}

function networkError(address: string, bits: string): string | null {
  const parsed = ipaddr.parse(address);
  const [family, most] = parsed.kind() === 'ipv4' ? (['IPv4', 32] as const) : (['IPv6', 128] as const);
  if (!/^\d{1,4}$/.test(bits))
    return `/${bits.slice(0, 12)} is not a length. An ${family} network has 0 to ${most} bits.`;
  if (Number(bits) > most) return `/${bits} is too large. An ${family} network has at most ${most} bits.`;
  const start = ipaddr[family].networkAddressFromCIDR(`${address}/${Number(bits)}`).toString();
  return start === parsed.toString()
    ? null
    : `${address}/${bits} does not begin at ${address}. Enter ${start}/${bits}.`;
}

// 2001:DB8::/32 and 2001:db8:0::/32 are the same entry.
function keyOf(entry: string): string {
  const [address = '', bits] = entry.split('/');
  const text = ipaddr.parse(address).toString();
  return bits === undefined ? text : `${text}/${Number(bits)}`;
}
