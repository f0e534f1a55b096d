/** Every list of the dashboard by its name, which is the last part of its address. */
import { auditLog } from '../audit/audit-log';
import { callbacks } from '../callbacks/callbacks';
import { chargebacks } from '../disputes/list';
import { mappings, routing } from '../mappings/list';
import { merchants } from '../merchants/merchants';
import { mids } from '../mids/mids';
import { payments } from '../payments/payments';
import { payouts } from '../payouts/list';
import { chains } from '../recurring/chains';
import { schedules } from '../recurring/schedules';
import { requests } from '../requests/requests';
import { sessions } from '../sessions/sessions';
import { tokens } from '../tokens/tokens';
import { unresolved } from '../unresolved/list';

export const lists = {
  ...{ payments, sessions, payouts, chargebacks, unresolved, tokens, chains, schedules },
  ...{ callbacks, requests, merchants, mids, mappings, routing, 'audit-log': auditLog },
};

export type ListName = keyof typeof lists;
