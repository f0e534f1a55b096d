// Security events: entries of the audit log in OCSF, to the log, by signed callback and by syslog.
// Owns event_sinks.
// May import the rooms before it: core to dashboard.
export { deliverEvents } from './deliver.ts';
export { sinkLags } from './lag.ts';
