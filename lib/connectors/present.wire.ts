// The `present` member of a provider's answer, both ways of reading it: what the payer is shown while the payment is
// `processing`. One that is malformed is left out, because it says nothing about where the money is.
import { z } from 'zod';
import type { Presentation } from '../core/presentation';

const line = z.string().min(1).max(255);
const expires = { expires_at: z.iso.datetime({ offset: true }).nullish().catch(null) };
const masked = line.nullish().catch(null);
const webUrl = z.url({ protocol: /^https?$/ }).max(2048);

// A deep link has its app's own scheme; one that a browser would run or read from the disk is none.
const deepLink = z
  .string()
  .max(4096)
  .regex(/^[a-z][a-z0-9+.-]*:[^\s"'<>\\]+$/i)
  .refine((text) => !/^(javascript|data|vbscript|file|blob|about|filesystem|view-source):/i.test(text));

const schemes = ['ips', 'pix', 'promptpay', 'qris', 'duitnow', 'qrph', 'upi', 'text'] as const;

const shape = z.discriminatedUnion('kind', [
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

/** The presentation of an answer; undefined when it has none that can be shown. */
export function readPresent(value: unknown): Presentation | undefined {
  const read = shape.safeParse(value);
  if (!read.success) return undefined;
  const { expires_at: expiresAt, ...said } = read.data;
  const { sent_to: sentTo, ...rest } = { sent_to: undefined, ...said };
  const known = Object.entries({ ...rest, sentTo, expiresAt }).filter(([, given]) => given != null);
  return Object.fromEntries(known) as Presentation;
}
