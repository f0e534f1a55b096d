// florin advisories: the registry's security advisories for the packages that are installed in production, read by npm
// audit from the lock file alone. High and critical ones fail unless they are in the list of exceptions.
import { spawnSync } from 'node:child_process';
import { root } from '../project.ts';
import { defineCommand } from './command.ts';

/** By the id of an advisory: why it does not apply, and the last day on which that counts (YYYY-MM-DD). */
export type Exceptions = { readonly [id: string]: { reason: string; until: string } };

/** Advisories that do not affect Florin. */
export const exceptions: Exceptions = {};

export const advisories = defineCommand({
  usage:
    'florin advisories: reads the advisories for the packages of production from the registry. Ends with 1 if one is high\n' +
    'or critical, unless scripts/commands/advisories.ts excepts it, and if they cannot be read.',
  run: async () => {
    const options = ['audit', '--package-lock-only', '--omit=dev', '--json'];
    const { stdout } = spawnSync('npm', options, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    const report: AuditReport = JSON.parse(stdout || '{}');
    if (!report.vulnerabilities) {
      throw new Error(`The advisories cannot be read: ${report.message ?? 'npm audit has printed no report'}.`);
    }
    const problems = problemsOf(report, exceptions, new Date().toISOString().slice(0, 10));
    for (const problem of problems) console.error(problem);
    if (problems.length > 0) return 1;
    console.log('No high or critical advisory for the packages of production.');
  },
});

type Advisory = { url: string; title: string; severity: string; name: string; range: string };
/** The report of npm audit, version 2: `via` has advisories, and names of packages that have one. */
type AuditReport = { message?: string; vulnerabilities?: { [name: string]: { via: (Advisory | string)[] } } };

/** One line for each high or critical advisory without a current exception, and each exception that has no use. */
export function problemsOf({ vulnerabilities = {} }: AuditReport, excepted: Exceptions, today: string): string[] {
  const reported = Object.values(vulnerabilities).flatMap(({ via }) => via.filter((each) => typeof each !== 'string'));
  const severe = new Map(
    reported.filter(({ severity }) => /^(high|critical)$/.test(severity)).map((each) => [idOf(each), each]),
  );
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
