// A merchant rotates its key while payments are under way.
import { firstMerchant } from './merchants.ts';
import type { World } from './world.ts';

const overlapMost = 600_000;

/** Adds the second key, lets the first one end at once or some minutes later, and uses the second one before that. */
export async function rotateKey(world: World) {
  const { chance, scheduler, rotation } = world;
  const draw = chance.draws('rotation');
  await world.sleep(draw() ** 2 * 120_000);
  const overlap = draw() < 0.3 ? 0 : draw() * overlapMost;
  const at = scheduler.now();
  const [first, second] = [firstMerchant.keyId, firstMerchant.rotated.keyId];
  await world.edit(
    `update merchant_keys set valid_until = case id when $1 then to_timestamp($3) end,
                              replaces_id = case id when $2 then $1::uuid end
      where id in ($1, $2)`,
    [first, second, (at + overlap) / 1000],
  );
  world.note('world', `the merchant has another key, the first one ends in ${Math.round(overlap / 1000)} s`);
  Object.assign(rotation, { from: at + draw() * overlap, ended: at + overlap });
}
