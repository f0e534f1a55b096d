// Which declines fail over to another account, and which 3-D Secure results are passed on.
import { describe, expect, it } from 'vitest';
import type { DeclineClass } from '../../core/declines.ts';
import { allowsFailover, mpiOf } from './failover.ts';

const table = `
bank        soft  goes on
bank        hard  ends
funds       soft  goes on
funds       hard  ends
technical   soft  goes on
technical   hard  ends
data        soft  ends
data        hard  ends
unconfirmed soft  ends
unconfirmed hard  ends
`;

describe('allowsFailover', () => {
  it.each(table.trim().split('\n'))('%s', (line) => {
    const [group, softness, end] = line.split(/\s+/);
    const decline = { code: 'x', reason: 'x', class: group as DeclineClass, soft: softness === 'soft' };
    expect(allowsFailover(decline)).toBe(end === 'goes');
  });
});

describe('mpiOf', () => {
  const threeDS = { transStatus: 'Y', eci: '05', dsTransID: 'd', acsTransID: 'a', protocolVersion: '2.2.0' };
  const declined = { kind: 'declined', decline: {} as never, facts: {} } as const;

  it('passes the first authentication on to the next provider as mpi_data', () => {
    const wanted = { eci: '05', ds_trans_id: 'd', '3ds_version': '2.2.0', trans_status: 'Y' };
    expect(mpiOf({ providerData: { threeDS } }, declined)).toEqual(wanted);
    expect(mpiOf({ providerData: {} }, { ...declined, facts: { threeDS } })).toEqual(wanted);
  });

  it.each(['N', 'U', 'R', 'C'])('passes nothing on for a payer who was not authenticated (%s)', (transStatus) => {
    expect(mpiOf({ providerData: { threeDS: { ...threeDS, transStatus } } }, declined)).toBeUndefined();
  });

  it('passes nothing on without an authentication', () => {
    expect(mpiOf({ providerData: {} }, declined)).toBeUndefined();
  });
});
