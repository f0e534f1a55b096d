// What the developers' corner is given: requests, callbacks, explained signatures, and the request builder. Times are ISO
// texts, amounts texts in their currency.

export type RequestRow = {
  id: string;
  at: string;
  protocol: string;
  action: string;
  status: number;
  /** carried: carried out. refused: refused by the contract. failed: a fault of ours. */
  outcome: 'carried' | 'refused' | 'failed';
  errorCode: number | null;
  orderNumber: string | null;
  paymentId: string | null;
  durationMs: number;
  merchantName: string | null;
  /** The signature is what it was refused for, so that the hash debugger can explain it. */
  explainable: boolean;
};

export type RequestPage = RequestRow & {
  /** What refused it, in words; null where it was carried out. */
  refusedBy: string | null;
  path: string;
  address: string;
  mediaType: string | null;
  userAgent: string | null;
  request: { text: string; language: 'json' | 'form' | 'text' };
  response: { text: string; language: 'json' | 'text' };
  curl: string;
};

/** How a callback stands: by its answer and by what comes next. */
export type DeliveryStatus = 'received' | 'error' | 'refused' | 'none' | 'waiting';

export type CallbackRow = {
  id: string;
  createdAt: string;
  mark: DeliveryStatus;
  /** `200`, `timeout`, `on its way`. */
  answer: string;
  orderNumber: string;
  paymentId: string;
  /** `sale, success,` and then the order status. */
  type: string;
  outcome: string;
  orderStatus: string;
  amount: string;
  currency: string;
  tries: number;
  state: 'waiting' | 'delivered' | 'failed' | 'undelivered';
  host: string | null;
  held: boolean;
  /** Until when deliveries to the address pause after timeouts; null where they do not. */
  pausedUntil: string | null;
  lastTry: string | null;
  nextTry: string | null;
  merchantName: string;
};

export type CallbackAttemptRow = {
  at: string;
  mark: 'received' | 'error' | 'refused';
  /** `502 Bad Gateway`, `No answer within 10 s`. */
  title: string;
  answer: string | null;
  headers: string | null;
  durationMs: number;
};

/** What the hash of a callback is worth, checked anew; `texts` says what else has to be known of it. */
export type SentSignature = { valid: boolean; title: string; texts: string[] };

export type CallbackPage = CallbackRow & {
  url: string | null;
  address: string | null;
  merchantId: string;
  title: string;
  tried: CallbackAttemptRow[];
  triesMost: number;
  /** When the tries after the next one would be, as it stands now. */
  later: string[];
  body: { text: string; fields: number };
  signature: SentSignature;
  headers: string;
  curl: string | null;
  mayResend: boolean;
  mayHold: boolean;
};

export type CallbackSummary = {
  today: string;
  waiting: string;
  failed: string;
  saidError: string;
  held: { merchantId: string; merchantName: string; address: string; since: string; waiting: string }[];
};

/** A value of a signed text as it is shown. The password is dots. */
export type SignedPart = { text: string; label: string; secret: boolean; changed: boolean };

/** A signature, explained. */
export type Explanation = {
  right: boolean;
  /** `The hash is right`, `The amount was signed as 10 but sent as 10.00`. */
  title: string;
  advice: string;
  /** Which sentence of the contract it goes by. */
  formula: string;
  ours: SignedPart[];
  theirs: SignedPart[] | null;
  steps: { name: string; text: string }[];
  expected: string;
  received: string;
  /** Whether the expected hash is shown whole: only to those who may send requests that Florin signs. */
  whole: boolean;
  tried: { name: string; matches: boolean }[];
  code: { id: string; title: string; text: string }[];
};

/** A request of the hash debugger. `explanation` is null where there is nothing to explain; `said` tells why. */
export type DebuggerResult = {
  request: RequestRow | null;
  message: string | null;
  explanation: Explanation | null;
  said: { title: string; text: string; faults: string[] } | null;
  earlier: string | null;
  later: string | null;
};

export type DebuggerPage = {
  /** The newest refused signatures, for choosing one. */
  recent: RequestRow[];
  debugged: DebuggerResult | null;
  actions: { protocol: string; action: string }[];
};

export type VerifierResult = {
  protocol: string;
  /** The payment that it speaks of, where it is known here. */
  paymentId: string | null;
  explanation: Explanation;
  /** What its headers prove; not right where they are missing. */
  webhook: { right: boolean; title: string; text: string };
  notes: string[];
};

export type BuilderField = {
  path: string;
  kind: 'text' | 'choice' | 'json';
  choices: string[];
  required: boolean;
  /** Shown from the start though it is not required. */
  usual: boolean;
  help: string | null;
  sample: string;
};

export type BuilderAction = {
  protocol: string;
  action: string;
  title: string;
  about: string;
  path: string;
  /** Needs the token of a session as a header. */
  token: boolean;
  fields: BuilderField[];
};

export type BuilderPage = {
  /** In production requests are only written down, never signed or sent from here. */
  sends: boolean;
  merchant: { id: string; name: string } | null;
  merchants: { id: string; name: string }[];
  keyName: string | null;
  actions: BuilderAction[];
};

export type BuiltRequest = {
  hash: string | null;
  signed: SignedPart[] | null;
  formula: string | null;
  code: { id: string; title: string; text: string }[];
};

export type BuilderResponse = { status: number; durationMs: number; text: string; request: string | null };
