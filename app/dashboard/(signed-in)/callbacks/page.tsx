import { Callbacks } from '../../../../components/dashboard/callbacks/callbacks';
import { may } from '../../../../lib/auth';
import { callbackSummary, dayIn } from '../../../../lib/dashboard';
import { listPage } from '../../list-page';

export const metadata = { title: 'Callbacks' };

export default listPage('callbacks', Callbacks, async (request) => ({
  summary: await callbackSummary(request),
  today: dayIn(request.zone, request.now),
  mayResend: may(request.viewer.role, 'callbacks.resend'),
  mayHold: may(request.viewer.role, 'callbacks.hold'),
}));
