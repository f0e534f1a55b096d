// Decodes the `present` member of a provider's response: the data for the payer while the payment is `processing`. A
// malformed one is dropped, because it does not change the outcome.
import { z } from 'zod';
import type { Presentation } from '../core/presentation';

const line = z.string().min(1).max(255);
const expires = { expires_at: z.iso.datetime({ offset: true }).nullish().catch(null) };
const masked = line.nullish().catch(null);
const webUrl = z.url({ protocol: /^https?$/ }).max(2048);

// A deep link has an app's own scheme. Schemes that a browser executes or reads from the disk are refused.
const deepLink = z
  .string()
  .max(4096)
  .regex(/^[a-z][a-z0-9+.-]*:[^\s"'<>\\]+$/i)
  .refine((text) => !/^(javascript|data|vbscript|file|blob|about|filesystem|view-source):/i.test(text));

const schemes = ['ips', 'pix', 'promptpay', 'qris', 'duitnow', 'qrph', 'upi', 'text'] as const;

/** The member `present` of an answer. */
export const presentShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('app'), url: deepLink, ...expires }),
  z.object({
    kind: z.literal('qr'),
    scheme: z.enum(schemes).catch('text'),
    payload: z.string().min(1).max(2048),
    renewable: z.boolean().nullish().catch(null),
    ...expires,
  }),
  z.object({ kind: z.literal('confirm'), sent_to: masked, ...expires }),
  z.object({
    kind: z.literal('details'),
    rows: z
      .array(z.object({ name: line, value: line }))
      .min(1)
      .max(20),
    barcode: z
      .string()
      .regex(/^[\x20-\x7e]{1,48}$/)
      .nullish()
      .catch(null),
    ...expires,
  }),
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
  z.object({ kind: z.literal('code'), sent_to: masked, wrong: z.boolean().nullish().catch(null), ...expires }),
]);

/** Returns the presentation of a response; undefined if it has no valid one. */
export function readPresent(value: unknown): Presentation | undefined {
  const parsed = presentShape.safeParse(value);
  if (!parsed.success) return undefined;
  const { expires_at: expiresAt, ...members } = parsed.data;
  const { sent_to: sentTo, ...rest } = { sent_to: undefined, ...members };
  const defined = Object.entries({ ...rest, sentTo, expiresAt }).filter(([, member]) => member != null);
  return Object.fromEntries(defined) as Presentation;
}
