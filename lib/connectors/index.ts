// The contract with payment providers, the registry, and one file or folder per provider.
// Owns no tables: a connector is stateless.
// May import the rooms before it: core to http.

export { applePaySession, isApplePayGateway } from './apple-pay';
export type {
  CardData,
  CardWallet,
  ConnectionCheck,
  HttpSettings,
  ModificationRequest,
  Outcome,
  PayRequest,
} from './connector';
export { methodSettingsOf, publicIdMax, referenceShape, tokenShape } from './http';
export {
  capabilityShape,
  chargebackShape,
  contractTextMax,
  errorShape,
  moneyShape,
  notificationShape,
  presentShape,
  responseShape,
} from './http.wire';
export { connectorNames, findConnector } from './registry';
