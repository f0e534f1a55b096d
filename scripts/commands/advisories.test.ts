// What a report of npm audit means: severe advisories fail, except those with a reason and a day that has not passed.
import { expect, it } from 'vitest';
import { exceptions, problemsOf } from './advisories.ts';

const advisory = (id: string, severity: string, name: string, cwe = 'CWE-1321') => {
  const url = `https://github.com/advisories/${id}`;
  const about = { title: 'Prototype pollution', url, severity, range: '<4.17.12', cwe: [cwe] };
  return { source: 1, name, dependency: name, ...about };
};

// The form of npm 11: a package lists its own advisories, and the packages that have one.
const production = {
  auditReportVersion: 2,
  vulnerabilities: {
    lodash: { via: [advisory('GHSA-aaaa', 'high', 'lodash'), advisory('GHSA-bbbb', 'moderate', 'lodash')] },
    parent: { via: ['lodash', advisory('GHSA-cccc', 'critical', 'parent')] },
    grandparent: { via: ['parent', advisory('GHSA-cccc', 'critical', 'parent')] },
  },
};
const report = { production, all: production };
const today = '2026-11-28';
const idsOf = (lines: string[]) => lines.map((line) => line.split(':')[0]);

it('names each severe advisory once, whichever packages have it', () => {
  expect(problemsOf(report, {}, today)).toEqual([
    'GHSA-aaaa: high, lodash <4.17.12: Prototype pollution.',
    'GHSA-cccc: critical, parent <4.17.12: Prototype pollution.',
  ]);
  expect(problemsOf({ production: { vulnerabilities: {} }, all: { vulnerabilities: {} } }, {}, today)).toEqual([]);
});

it('names critical advisories and malware of the packages that only build and test', () => {
  const tools = {
    via: [
      advisory('GHSA-dddd', 'high', 'tool'),
      advisory('GHSA-eeee', 'critical', 'tool'),
      advisory('GHSA-ffff', 'high', 'tool', 'CWE-506'),
    ],
  };
  const all = { vulnerabilities: { ...production.vulnerabilities, tools } };
  expect(idsOf(problemsOf({ production, all }, {}, today))).toEqual([
    'GHSA-aaaa',
    'GHSA-cccc',
    'GHSA-eeee',
    'GHSA-ffff',
  ]);
});

it('accepts an exception until its last day', () => {
  const until = (day: string) => ({ 'GHSA-aaaa': { reason: 'The input is ours.', until: day } });
  expect(idsOf(problemsOf(report, until('2026-11-28'), today))).toEqual(['GHSA-cccc']);
  expect(problemsOf(report, until('2026-11-27'), today)[0]).toMatch(
    /^GHSA-aaaa: .+ The exception has ended on 2026-11-27\.$/,
  );
});

it('refuses an exception that no advisory needs', () => {
  const unused = { 'GHSA-bbbb': { reason: 'Only moderate.', until: '2027-01-01' } };
  expect(problemsOf(report, unused, today)).toContain('GHSA-bbbb: no package has this advisory; remove the exception.');
});

it('has exceptions with a reason and an end', () => {
  for (const [id, { reason, until }] of Object.entries(exceptions)) {
    expect([id, reason, until]).toEqual([
      expect.stringMatching(/^GHSA-/),
      expect.stringMatching(/\w{3}/),
      expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    ]);
  }
});
