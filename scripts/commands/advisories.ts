// florin advisories: the registry's security advisories, read by npm audit from the lock file alone. For the packages of
// production high and critical ones fail, for those that only build and test critical ones and malware: they run on
// machines that build. The list of exceptions has those that do not apply.
import { spawnSync } from 'node:child_process';
import { root } from '../project.ts';
import { defineCommand } from './command.ts';

/** By the id of an advisory: why it does not apply, and the last day on which that counts (YYYY-MM-DD). */
export type Exceptions = { readonly [id: string]: { reason: string; until: string } };

/** Advisories that do not affect Florin. */
export const exceptions: Exceptions = {};

export const advisories = defineCommand({
  usage:
    'florin advisories: reads the advisories for all packages from the registry. Ends with 1 if one for a package of production\n' +
    'is high or critical, or one for another package critical or malware, unless scripts/commands/advisories.ts excepts it,\n' +
    'and if they cannot be read.',
  run: async () => {
    const reports = { production: readReport('--omit=dev'), all: readReport('--include=dev') };
    const problems = problemsOf(reports, exceptions, new Date().toISOString().slice(0, 10));
    for (const problem of problems) console.error(problem);
    if (problems.length > 0) return 1;
    console.log('No high or critical advisory for the packages of production, and no critical one for the others.');
  },
});

function readReport(which: string): AuditReport {
  const options = ['audit', '--package-lock-only', which, '--json'];
  const { stdout } = spawnSync('npm', options, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const report: AuditReport = JSON.parse(stdout || '{}');
  if (report.vulnerabilities) return report;
  throw new Error(`The advisories cannot be read: ${report.message ?? 'npm audit has printed no report'}.`);
}

type Advisory = { url: string; title: string; severity: string; name: string; range: string; cwe?: string[] };
/** The report of npm audit, version 2: `via` has advisories, and names of packages that have one. */
type AuditReport = { message?: string; vulnerabilities?: { [name: string]: { via: (Advisory | string)[] } } };

type Reports = Record<'production' | 'all', AuditReport>;

const advisoriesIn = ({ vulnerabilities = {} }: AuditReport) =>
  Object.values(vulnerabilities).flatMap(({ via }) => via.filter((each) => typeof each !== 'string'));

/** CWE-506 is embedded malicious code. */
const isWorst = ({ severity, cwe }: Advisory) => severity === 'critical' || cwe?.includes('CWE-506');

/** One line for each advisory that fails without a current exception, and each exception that has no use. */
export function problemsOf({ production, all }: Reports, excepted: Exceptions, today: string): string[] {
  const high = advisoriesIn(production).filter(({ severity }) => severity === 'high');
  const severe = new Map([...high, ...advisoriesIn(all).filter(isWorst)].map((each) => [idOf(each), each]));
  const isCurrent = (id: string) => today <= (excepted[id]?.until ?? '');
  const open = [...severe].filter(([id]) => !isCurrent(id));
  const unused = Object.keys(excepted).filter((id) => !severe.has(id));
  return [
    ...open.map(([id, { name, range, severity, title }]) => {
      const ended = excepted[id] && ` The exception has ended on ${excepted[id].until}.`;
      return `${id}: ${severity}, ${name} ${range}: ${title}.${ended ?? ''}`;
    }),
    ...unused.map((id) => `${id}: no package has this advisory; remove the exception.`),
  ];
}

/** GHSA-..., the last part of the advisory's address. */
const idOf = ({ url }: Advisory) => url.slice(url.lastIndexOf('/') + 1);
