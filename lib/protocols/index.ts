// The Checkout, S2S CARD, S2S APM and hosted fields protocols: the pipeline of checks, the tables of actions, requests and responses.
// Owns no tables.
// May import the rooms before it: core to request-log.
export { checkoutRoutes } from './checkout/actions';
export { processingSchema, processingShapes } from './hosted-fields/processing';
export { actionRegistry, findRegisteredAction, type RegisteredAction } from './pipeline/action-registry';
export { type Action, checks, type KnownCaller, type Signature } from './pipeline/handle';
export { fieldsOf, isFlag, unwrapSchema } from './pipeline/schema-introspection';
export {
  bodyOf,
  executeRequest,
  fieldOf,
  inspectSignature,
  merchantOfKey,
  recipeOf,
  type SignatureInspection,
  textAt,
  valuesIn,
} from './pipeline/signature-inspection';
export { apmRoutes } from './s2s-apm/actions';
export {
  actionOf,
  actionParameter,
  apmDetailFields,
  isCryptoPayment,
  networkOf,
  quoteFields,
} from './s2s-apm/responses';
export { cardRoutes } from './s2s-card/actions';
export { modificationRecipe, signedValues } from './s2s-card/modifications';
export { planSchema } from './s2s-card/schedule-fields';
export { actionHelp, helpOf } from './shared/field-help';
export { operationHeader, operationIdOf } from './shared/modifications';
export { signedReturnUrl } from './shared/return-url';
export { chainFields, descriptorOf, redirectFields } from './shared/s2s-responses';
export { appleRequest, appleSession, googleRequest, paymentSummaryOf, walletInstrument } from './shared/wallets';
export {
  cardExpiry,
  cardMask,
  checkoutStatus,
  checkoutWireName,
  definedFields,
  type FieldSource,
  fullName,
  optionalFields,
  payeeFields,
  paymentMethod,
  s2sStatus,
  scheduleFields,
  selectOptionalFields,
} from './shared/wire-fields';
