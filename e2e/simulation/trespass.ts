// One merchant asks for what belongs to the other, with the right ids and its own valid signature.
import { oneOf } from '../chaos/seeded-random.ts';
import { type Merchant, merchants } from './merchants.ts';
import type { World } from './world.ts';

const turns = 4;

/** Sends such requests while the clients are served: none is accepted. */
export async function trespass(world: World) {
  const draw = world.chance.draws('trespass');
  for (let turn = 0; turn < turns; turn += 1) {
    await world.sleep(draw() ** 2 * 120_000);
    if (world.belongings.length === 0) continue;
    const { owner, requests } = oneOf(draw, world.belongings);
    const other = world.withKey(merchants.find(({ id }) => id !== owner.id) as Merchant);
    const [protocol, fields] = oneOf(draw, requests(other));
    const answer = await world.query(other, protocol, fields);
    const about = `${fields.action ?? 'status'} of ${fields.trans_id ?? fields.payment_id ?? fields.schedule_id ?? 'a token'}`;
    if (answer) world.note(other.name, `trespasses, ${about}: ${JSON.stringify(answer).slice(0, 120)}`);
    if (answer && answer.result !== 'ERROR' && answer.error_code === undefined)
      world.report(`${other.name} was answered about ${owner.name}, ${about}: ${JSON.stringify(answer)}`);
  }
}
