// Data of the developer pages: requests, callbacks, signature explanations and the request builder. Times are ISO
// texts, amounts are text in their currency.
import type { callbackPage, callbackRow, callbackSummary } from '../callbacks/callbacks.ts';
import type { Answer } from '../guard.ts';
import type { requestPage, requestRow } from '../requests/requests.ts';
import type { verifyCallback } from './callback-verifier.ts';
import type { explanationOf } from './explanation.ts';
import type { debuggerPage, debugPasted } from './hash-debugger.ts';
import type { builderPage, sendRequest, signRequest } from './request-builder.ts';

export type { DeliveryStatus } from '../callbacks/callbacks.ts';

export type RequestRow = Answer<typeof requestRow>;
export type RequestPage = Answer<typeof requestPage>;

export type CallbackRow = Answer<typeof callbackRow>;
export type CallbackPage = Answer<typeof callbackPage>;
export type CallbackAttemptRow = CallbackPage['tried'][number];
export type CallbackSummary = Answer<typeof callbackSummary>;

/** An explanation of a signature. */
export type Explanation = Answer<typeof explanationOf>;

/** A value of a signed text as it is shown. The password is shown as dots. */
export type SignedPart = Explanation['ours'][number];

export type DebuggerPage = Answer<typeof debuggerPage>;

/** An answer of the hash debugger. `explanation` is null if there is nothing to explain; `said` gives the reason. */
export type DebuggerResult = NonNullable<DebuggerPage['debugged']> | Answer<typeof debugPasted>;

export type VerifierResult = Answer<typeof verifyCallback>;

export type BuilderPage = Answer<typeof builderPage>;
export type BuilderAction = BuilderPage['actions'][number];
export type BuilderField = BuilderAction['fields'][number];
export type BuiltRequest = Answer<typeof signRequest>;
export type BuilderResponse = Answer<typeof sendRequest>;
