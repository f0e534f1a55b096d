// The contract with payment providers, the registry, and one file or folder per provider.
// Owns no tables: a connector is stateless.
// May import the rooms before it: core to http.

export { applePaySession, isApplePayGateway } from './apple-pay.ts';
export * from './connector.ts';
export { methodSettingsOf, publicIdMax, referenceShape, tokenShape } from './http.ts';
export {
  capabilityShape,
  chargebackShape,
  contractTextMax,
  errorShape,
  moneyShape,
  notificationShape,
  responseShape,
} from './http.wire.ts';
export { presentShape } from './present.wire.ts';
export { connectorNames, findConnector } from './registry.ts';
