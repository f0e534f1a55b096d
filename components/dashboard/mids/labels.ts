// Labels of a MID's settings that more than its form shows.
import type { Option } from '../ui';

export const modeOptions: readonly Option[] = [
  { value: 'sms', label: 'SMS', help: 'Sale only' },
  { value: 'dms', label: 'DMS', help: 'Authorise now, capture later' },
  { value: 'sms_dms', label: 'SMS/DMS', help: 'The request decides' },
];
