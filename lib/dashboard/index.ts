// The dashboard's server side: one folder per noun with queries, actions and the contract with its pages. Owns no
// tables: it reads those of other rooms and changes them through their functions. May import the rooms before it: core
// to sandbox.
export { account, requiredEnrolment } from './account/account';
export { brandingPage } from './branding/branding';
export { callbackSummary, dayIn } from './callbacks/callbacks';
export { findUsableKey } from './developers/documentation-key';
export { debuggerPage } from './developers/hash-debugger';
export { builderPage } from './developers/request-builder';
export { merchantScope, type PageContext } from './guard';
export { type ListName, lists } from './lists/all';
export { readZone } from './lists/query';
export { type ListRequest, listView, readList } from './lists/resource';
export { mappingPage } from './mappings/mappings';
export { merchantChoices } from './merchants/choices';
export { keyList } from './merchants/keys';
export { merchantPage } from './merchants/merchants';
export { midChoices } from './mids/choices';
export { midPage } from './mids/page';
export { actionCounts } from './overview/attention';
export { overview } from './overview/overview';
export { enrolPath, homePath, paymentsPath, safeNext, secondStepPath, signInPath } from './paths';
export { paymentPage } from './payments/payment';
export { merchantName } from './payments/queries';
export { viewsOf } from './payments/views';
export { chainPage } from './recurring/chains';
export { schedulePage } from './recurring/schedules';
export { dashboardRoutes } from './routes';
export { routingPage } from './routing/routing';
export { sessionPage } from './sessions/sessions';
export { tokenPage } from './tokens/tokens';
export { emailDelivery, invitationUrl, usersData } from './users/users';
export { walletPage, walletsPage } from './wallets/view';
