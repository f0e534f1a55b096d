// What goes on to another merchant account, and what of the payer's 3-D Secure check goes along.
import { describe, expect, it } from 'vitest';
import type { DeclineClass } from '../../core/declines';
import { allowsFailover, mpiOf } from './failover';

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

describe('isWorthAnother', () => {
  it.each(table.trim().split('\n'))('%s', (line) => {
    const [group, softness, end] = line.split(/\s+/);
    const decline = { code: 'x', reason: 'x', class: group as DeclineClass, soft: softness === 'soft' };
    expect(allowsFailover(decline)).toBe(end === 'goes');
  });
});

describe('mpiOf', () => {
  const threeDS = { transStatus: 'Y', eci: '05', dsTransID: 'd', acsTransID: 'a', protocolVersion: '2.2.0' };
  const declined = { kind: 'declined', decline: {} as never, facts: {} } as const;

  it('tells the next provider what the first bank confirmed, in the words of mpi_data', () => {
    const wanted = { eci: '05', ds_trans_id: 'd', '3ds_version': '2.2.0', trans_status: 'Y' };
    expect(mpiOf({ providerData: { threeDS } }, declined)).toEqual(wanted);
    expect(mpiOf({ providerData: {} }, { ...declined, facts: { threeDS } })).toEqual(wanted);
  });

  it.each(['N', 'U', 'R', 'C'])('tells nothing of a payer who was not confirmed (%s)', (transStatus) => {
    expect(mpiOf({ providerData: { threeDS: { ...threeDS, transStatus } } }, declined)).toBeUndefined();
  });

  it('tells nothing where no check was made', () => {
    expect(mpiOf({ providerData: {} }, declined)).toBeUndefined();
  });
});
