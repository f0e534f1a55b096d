// Exports for pages, apps and servers. React's component and the server's part have entries of their own.

export type { Outcome, ReturnAddresses } from './address';
export { type OpenOptions, openPayment, reportOutcome } from './browser';
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  type FollowUpOptions,
  type ForwardedOptions,
  initialize,
  type SignedOptions,
} from './client';
export type * from './contract';
export { type FaultCode, FlorinError, type FlorinErrorDetails } from './errors';
export { createPaymentView, type NativePaymentViewProps, type ReactLike } from './react-native';
export type { Fetch } from './send';
export type { Digest } from './sign';
