// The dashboard's server side: one folder per noun with queries, actions and the contract with its pages. Owns no
// tables: it reads those of other rooms and changes them through their functions. May import the rooms before it: core
// to sandbox.
export { account, requiredEnrolment } from './account/account.ts';
export { actorNameOf, membersOf, sentenceOf } from './audit/labels.ts';
export { brandingPage } from './branding/branding.ts';
export { callbackSummary, dayIn } from './callbacks/callbacks.ts';
export { findUsableKey } from './developers/documentation-key.ts';
export { debuggerPage } from './developers/hash-debugger.ts';
export { builderPage } from './developers/request-builder.ts';
export { existing, waitMessage } from './errors.ts';
export { merchantScope, type PageContext, readForPage, type Wire } from './guard.ts';
export { type ListName, lists } from './lists/all.ts';
export { readZone } from './lists/query.ts';
export { listView, readList } from './lists/resource.ts';
export { mappingPage } from './mappings/mappings.ts';
export { keyList } from './merchants/keys.ts';
export { merchantPage } from './merchants/merchants.ts';
export { midChoices, midPage } from './mids/page.ts';
export { actionCounts } from './overview/attention.ts';
export { overview } from './overview/overview.ts';
export { enrolPath, homePath, lockedPath, paymentsPath, safeNext, secondStepPath, signInPath } from './paths.ts';
export { exportColumnNames } from './payments/export.ts';
export { nightlyExportPage, sendNightlyExports } from './payments/nightly-exports.ts';
export { paymentPage } from './payments/payment.ts';
export { merchantName } from './payments/queries.ts';
export { viewsOf } from './payments/views.ts';
export { uploadChoices } from './reconciliation/reports.ts';
export { chainPage } from './recurring/chains.ts';
export { schedulePage } from './recurring/schedules.ts';
export { recordRefusedAccess } from './refused-access.ts';
export { dashboardRoutes } from './routes.ts';
export { routingPage } from './routing/routing.ts';
export { sessionPage } from './sessions/sessions.ts';
export { tokenPage } from './tokens/tokens.ts';
export { emailDelivery, usersData } from './users/users.ts';
export { walletPage, walletsPage } from './wallets/view.ts';
