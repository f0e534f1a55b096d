// What a payer has to do next, as a closed set. The payer's page knows how to draw each of these and
// nothing about methods, so an unknown method needs no page of its own.

/** Where the browser goes, and with what. */
export type Visit = { url: string; method: 'GET' | 'POST'; params: Record<string, string> };

/** One row of data to copy; the decisive one (an amount, a reference) is set larger. */
export type ShownRow = { name: string; value: string; decisive?: boolean };

/** `endsAt` is when the thing shown stops being good; the page counts down to it. */
export type Step =
  | { kind: 'done' }
  | { kind: 'redirect'; visit: Visit }
  | { kind: 'challenge'; visit: Visit }
  | { kind: 'qr'; code: string; endsAt?: Date }
  | { kind: 'confirm'; sentTo?: string; endsAt?: Date }
  | { kind: 'show'; rows: ShownRow[]; endsAt?: Date }
  | { kind: 'message'; text: string }
  | { kind: 'crypto'; address: string; network: string; amount: string; currency: string; endsAt?: Date };

export type StepKind = Step['kind'];
