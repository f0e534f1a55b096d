// Exports for pages, apps and servers. React's component and the server's part have entries of their own.

export type { Outcome, ReturnAddresses } from './address.ts';
export { type OpenOptions, openPayment, reportOutcome } from './browser.ts';
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  type FollowUpOptions,
  type ForwardedOptions,
  initialize,
  type SignedOptions,
} from './client.ts';
export type * from './contract.ts';
export { type FaultCode, FlorinError, type FlorinErrorDetails } from './errors.ts';
export { createPaymentView, type NativePaymentViewProps, type ReactLike } from './react-native.ts';
export type { Fetch } from './send.ts';
export type { Digest } from './sign.ts';
