/** Validates the input for a wallet and converts it to the JSON that payments read. */
import { z } from 'zod';
import { isCountry } from '../../core/countries.ts';
import type { GoogleSettings } from '../../merchants/index.ts';
import { appleCapabilities, appleNetworks, googleAuthMethods, googleNetworks, shopNameMax } from './options.ts';

const visible = /^[^\p{Cc}\p{Cf}]*$/u;

/** Some of the offered values, without duplicates, in the offered order. */
function some(offered: readonly string[], what: string) {
  return z
    .array(z.string().refine((word) => offered.includes(word), `${what} are ${offered.join(', ')}.`))
    .max(offered.length)
    .transform((words) => offered.filter((word) => words.includes(word)));
}

/** A line of text with its own messages for a missing value and invisible characters. */
function line(name: string, most: number) {
  return z
    .string()
    .trim()
    .min(1, `${name} is missing.`)
    .max(most, `${name} has at most ${most} characters.`)
    .regex(visible, `${name} contains invisible characters.`);
}

const capabilities = appleCapabilities.map(([id]) => id);

/** The form of an Apple wallet. */
export const appleValues = z.object({
  merchantIdentifier: line('The merchant identifier', 128).regex(
    /^merchant(\.[A-Za-z0-9-]+)+$/,
    'A merchant identifier begins with "merchant.", such as merchant.com.example.shop.',
  ),
  country: z.string().trim().toUpperCase().refine(isCountry, 'Choose the country by its two letters, such as DE.'),
  shopName: line('The shop name', shopNameMax),
  merchantCapabilities: some(capabilities, 'Capabilities').refine(
    (words) => words.includes('supports3DS'),
    'Apple requires supports3DS.',
  ),
  supportedNetworks: some(
    appleNetworks.map(([id]) => id),
    'Networks',
  ),
});

/** Google's merchant ids consist of letters and digits; TEST accepts any. */
const word = /^[A-Za-z0-9._-]*$/;

/** The form of a Google wallet. */
export const googleValues = z
  .object({
    recipient: z.enum(['gateway', 'merchant']),
    gateway: z.string().trim().max(64).regex(word, 'A gateway name consists of letters and digits.'),
    gatewayMerchantId: z.string().trim().max(128).regex(visible, 'The ID contains invisible characters.'),
    merchantId: z.string().trim().max(64).regex(word, "Google's merchant ID consists of letters and digits."),
    allowedAuthMethods: some(googleAuthMethods, 'Auth methods').refine(
      (methods) => methods.length > 0,
      'Allow PAN_ONLY, CRYPTOGRAM_3DS or both.',
    ),
    networks: some(googleNetworks, 'Networks'),
  })
  .superRefine(({ recipient, gateway, gatewayMerchantId, merchantId }, { addIssue }) => {
    const missing = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message });
    if (recipient === 'gateway' && gateway === '') missing('gateway', 'Enter the gateway name as Google lists it.');
    if (recipient === 'gateway' && gatewayMerchantId === '') {
      missing('gatewayMerchantId', 'Enter your ID at the gateway: tokens are encrypted for it.');
    }
    if (recipient === 'merchant' && merchantId === '') {
      missing('merchantId', "Enter Google's merchant ID: tokens are encrypted for it.");
    }
  });

/** The same as the JSON of Google Pay's settings, without keys. */
export function googleSettings(values: z.output<typeof googleValues>): Omit<GoogleSettings, 'privateKeys'> {
  const { recipient, gateway, gatewayMerchantId, merchantId, networks } = values;
  const methods = googleAuthMethods.filter((method) => values.allowedAuthMethods.includes(method));
  return {
    recipientId: recipient === 'gateway' ? `gateway:${gateway}` : `merchant:${merchantId}`,
    ...(recipient === 'gateway' && { gatewayMerchantId }),
    ...(merchantId !== '' && { merchantId }),
    allowedAuthMethods: methods,
    networks,
  };
}
