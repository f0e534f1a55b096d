/** What may be set of a merchant, as forms send it. One schema for making and for changing. */
import { z } from 'zod';
import { isAppScheme } from '../../core/app-schemes';
import { parseWebUrl } from '../../http';
import type { MerchantSettings } from '../../merchants';
import { textLine, versionField } from '../form-fields';

const hostName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9](:\d{1,5})?$/i;
const email = /^[^\s@<>()",;:\\]+@[^\s@.<>()",;:\\]+(\.[^\s@.<>()",;:\\]+)+$/;
const ancestorsMax = 20;
const schemesMax = 20;

const orNull = (text: string) => (text === '' ? null : text);

/** An address that payers follow. */
const webAddress = textLine(2048)
  .refine(
    (text) => text === '' || parseWebUrl(text) !== null,
    'Write a whole address, such as https://shop.example/privacy.',
  )
  .transform(orNull);

const origin = textLine(2048)
  .refine(
    (text) => originOf(text) !== null,
    'Write an origin: https, the host and nothing behind it, such as https://shop.example.',
  )
  .transform((text) => originOf(text) ?? '');

/** The origin that an address is, with or without a slash at its end; null for an address with more behind it. */
function originOf(text: string): string | null {
  const url = parseWebUrl(text);
  return url && url.pathname === '/' && url.search === '' && url.hash === '' ? url.origin : null;
}

const appScheme = textLine(40)
  .transform((text) => text.toLowerCase().replace(/:(\/\/)?$/, ''))
  .refine(
    isAppScheme,
    "Write the scheme of your own app, such as myshop. Schemes of browsers and systems can't be listed.",
  );

/** The settings of a merchant. Empty texts are not set. */
export const merchantInput = z.object({
  name: textLine(100).min(1, 'Write a name.'),
  site: textLine(253)
    .refine((text) => text === '' || hostName.test(text), 'Write the host alone, such as shop.example.')
    .transform((text) => orNull(text.toLowerCase())),
  supportEmail: textLine(254)
    .refine((text) => text === '' || email.test(text), 'Write an address such as help@shop.example.')
    .transform(orNull),
  privacyUrl: webAddress,
  termsUrl: webAddress,
  frameAncestors: z
    .array(origin, 'Write a list of origins.')
    .max(ancestorsMax, `Name at most ${ancestorsMax} origins.`)
    .transform((origins) => [...new Set(origins)]),
  appSchemes: z
    .array(appScheme, 'Write a list of schemes.')
    .max(schemesMax, `Name at most ${schemesMax} schemes.`)
    .transform((schemes) => [...new Set(schemes)]),
}) satisfies z.ZodType<MerchantSettings>;

/** A new merchant: own code sends the strong signature with every request, a shop's plugin knows the contract's hash alone. */
export const newMerchantInput = merchantInput.extend({
  integration: z.enum(['own_code', 'shop_plugin'], 'Choose how it integrates.'),
});

/** A change of them, on the version that the form was opened on. */
export const merchantChange = merchantInput.extend({ version: versionField });

/** Switching a merchant on or off. */
export const switchInput = z.object({ version: versionField, enabled: z.boolean('Switch it on or off.') });

const overlaps = ['none', 'hour', 'day', 'week'] as const;

/** Making a new pair in place of an old one, which stays valid for so long. */
export const rotateInput = z.object({
  overlap: z.enum(overlaps, 'Choose how long the old key stays valid.'),
});

/** How long an old key stays valid beside a new one, in seconds. */
export const overlapSeconds: Readonly<Record<(typeof overlaps)[number], number>> = {
  none: 0,
  hour: 3600,
  day: 86_400,
  week: 7 * 86_400,
};
