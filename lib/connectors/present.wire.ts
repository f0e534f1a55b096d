// The member `present` of a provider's answer (docs/providers/contract.md): what the payer does outside of the page.
import { z } from 'zod';
import { isAppScheme } from '../core/app-schemes.ts';
import { type Presentation, qrBytesMax } from '../core/presentation.ts';
import { ifValid } from './if-valid.ts';

const line = z.string().min(1).max(255);
const expires = { expires_at: ifValid(z.iso.datetime({ offset: true })) };
const masked = ifValid(line);
const webUrl = z.url({ protocol: /^https?$/ }).max(2048);

// A deep link is a web address or has an app's own scheme, not one that a browser or an operating system handles itself.
const deepLink = z
  .string()
  .max(4096)
  .regex(/^[a-z][a-z0-9+.-]*:[^\s"'<>\\]+$/i)
  .refine((text) => {
    const [scheme = ''] = text.toLowerCase().split(':', 1);
    return scheme === 'https' || isAppScheme(scheme);
  });

/** The texts that each symbology of a barcode can encode. */
const encodable = { code128: /^[\x20-\x7e]{1,48}$/, itf: /^(\d\d){1,24}$/ };
const symbologies = Object.keys(encodable) as (keyof typeof encodable)[];

const detailsShape = z
  .object({
    kind: z.literal('details'),
    rows: z
      .array(z.object({ name: line, value: line }))
      .min(1)
      .max(20),
    barcode: ifValid(z.string().regex(encodable.code128)),
    symbology: ifValid(z.string().meta({ enum: symbologies })),
    ...expires,
  })
  .meta({
    if: { properties: { symbology: { const: 'itf' } }, required: ['symbology'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { barcode: { pattern: encodable.itf.source } } },
  });

const schemes = ['ips', 'pix', 'promptpay', 'qris', 'duitnow', 'qrph', 'upi', 'text'] as const;

/** The member `present` of an answer. */
export const presentShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('app'), url: deepLink, ...expires }),
  z.object({
    kind: z.literal('qr'),
    scheme: z.enum(schemes).catch('text'),
    payload: z
      .string()
      .min(1)
      .max(2048)
      .refine((text) => Buffer.byteLength(text) <= qrBytesMax),
    renewable: ifValid(z.boolean()),
    ...expires,
  }),
  z.object({ kind: z.literal('confirm'), sent_to: masked, ...expires }),
  detailsShape,
  z.object({ kind: z.literal('message'), channel: z.enum(['email', 'sms']), url: webUrl, ...expires }),
  z.object({
    kind: z.literal('crypto'),
    address: z.string().regex(/^[A-Za-z0-9:]{20,120}$/),
    network: line,
    currency: z.string().regex(/^[A-Z0-9]{2,10}$/),
    amount: z
      .string()
      .regex(/^\d{1,12}(\.\d{1,18})?$/)
      .nullish(),
    memo: masked,
    ...expires,
  }),
  z.object({ kind: z.literal('code'), sent_to: masked, wrong: ifValid(z.boolean()), ...expires }),
]);

/** Returns the presentation of a response; undefined if it has no valid one. */
export function readPresent(value: unknown): Presentation | undefined {
  const parsed = presentShape.safeParse(value);
  if (!parsed.success) return undefined;
  const { expires_at: expiresAt, ...members } = parsed.data;
  const { sent_to: sentTo, ...rest } = { sent_to: undefined, ...members };
  const barcode = members.kind === 'details' ? readBarcode(members) : {};
  const defined = Object.entries({ ...rest, ...barcode, sentTo, expiresAt }).filter(([, member]) => member != null);
  return Object.fromEntries(defined) as Presentation;
}

/** The barcode with its symbology; none if the symbology is unknown or cannot encode the text. */
function readBarcode({ barcode, symbology }: z.infer<typeof detailsShape>) {
  const known = symbologies.find((each) => each === (symbology ?? 'code128'));
  const isEncodable = barcode != null && known !== undefined && encodable[known].test(barcode);
  return { barcode: isEncodable ? barcode : undefined, symbology: isEncodable && known === 'itf' ? known : undefined };
}
