// The Checkout, S2S CARD, S2S APM and hosted fields protocols: the pipeline of checks, the tables of actions, requests and responses.
// Owns no tables.
// May import the rooms before it: core to request-log.
export { checkoutRoutes } from './checkout/actions.ts';
export { processingSchema, processingShapes } from './hosted-fields/processing.ts';
export * from './pipeline/action-registry.ts';
export { type Action, checks, type KnownCaller, type Signature } from './pipeline/handle.ts';
export { fieldsOf, isFlag, unwrapSchema } from './pipeline/schema-introspection.ts';
export * from './pipeline/signature-inspection.ts';
export { apmRoutes } from './s2s-apm/actions.ts';
export {
  actionOf,
  actionParameter,
  apmDetailFields,
  isCryptoPayment,
  networkOf,
  quoteFields,
} from './s2s-apm/responses.ts';
export { cardRoutes } from './s2s-card/actions.ts';
export { modificationRecipe, signedValues } from './s2s-card/modifications.ts';
export { planSchema } from './s2s-card/schedule-fields.ts';
export { actionHelp, helpOf } from './shared/field-help.ts';
export { operationHeader, operationIdOf } from './shared/modifications.ts';
export { chainFields, descriptorOf, redirectFields } from './shared/s2s-responses.ts';
export * from './shared/wallets.ts';
export * from './shared/wire-fields.ts';
export { signedReturnUrl } from './shared/wire-fields.ts';
