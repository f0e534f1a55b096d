import { Callbacks } from '../../../../components/dashboard/callbacks/callbacks.tsx';
import { may } from '../../../../lib/auth/index.ts';
import { callbackSummary, dayIn } from '../../../../lib/dashboard/index.ts';
import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'Callbacks' };

export default listPage('callbacks', Callbacks, async (request) => ({
  summary: await callbackSummary(request),
  today: dayIn(request.zone, request.now),
  mayResend: may(request.viewer.role, 'callbacks.resend'),
  mayHold: may(request.viewer.role, 'callbacks.hold'),
}));
