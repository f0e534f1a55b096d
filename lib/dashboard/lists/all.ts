/** Every list of the dashboard by its name, which is the last part of its address. */
import { auditLog } from '../audit/audit-log.ts';
import { callbacks } from '../callbacks/callbacks.ts';
import { chargebacks } from '../disputes/list.ts';
import { mappings, routing } from '../mappings/mappings.ts';
import { merchants } from '../merchants/merchants.ts';
import { mids } from '../mids/mids.ts';
import { payments } from '../payments/payments.ts';
import { payouts } from '../payouts/list.ts';
import { differences } from '../reconciliation/differences.ts';
import { reports } from '../reconciliation/reports.ts';
import { chains } from '../recurring/chains.ts';
import { schedules } from '../recurring/schedules.ts';
import { requests } from '../requests/requests.ts';
import { sessions } from '../sessions/sessions.ts';
import { tokens } from '../tokens/tokens.ts';
import { unresolved } from '../unresolved/list.ts';

export const lists = {
  payments,
  sessions,
  payouts,
  chargebacks,
  unresolved,
  differences,
  reports,
  tokens,
  chains,
  schedules,
  callbacks,
  requests,
  merchants,
  mids,
  mappings,
  routing,
  'audit-log': auditLog,
};

export type ListName = keyof typeof lists;
