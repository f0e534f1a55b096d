/** Every route of the dashboard's data, with the permission that it requires. */
import { merchantOf } from '../auth/index.ts';
import type { Route } from '../http/index.ts';
import { findMerchantNames } from '../merchants/index.ts';
import * as account from './account/account.ts';
import * as passkeys from './account/passkeys.ts';
import { exportAuditLog, verifyChain } from './audit/audit-log.ts';
import * as branding from './branding/branding.ts';
import { logoBytesMax } from './branding/options.ts';
import { brandingPreview } from './branding/preview.ts';
import * as themes from './branding/themes.ts';
import * as callbacks from './callbacks/callbacks.ts';
import { verifyCallback } from './developers/callback-verifier.ts';
import * as hashDebugger from './developers/hash-debugger.ts';
import * as builder from './developers/request-builder.ts';
import { type DashboardRequest, type GuardedRoute, guarded, route } from './guard.ts';
import { lists } from './lists/all.ts';
import { readList } from './lists/resource.ts';
import * as mappings from './mappings/mappings.ts';
import * as keys from './merchants/keys.ts';
import * as merchants from './merchants/merchants.ts';
import { newMerchantInput, rotateInput } from './merchants/schema.ts';
import { checkAction } from './mids/connection.ts';
import * as mids from './mids/mids.ts';
import { midPage } from './mids/page.ts';
import { actionCounts } from './overview/attention.ts';
import { breakdown } from './overview/breakdown.ts';
import { overview } from './overview/overview.ts';
import { homePath } from './paths.ts';
import * as payments from './payments/actions.ts';
import { evidenceFile } from './payments/evidence.ts';
import { exportPayments } from './payments/export.ts';
import { ledgerEntries } from './payments/ledger-entries.ts';
import { nightlyAction, nightlyExportFile, nightlyExportPage } from './payments/nightly-exports.ts';
import { paymentPage } from './payments/payment.ts';
import { paymentChoices, paymentCount } from './payments/payments.ts';
import * as views from './payments/views.ts';
import * as differences from './reconciliation/differences.ts';
import { reportBytesMax, reportPage, uploadAction } from './reconciliation/reports.ts';
import * as reconciliation from './reconciliation/settings.ts';
import { chainPage } from './recurring/chains.ts';
import * as schedules from './recurring/schedules.ts';
import { requestPage } from './requests/requests.ts';
import * as routing from './routing/routing.ts';
import { sessionPage } from './sessions/sessions.ts';
import { onboardingRoutes, signInRoutes } from './sign-in/routes.ts';
import * as tokens from './tokens/tokens.ts';
import { closeAction } from './unresolved/list.ts';
import * as users from './users/users.ts';
import * as wallets from './wallets/actions.ts';
import * as apple from './wallets/apple.ts';
import { walletPage, walletsPage } from './wallets/view.ts';

const confirmed = { confirmed: true } as const;
const enrolling = { enrolling: true } as const;
const costly = { costly: true } as const;
const pastedText = { bodyBytesMax: 256 * 1024, ...costly };
const certificateFiles = {
  confirmed: true,
  bodyBytesMax: 160 * 1024,
  files: { certificate: 'base64', privateKey: 'base64' },
} as const;
const domainFile = { bodyBytesMax: 40 * 1024, files: { file: 'utf8' } } as const;
const keyText = { confirmed: true, files: { privateKey: 'utf8' } } as const;
/** Room for a logo in Base64 and texts in every language. */
const logoFile = {
  bodyBytesMax: Math.ceil((logoBytesMax * 4) / 3) + 64 * 1024,
  files: { 'logo.file': 'base64' },
  ...costly,
} as const;
/** Room for a report in Base64. */
const reportFile = {
  bodyBytesMax: Math.ceil((reportBytesMax * 4) / 3) + 4 * 1024,
  files: { file: 'base64' },
  ...costly,
} as const;
/** Enough for a hundred rules with long lists of countries. */
const rules = { bodyBytesMax: 512 * 1024, valuesMax: 100_000 };

const merchantsMax = 20;

// Not limited to the selected merchant, because it selects another one.
async function merchantsToPick({ viewer, query }: DashboardRequest) {
  const names = await findMerchantNames((query.get('q') ?? '').slice(0, 100), merchantOf(viewer), merchantsMax + 1);
  return { merchants: names.slice(0, merchantsMax), more: names.length > merchantsMax };
}

/** The paths of the dashboard's data, without their common prefix. */
export const dashboardTable: readonly GuardedRoute[] = [
  // A user's own account: every role has one.
  route('GET /account', 'own.change', account.account),
  route('GET /confirm', 'own.change', async () => ({}), confirmed),
  route('POST /confirm', 'own.change', account.confirmAction),
  route('POST /account/password', 'own.change', account.changePassword, costly),
  route('POST /account/sessions/end-others', 'own.change', account.endSessionsElsewhere, confirmed),
  route('POST /account/sessions/:id/end', 'own.change', account.endOwnSession, confirmed),
  route('POST /account/second-factor/begin', 'own.change', account.beginSecondFactor, enrolling),
  route('POST /account/second-factor/finish', 'own.change', account.finishSecondFactor, {
    enrolling: true,
    costly: true,
  }),
  route('POST /account/second-factor/codes', 'own.change', account.regenerateCodes, costly),
  route('POST /account/second-factor/switch-off', 'own.change', account.disableSecondFactor),
  route('POST /account/passkeys/begin', 'own.change', passkeys.beginPasskey, enrolling),
  route('POST /account/passkeys/finish', 'own.change', passkeys.finishPasskey, { enrolling: true, costly: true }),
  route('POST /account/passkeys/:id', 'own.change', passkeys.changePasskey),
  route('POST /account/passkeys/:id/remove', 'own.change', passkeys.deletePasskey),

  // Creating an account or granting more rights requires a recent proof of identity.
  route('GET /people', 'users.read', users.usersData),
  route('POST /people/invite', 'users.change', users.inviteUser, { confirmed: users.inviteForm }),
  route('POST /people/invitations/:id/resend', 'users.change', users.resendInvitation, confirmed),
  route('POST /people/invitations/:id/withdraw', 'users.change', users.withdrawInvitationAction),
  route('POST /people/:id/role', 'users.change', users.changeRole, { confirmed: users.roleForm }),
  route('POST /people/:id/disable', 'users.change', users.disableUser),
  route('POST /people/:id/enable', 'users.change', users.enableUser, confirmed),
  route('POST /people/:id/sessions', 'users.change', users.endUserSessions),
  route('POST /people/:id/second-factor', 'users.change', users.resetSecondFactor, confirmed),

  route('GET /audit-log/chain', 'audit.verify', verifyChain, costly),
  route('GET /audit-log/export', 'audit.read', exportAuditLog, costly),

  route('GET /requests/:id', 'developers.read', requestPage),
  route('GET /callbacks/summary', 'developers.read', callbacks.callbackSummary),
  route('GET /callbacks/:id', 'developers.read', callbacks.callbackPage),
  route('POST /callbacks/resend', 'callbacks.resend', callbacks.resendAll, costly),
  route('POST /callbacks/hold', 'callbacks.hold', callbacks.pauseAction),
  route('GET /hash-debugger', 'developers.read', hashDebugger.debuggerPage, costly),
  route('POST /hash-debugger', 'developers.read', hashDebugger.debugPasted, pastedText),
  route('POST /callback-verifier', 'developers.read', verifyCallback, pastedText),
  route('GET /request-builder', 'developers.send', builder.builderPage),
  route('POST /request-builder/sign', 'developers.send', builder.signRequest, pastedText),
  route('POST /request-builder/send', 'developers.send', builder.sendRequest, pastedText),

  route('POST /mappings', 'settings.change', mappings.createAction),
  route('GET /mappings/:id', 'settings.read', mappings.mappingPage),
  route('POST /mappings/:id', 'settings.change', mappings.changeAction, { checkable: true }),

  route('GET /routing/:mappingId', 'settings.read', routing.routingPage),
  route('GET /routing/:mappingId/hits', 'settings.read', routing.ruleHits),
  route('POST /routing/:mappingId/draft', 'settings.change', routing.saveDraftAction, rules),
  route('POST /routing/:mappingId/discard', 'settings.change', routing.discardAction),
  route('POST /routing/:mappingId/rebase', 'settings.change', routing.rebaseAction),
  route('POST /routing/:mappingId/dry-run', 'settings.change', routing.dryRunAction, costly),
  route('POST /routing/:mappingId/publish', 'settings.change', routing.publishAction, confirmed),

  route('GET /look', 'branding.change', branding.brandingPage),
  route('GET /look/:id', 'branding.change', branding.brandingView),
  route('POST /look/:id', 'branding.change', branding.publishAction, logoFile),
  route('GET /look/:id/preview', 'branding.change', brandingPreview),
  route('POST /look/:id/themes', 'branding.change', themes.createAction),
  route('GET /look/:id/themes/:theme', 'branding.change', branding.brandingView),
  route('POST /look/:id/themes/:theme', 'branding.change', branding.publishAction, logoFile),
  route('GET /look/:id/themes/:theme/preview', 'branding.change', brandingPreview),
  route('POST /look/:id/themes/:theme/delete', 'branding.change', themes.deleteAction),

  route('POST /merchants', 'merchants.create', merchants.createAction, { confirmed: newMerchantInput }),
  route('GET /merchants/:id', 'settings.read', merchants.merchantPage),
  route('POST /merchants/:id', 'settings.change', merchants.changeAction, { checkable: true }),
  route('POST /merchants/:id/switch', 'settings.change', merchants.switchAction),
  route('GET /merchants/:id/keys', 'keys.read', keys.keyList),
  route('POST /merchants/:id/keys', 'keys.change', keys.createKeyAction, confirmed),
  route('POST /merchants/:id/keys/:key/rotate', 'keys.change', keys.rotateKeyAction, { confirmed: rotateInput }),
  route('POST /merchants/:id/keys/:key/end', 'keys.change', keys.endKeyAction),
  route('POST /merchants/:id/keys/:key/reveal', 'keys.change', keys.revealAction, confirmed),

  route('POST /mids', 'settings.change', mids.createAction),
  // For a MID that is not created yet.
  route('POST /mids/check', 'settings.change', checkAction),
  route('GET /mids/:id', 'settings.read', midPage),
  route('POST /mids/:id', 'settings.change', mids.changeAction, { checkable: true }),
  route('POST /mids/:id/switch', 'settings.change', mids.switchAction),
  route('POST /mids/:id/check', 'settings.change', checkAction),

  ...Object.values(lists).map((list) =>
    route(`GET /${list.name}`, list.right ?? 'payments.read', (request) => readList(list, request)),
  ),
  route('GET /sessions/:id', 'payments.read', sessionPage),
  route('POST /unresolved/:id/close', 'unresolved.close', closeAction),
  route('POST /differences/:id/explain', 'reconciliation.write', differences.explainAction),
  route('POST /differences/:id/adjust', 'reconciliation.write', differences.adjustAction),
  route('POST /differences/:id/accept', 'reconciliation.write', differences.acceptAction),
  route('POST /differences/:id/approve', 'reconciliation.write', differences.approveAction),
  route('POST /differences/:id/reject', 'reconciliation.write', differences.rejectAction),
  route('POST /reports', 'reconciliation.write', uploadAction, reportFile),
  route('GET /reports/:id', 'reconciliation.read', reportPage),
  route('GET /settlement-mappings/:id', 'settings.read', reconciliation.mappingPage),
  route('POST /settlement-mappings/:id', 'settings.change', reconciliation.mappingAction),
  route('GET /settlement-limits/:id', 'settings.read', reconciliation.limitsPage),
  route('POST /settlement-limits/:id', 'settings.change', reconciliation.limitsAction, confirmed),
  route('GET /tokens/:id', 'payments.read', tokens.tokenPage),
  route('POST /tokens/:id/remove', 'tokens.remove', tokens.removeAction),
  route('GET /chains/:id', 'payments.read', chainPage),
  route('POST /schedules', 'schedules.change', schedules.createAction),
  route('GET /schedules/:id', 'payments.read', schedules.schedulePage),
  route('GET /schedules/:id/preview', 'payments.read', schedules.schedulePreview, costly),
  route('GET /schedules/:id/effect', 'payments.read', schedules.changeEffect),
  route('GET /schedules/:id/subscriptions', 'payments.read', schedules.scheduleSubscribers),
  route('GET /schedules/:id/charges', 'payments.read', schedules.scheduleCharges),
  route('POST /schedules/:id/change', 'schedules.change', schedules.changeAction),
  route('POST /schedules/:id/pause', 'schedules.change', schedules.pauseAction),
  route('POST /schedules/:id/run', 'schedules.change', schedules.runAction),
  route('POST /schedules/:id/delete', 'schedules.change', schedules.deleteAction),
  route('POST /schedules/:id/deschedule', 'schedules.change', schedules.descheduleAction),

  route('GET /overview', 'payments.read', overview),
  route('GET /overview/breakdown', 'payments.read', breakdown),
  route('GET /attention/counts', 'payments.read', ({ scope, now }) => actionCounts(scope, now)),
  route('GET /merchants-to-pick', 'settings.read', merchantsToPick),

  route('GET /payments/count', 'payments.read', paymentCount),
  route('GET /payments/choices', 'payments.read', ({ scope }) => paymentChoices(scope)),
  route('GET /payments/export', 'payments.export', exportPayments, costly),
  route('GET /payments/views', 'payments.read', ({ viewer }) => views.viewsOf(viewer)),
  route('POST /payments/views', 'own.change', views.createView),
  route('POST /payments/views/:id', 'own.change', views.changeView),
  route('POST /payments/views/:id/delete', 'own.change', views.deleteView),
  route('POST /payments/views/:id/nightly', 'payments.export', nightlyAction),
  route('GET /payments/views/:id/:day', 'payments.export', nightlyExportPage),
  route('GET /payments/views/:id/:day/file', 'payments.export', nightlyExportFile, costly),
  route('GET /payments/:id', 'payments.read', paymentPage),
  route('GET /payments/:id/entries', 'payments.read', ledgerEntries),
  route('GET /payments/:id/evidence', 'payments.read', evidenceFile, costly),
  route('POST /payments/:id/capture', 'payments.capture', payments.captureAction),
  route('POST /payments/:id/refund', 'payments.refund', payments.refundAction),
  route('POST /payments/:id/void', 'payments.void', payments.voidAction),
  route('POST /payments/:id/ask', 'payments.sync', payments.syncWithProvider),
  route('POST /callbacks/:id/resend', 'callbacks.resend', payments.resendAction),

  route('GET /wallets', 'settings.read', walletsPage),
  route('POST /wallets', 'settings.change', wallets.createAction),
  route('GET /wallets/:id', 'settings.read', walletPage),
  route('POST /wallets/:id', 'settings.change', wallets.settingsAction),
  route('POST /wallets/:id/switch', 'settings.change', wallets.switchAction),
  route('POST /wallets/:id/remove', 'settings.change', wallets.removeAction),
  route('POST /wallets/:id/requests', 'settings.change', apple.requestAction),
  route('GET /wallets/:id/requests/:slot', 'settings.read', apple.requestFile),
  route('POST /wallets/:id/certificates', 'settings.change', apple.certificateAction, certificateFiles),
  route('POST /wallets/:id/certificates/remove', 'settings.change', apple.removeCertificateAction),
  route('POST /wallets/:id/validation', 'settings.change', apple.validationAction),
  route('POST /wallets/:id/domains', 'settings.change', apple.saveDomainAction, domainFile),
  route('POST /wallets/:id/domains/remove', 'settings.change', apple.removeDomainAction),
  route('POST /wallets/:id/domains/check', 'settings.change', apple.checkDomainAction),
  route('POST /wallets/:id/keys', 'settings.change', wallets.addKeyAction, keyText),
  route('POST /wallets/:id/keys/remove', 'settings.change', wallets.removeKeyAction),
  route('POST /wallets/:id/keys/prefer', 'settings.change', wallets.preferKeyAction, confirmed),
];

/** Every route of the dashboard. */
export const dashboardRoutes: Route[] = [
  ...signInRoutes,
  ...onboardingRoutes,
  ...dashboardTable.map((row) => guarded({ ...row, path: `${homePath}/api${row.path}` })),
];
