/** The settings of a merchant as forms send them: one schema for creating and changing. */
import { z } from 'zod';
import { isAppScheme } from '../../core/app-schemes.ts';
import { hasCardData } from '../../core/card-addresses.ts';
import { parseWebUrl } from '../../http/index.ts';
import type { MerchantSettings } from '../../merchants/index.ts';
import { textLine, versionField } from '../errors.ts';

const hostName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9](:\d{1,5})?$/i;
const email = /^[^\s@<>()",;:\\]+@[^\s@.<>()",;:\\]+(\.[^\s@.<>()",;:\\]+)+$/;
const ancestorsMax = 20;
const schemesMax = 20;

const orNull = (text: string) => (text === '' ? null : text);

const webAddress = textLine(2048)
  .refine(
    (text) => text === '' || (parseWebUrl(text) !== null && !hasCardData(text)),
    'Enter a full URL, such as https://shop.example/privacy.',
  )
  .transform(orNull);

const origin = textLine(2048)
  .refine((text) => originOf(text) !== null, 'Enter an origin without a path, such as https://shop.example.')
  .transform((text) => originOf(text) ?? '');

/** The origin of a URL without a path, with or without a trailing slash; null for a URL with more. */
function originOf(text: string): string | null {
  const url = parseWebUrl(text);
  return url && url.pathname === '/' && url.search === '' && url.hash === '' ? url.origin : null;
}

const appScheme = textLine(40)
  .transform((text) => text.toLowerCase().replace(/:(\/\/)?$/, ''))
  .refine(
    isAppScheme,
    'Enter the scheme of your own app, such as myshop. Schemes of browsers and systems cannot be listed.',
  );

/** The settings of a merchant. Empty texts are not set. */
export const merchantInput = z.object({
  name: textLine(100).min(1, 'Enter a name.'),
  site: textLine(253)
    .refine((text) => text === '' || hostName.test(text), 'Enter a hostname such as shop.example.')
    .transform((text) => orNull(text.toLowerCase())),
  supportEmail: textLine(254)
    .refine((text) => text === '' || email.test(text), 'Enter an email address such as help@shop.example.')
    .transform(orNull),
  privacyUrl: webAddress,
  termsUrl: webAddress,
  frameAncestors: z
    .array(origin, 'Enter a list of origins.')
    .max(ancestorsMax, `Enter at most ${ancestorsMax} origins.`)
    .transform((origins) => [...new Set(origins)]),
  appSchemes: z
    .array(appScheme, 'Enter a list of schemes.')
    .max(schemesMax, `Enter at most ${schemesMax} schemes.`)
    .transform((schemes) => [...new Set(schemes)]),
}) satisfies z.ZodType<MerchantSettings>;

/** A new merchant: own code sends the HMAC signature with every request, a shop plugin only the contract's hash. */
export const newMerchantInput = merchantInput.extend({
  integration: z.enum(['own_code', 'shop_plugin'], 'Choose the integration type.'),
});

/** A change, on the version that the form was opened on. */
export const merchantChange = merchantInput.extend({ version: versionField });

const overlaps = ['none', 'hour', 'day', 'week'] as const;

/** Rotates a key; the old one stays valid for the given time. */
export const rotateInput = z.object({ overlap: z.enum(overlaps, 'Choose how long the old key stays valid.') });

/** How long an old key stays valid after a rotation, in seconds. */
export const overlapSeconds: Readonly<Record<(typeof overlaps)[number], number>> = {
  none: 0,
  hour: 3600,
  day: 86_400,
  week: 7 * 86_400,
};
