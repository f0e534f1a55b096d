// Data of the developer pages: requests, callbacks, signature explanations and the request builder. Times are ISO
// texts, amounts are text in their currency.

export type RequestRow = {
  id: string;
  at: string;
  protocol: string;
  action: string;
  status: number;
  /** carried: processed. refused: refused by the contract. failed: an internal error. */
  outcome: 'carried' | 'refused' | 'failed';
  errorCode: number | null;
  orderNumber: string | null;
  paymentId: string | null;
  durationMs: number;
  merchantName: string | null;
  /** The request was refused for its signature, which the hash debugger can explain. */
  explainable: boolean;
};

export type RequestPage = RequestRow & {
  /** Why it was refused, as text; null if it was processed. */
  refusedBy: string | null;
  path: string;
  address: string;
  mediaType: string | null;
  userAgent: string | null;
  request: { text: string; language: 'json' | 'form' | 'text' };
  response: { text: string; language: 'json' | 'text' };
  curl: string;
};

/** The delivery state of a callback: from its answer and what comes next. */
export type DeliveryStatus = 'received' | 'error' | 'refused' | 'none' | 'waiting';

export type CallbackRow = {
  id: string;
  createdAt: string;
  mark: DeliveryStatus;
  /** `200`, `timeout`, `in progress`. */
  answer: string;
  orderNumber: string;
  paymentId: string;
  /** `sale, success,` followed by the order status. */
  type: string;
  outcome: string;
  orderStatus: string;
  amount: string;
  currency: string;
  tries: number;
  state: 'waiting' | 'delivered' | 'failed' | 'undelivered';
  host: string | null;
  held: boolean;
  /** Until when deliveries to the address pause after timeouts; null if they do not. */
  pausedUntil: string | null;
  lastTry: string | null;
  nextTry: string | null;
  merchantName: string;
};

export type CallbackAttemptRow = {
  at: string;
  mark: 'received' | 'error' | 'refused';
  /** `502 Bad Gateway`, `No response within 10 s`. */
  title: string;
  answer: string | null;
  headers: string | null;
  durationMs: number;
};

/** The verified hash of a callback; `texts` has further remarks. */
export type SentSignature = { valid: boolean; title: string; texts: string[] };

export type CallbackPage = CallbackRow & {
  url: string | null;
  address: string | null;
  merchantId: string;
  title: string;
  tried: CallbackAttemptRow[];
  triesMost: number;
  /** Times of the attempts after the next one, as planned now. */
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

/** A value of a signed text as it is shown. The password is shown as dots. */
export type SignedPart = { text: string; label: string; secret: boolean; changed: boolean };

/** An explanation of a signature. */
export type Explanation = {
  right: boolean;
  /** `The hash is right`, `The amount was signed as 10 but sent as 10.00`. */
  title: string;
  advice: string;
  /** The contract's formula. */
  formula: string;
  ours: SignedPart[];
  theirs: SignedPart[] | null;
  steps: { name: string; text: string }[];
  expected: string;
  received: string;
  /** Whether the expected hash is shown in full: only to users who may send signed requests. */
  whole: boolean;
  tried: { name: string; matches: boolean }[];
  code: { id: string; title: string; text: string }[];
};

/** An answer of the hash debugger. `explanation` is null if there is nothing to explain; `said` gives the reason. */
export type DebuggerResult = {
  request: RequestRow | null;
  message: string | null;
  explanation: Explanation | null;
  said: { title: string; text: string; faults: string[] } | null;
  earlier: string | null;
  later: string | null;
};

export type DebuggerPage = {
  /** The newest refused signatures to choose from. */
  recent: RequestRow[];
  debugged: DebuggerResult | null;
  actions: { protocol: string; action: string }[];
};

export type VerifierResult = {
  protocol: string;
  /** The payment of the callback, if it is known here. */
  paymentId: string | null;
  explanation: Explanation;
  /** The result for the webhook headers; not right if they are missing. */
  webhook: { right: boolean; title: string; text: string };
  notes: string[];
};

export type BuilderField = {
  path: string;
  kind: 'text' | 'choice' | 'json';
  choices: string[];
  required: boolean;
  /** Shown from the start although not required. */
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
  /** Requires a session token as a header. */
  token: boolean;
  fields: BuilderField[];
};

export type BuilderPage = {
  /** Production requests are only shown as code, never signed or sent from here. */
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
