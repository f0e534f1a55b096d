// The computed deployment: its arithmetic, what the simulation must show, and that the page has the present output.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { choices, costs, plan, planTable, simulate, simulationTable } from './capacity.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/operations/large-deployments.md'), 'utf8');

describe('plan', () => {
  it('computes each part from the costs of a sale', () => {
    const simple = {
      ...{ servingMs: 1, workerMs: 0.5, databaseMs: 2, rowsInserted: 3, rowsUpdated: 4 },
      ...{ walBytes: 10_000, storedBytes: 4_000, requestLogBytes: 1_000, networkBytes: 5_000 },
    };
    const chosen = {
      ...{ salesPerSecond: 1_000, peakHoursPerDay: 10, usedMost: 0.5, clusters: 2, coresPerCluster: 4 },
      ...{ requestLogDays: 10, onlineDays: 100, standbys: 2, providerSeconds: 2 },
    };
    const found = Object.entries(plan(chosen, simple)).map(([name, value]) => [name, Number(value.toFixed(9))]);
    expect(Object.fromEntries(found)).toEqual({
      ...{ serving: 2, workers: 1, databaseCores: 2, databaseUse: 0.25, rowsPerSecond: 7_000 },
      ...{ walMegabytesPerSecond: 10, walTerabytesPerDay: 0.36, salesPerDay: 36e6, tableTerabytesPerDay: 0.18 },
      // 100 days of 0.144 TB, and ten of 0.036.
      onlineTerabytes: 14.76,
      ...{ replicationGigabits: 0.16, processGigabits: 0.04, salesInProgress: 2_000 },
    });
  });

  it('has what is on the page', () => {
    expect(page).toContain(planTable());
    for (const cost of [costs.servingMs, costs.workerMs, costs.databaseMs, costs.walBytes, costs.storedBytes])
      expect(page).toContain(`| ${cost.toLocaleString('en')} `);
    expect(page).toContain(`${choices.peakHoursPerDay} hours`);
  });
});

describe('simulate', () => {
  const cluster = { serving: 5, workers: 3, cores: 8 };

  it('adds two commits to a sale at low load, each of a row for itself', () => {
    const { rows, p50, used, keepsUp } = simulate({ ...cluster, salesPerSecond: 20 });
    expect(rows).toBeLessThan(1.02);
    // Twice a turn, a set of one row and the standby: 2 * (0.1 + 0.98 + 1).
    expect(p50).toBeCloseTo(4.16, 0);
    // Five sets of 0.98 ms for each sale.
    expect(used).toBeCloseTo((20 * 5 * 0.98) / 8_000, 2);
    expect(keepsUp).toBe(true);
  });

  it('keeps up by sets where single rows do not', () => {
    const busy = { ...cluster, salesPerSecond: 2_500 };
    expect(simulate(busy)).toMatchObject({ keepsUp: true });
    expect(simulate({ ...busy, rows: 1 })).toMatchObject({ keepsUp: false });
  });

  it('has fewer sets that wait if fewer are under way', () => {
    const busy = { ...cluster, salesPerSecond: 2_500 };
    expect(simulate({ ...busy, underWay: 1 }).p50).toBeLessThan(simulate(busy).p50 / 2);
  });

  it('repeats itself', () => {
    const busy = { ...cluster, salesPerSecond: 1_000 };
    expect(simulate(busy)).toEqual(simulate(busy));
    expect(simulate(busy, 4, 2)).not.toEqual(simulate(busy));
  });

  it('has what is on the page', () => {
    expect(page).toContain(simulationTable());
  });
});
