// Labels of a MID's settings that more than its form shows.
import type { PaymentMode } from '../../../lib/dashboard/mids/contract';
import type { Option } from '../ui';

export const modeNames: Readonly<Record<PaymentMode, string>> = { sms: 'SMS', dms: 'DMS', sms_dms: 'SMS/DMS' };

export const modeOptions: readonly Option[] = [
  { value: 'sms', label: modeNames.sms, help: 'Sale only' },
  { value: 'dms', label: modeNames.dms, help: 'Authorise now, capture later' },
  { value: 'sms_dms', label: modeNames.sms_dms, help: 'The request decides' },
];
