// Everything that payers' browsers reach: the payment page, submission, live state, returns, provider notifications,
// hosted fields. Owns no tables. May import the rooms before it: core to openapi; only render.ts imports
// components/pay.

export { addressForm } from './address-form.ts';
export { renderPage, sampleNow, samples } from './render.ts';
export { warmPages } from './responses.ts';
export { payerRoutes } from './routes.ts';
