/**
 * The actions of the audit log, in one table: their kind for the filter of the dashboard, their result, and their class
 * and activity in OCSF 1.8 for security events (lib/events). A test compares the table with the code.
 */

/** The kinds of the filter, with their labels. */
export const auditKinds = {
  sign_in: 'Sign-in',
  access: 'Access and rights',
  keys: 'Keys',
  configuration: 'Configuration',
  money: 'Money',
  exports: 'Exports',
} as const;

export type AuditKind = keyof typeof auditKinds;
/** The results, with their labels. */
export const auditResults = { success: 'Success', failure: 'Failure', refused: 'Refused' } as const;
export type AuditResult = keyof typeof auditResults;

/** What an action is in OCSF: `[class, activity]`. */
export type OcsfType = readonly [classUid: 3001 | 3002 | 3004 | 6003, activityId: number];

type ActionRow = {
  kind: AuditKind;
  ocsf: OcsfType;
  /** The default is success. */
  result?: AuditResult;
  /** OCSF's `severity_id`. The default is 1, informational; 3, medium, where the result is not success. */
  severity?: 1 | 2 | 3 | 4;
};

const authentication = { signIn: [3002, 1], signOut: [3002, 2] } as const;
const account = {
  ...({ create: [3001, 1], enable: [3001, 2], passwordChange: [3001, 3], passwordReset: [3001, 4] } as const),
  ...({ disable: [3001, 5], delete: [3001, 6], lock: [3001, 9], factorOn: [3001, 10] } as const),
  ...({ factorOff: [3001, 11], unlock: [3001, 12], other: [3001, 99] } as const),
};
const entity = {
  ...({ create: [3004, 1], read: [3004, 2], update: [3004, 3], delete: [3004, 4] } as const),
  ...({ enable: [3004, 8], disable: [3004, 9], suspend: [3004, 12], resume: [3004, 13] } as const),
};
const api = { create: [6003, 1], read: [6003, 2], update: [6003, 3], other: [6003, 99] } as const;

const rows = <Name extends string>(kind: AuditKind, actions: Record<Name, OcsfType | Omit<ActionRow, 'kind'>>) =>
  Object.fromEntries(
    Object.entries<OcsfType | Omit<ActionRow, 'kind'>>(actions).map(([name, action]) => [
      name,
      { kind, ...('ocsf' in action ? action : { ocsf: action }) },
    ]),
  ) as unknown as Record<Name, ActionRow>;

/** The actions by name. A name with `.refused` behind it is the refusal of the action. */
const auditActions = {
  ...rows('sign_in', {
    sign_in: authentication.signIn,
    'sign_in.failed': { ocsf: authentication.signIn, result: 'failure' },
    'sign_in.refused': { ocsf: authentication.signIn, result: 'refused' },
    'sign_in.locked': { ocsf: account.lock, result: 'failure', severity: 4 },
    'proof.wrong': { ocsf: authentication.signIn, result: 'failure' },
    sign_out: authentication.signOut,
    'session.unlock': authentication.signIn,
    'session.end': authentication.signOut,
    'session.end_others': authentication.signOut,
    'invitation.accept': account.create,
    'password.change': account.passwordChange,
    'password.forgotten': account.passwordReset,
    'password.reset': account.passwordReset,
    'second_factor.set_up': account.factorOn,
    'second_factor.replace': account.factorOn,
    'second_factor.switch_off': { ocsf: account.factorOff, severity: 3 },
    'recovery_codes.renew': account.factorOn,
    'passkey.add': account.factorOn,
    'passkey.rename': account.other,
    'passkey.remove': { ocsf: account.factorOff, severity: 3 },
    'passkey.counter': { ocsf: authentication.signIn, result: 'failure', severity: 4 },
  }),
  ...rows('access', {
    'access.refused': { ocsf: api.other, result: 'refused' },
    'address.refused': { ocsf: api.other, result: 'refused' },
    'signature.refused': { ocsf: api.other, result: 'refused' },
    'notification.refused': { ocsf: api.other, result: 'refused' },
    'upload.infected': { ocsf: api.other, result: 'refused', severity: 4 },
    'upload.unscanned': { ocsf: api.other, result: 'refused' },
    'invitation.send': account.create,
    'invitation.resend': account.other,
    'invitation.withdraw': account.delete,
    'person.role': { ocsf: account.other, severity: 3 },
    'person.disable': account.disable,
    'person.enable': account.enable,
    'person.end_sessions': account.other,
    'person.reset_second_factor': { ocsf: account.factorOff, severity: 3 },
  }),
  ...rows('keys', {
    'key.create': entity.create,
    'key.rotate': entity.update,
    'key.end': entity.delete,
    'key.reveal': { ocsf: entity.read, severity: 3 },
    'wallet.key_add': entity.update,
    'wallet.key_remove': entity.update,
    'wallet.key_prefer': entity.update,
    'wallet.request_processing': entity.update,
    'wallet.request_identity': entity.update,
    'wallet.certificate_processing': entity.update,
    'wallet.certificate_identity': entity.update,
    'wallet.remove_processing': entity.update,
    'wallet.remove_identity': entity.update,
    'vault.rotate': { ocsf: entity.update, severity: 3 },
    'vault.replace_lost_key': { ocsf: entity.update, severity: 4 },
    'vault.find': { ocsf: entity.read, severity: 3 },
  }),
  ...rows('configuration', {
    'merchant.create': entity.create,
    'merchant.change': entity.update,
    'merchant.switch_on': entity.enable,
    'merchant.switch_off': entity.disable,
    'mid.create': entity.create,
    'mid.change': entity.update,
    'mid.check': entity.read,
    'mid.switch_on': entity.enable,
    'mid.switch_off': entity.disable,
    'settlement_mapping.change': entity.update,
    'settlement_limits.change': entity.update,
    'mapping.create': entity.create,
    'mapping.change': entity.update,
    'mapping.switch_on': entity.enable,
    'mapping.switch_off': entity.disable,
    'routing.publish': entity.update,
    'routing.draft.save': entity.update,
    'routing.draft.rebase': entity.update,
    'routing.draft.discard': entity.delete,
    'look.publish': entity.update,
    'theme.create': entity.create,
    'theme.publish': entity.update,
    'theme.delete': entity.delete,
    'wallet.create': entity.create,
    'wallet.change': entity.update,
    'wallet.switch_on': entity.enable,
    'wallet.switch_off': entity.disable,
    'wallet.remove': entity.delete,
    'wallet.check': entity.read,
    'wallet.domain': entity.update,
    'wallet.domain_check': entity.update,
    'wallet.domain_remove': entity.update,
    'callbacks.hold': entity.suspend,
    'callbacks.release': entity.resume,
    'audit_log.anchor': entity.read,
    'ledger.close': entity.read,
    'ledger.acknowledge': { ocsf: entity.update, severity: 4 },
    'audit_log.restart': { ocsf: entity.update, severity: 4 },
  }),
  ...rows('money', {
    'payment.capture': api.update,
    'payment.refund': api.update,
    'payment.void': api.update,
    'payment.release': api.update,
    'payment.ask': api.read,
    'unresolved.close': api.update,
    'settlement_report.import': api.create,
    'settlement_difference.explain': api.update,
    'settlement_difference.adjust': api.update,
    'settlement_difference.accept': api.update,
    'settlement_difference.approve': api.update,
    'settlement_difference.reject': api.update,
    'schedule.create': api.create,
    'schedule.change': api.update,
    'schedule.pause': api.update,
    'schedule.run': api.update,
    'schedule.delete': api.update,
    'schedule.deschedule': api.update,
    'token.remove': api.update,
    'callback.resend': api.update,
    'callbacks.resend': api.update,
    'request.send': api.create,
  }),
  ...rows('exports', {
    'payments.export': { ocsf: entity.read, severity: 2 },
    'payments.nightly_export': { ocsf: entity.update, severity: 2 },
    'payments.archive': { ocsf: entity.delete, severity: 2 },
    'payment.evidence': { ocsf: entity.read, severity: 2 },
    'audit_log.read': entity.read,
    'audit_log.export': { ocsf: entity.read, severity: 2 },
  }),
};

/** A row of the table. */
export type AuditAction = keyof typeof auditActions;
/** The action of an entry: a row of the table, or its refusal. */
export type AuditActionName = AuditAction | `${AuditAction}.refused`;

const known: Readonly<Record<string, ActionRow>> = auditActions;
const refusedEnd = '.refused';

/** The row of an action; of an unknown one, which only earlier releases wrote, an update of an object. */
export function auditActionOf(action: string): ActionRow & { result: AuditResult; severity: number } {
  const refused = !(action in known) && action.endsWith(refusedEnd);
  const base = known[refused ? action.slice(0, -refusedEnd.length) : action];
  const result = refused ? 'refused' : (base?.result ?? 'success');
  const { severity = result === 'success' ? 1 : 3, ...row } = base ?? {
    kind: 'configuration',
    ocsf: [3004, 99] as const,
  };
  return { ...row, severity, result };
}

/** The names of a kind's actions, and of their refusals. */
export function actionsOfKind(kind: string): string[] {
  const names = Object.keys(known).filter((name) => known[name]?.kind === kind);
  return names.flatMap((name) => (name.endsWith(refusedEnd) ? [name] : [name, name + refusedEnd]));
}
