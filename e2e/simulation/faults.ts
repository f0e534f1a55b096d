// What happens to processes, to the database and at the providers while the clients are served.
import type { Fault } from './chance.ts';
import type { Node } from './cluster.ts';
import { serviceOrigin } from './settings.ts';
import type { World } from './world.ts';

/** By how many milliseconds a clock is off at most. */
export const skewMost = 150_000;

const slotMilliseconds = 10_000;
/** Faults of processes end with the slots. */
const slots = 9;
/** Those around the charge of a schedule. */
const chargeSlots = 5;
const day = 86_400_000;
const lastingMilliseconds = 3 * 60_000;

/**
 * Lets the faults of processes happen for ninety seconds, and around later charges of schedules; resolves when all have
 * ended.
 */
export async function letThingsHappen(world: World) {
  const { chance, scheduler, base } = world;
  const draw = chance.draws('charges');
  await happenFor(world, slots);
  for (let charges = draw() < 0.5 ? 2 : 0; charges > 0; charges -= 1) {
    const [due] = await base.rows<{ at: string | null }>(
      'select (extract(epoch from min(due_at)) * 1000)::bigint as at from subscriptions where stopped_at is null',
    );
    if (!due?.at) break;
    await world.sleep(Math.max(1, Number(due.at) - scheduler.now() - draw() * chargeSlots * slotMilliseconds));
    chance.stir();
    await happenFor(world, chargeSlots);
  }
  for (const node of world.nodes) {
    world.setSkew(node, 0);
    if (node.service === null) await world.start(node.name);
    else await world.compareClock(node);
  }
  world.calmSince = scheduler.now();
  world.note('world', `is calm from here, ${new Date(scheduler.now()).toISOString()}`);
}

async function happenFor(world: World, slots: number) {
  const { chance } = world;
  let pauses: Promise<unknown>[] = [];
  for (let slot = 0; slot < slots; slot += 1) {
    await world.sleep(slotMilliseconds);
    for (const [fault, act] of Object.entries(acts) as [Fault, Act][]) {
      if (!chance.happens(fault)) continue;
      const up = world.up();
      const node = up[Math.floor(chance.draws(`victim of ${fault}`)() * up.length)];
      if (!node) continue;
      const milliseconds = 100 + chance.longWait(`length of ${fault}`);
      world.note('world', `${fault}: ${node.name}, ${Math.round(milliseconds / 1000)} s`);
      pauses.push(Promise.resolve(act(world, node, milliseconds)));
    }
  }
  // Servers and connections fail for some more time, but not for days.
  await world.sleep(lastingMilliseconds);
  chance.calm();
  while (pauses.length > 0) {
    const running = pauses;
    pauses = [];
    await Promise.all(running);
  }
}

type Act = (world: World, node: Node, milliseconds: number) => Promise<unknown> | undefined;

const acts: Partial<Record<Fault, Act>> = {
  async 'process killed'(world, node, milliseconds) {
    await world.kill(node);
    await world.sleep(milliseconds);
    await world.start(node.name);
  },
  'process paused': (world, node, milliseconds) => world.pause(node, milliseconds),
  'process cut off'(world, node, milliseconds) {
    node.cutOffUntil = world.scheduler.now() + milliseconds;
    return world.sleep(milliseconds);
  },
  async 'clock off'(world, node, milliseconds) {
    world.setSkew(node, (world.chance.draws('clock')() * 2 - 1) * skewMost);
    // The process compares its clock every five seconds.
    await world.sleep(world.chance.between('clock', 0, 5_000));
    await world.compareClock(node);
    await world.sleep(milliseconds);
    world.setSkew(node, 0);
    await world.sleep(world.chance.between('clock', 0, 5_000));
    // It goes on until a comparison has succeeded: until then the process takes no payments.
    const failed = () => world.logs.filter((line) => line.includes('the clock could not be compared')).length;
    for (let before = failed(); ; before = failed()) {
      await world.compareClock(node);
      if (failed() === before) return;
      await world.sleep(5_000);
    }
  },
  'database fails over'(world, _node, milliseconds) {
    world.failOver(milliseconds / 3);
    return world.sleep(milliseconds / 3);
  },
  async 'outage of days'(world) {
    await world.sleep(world.chance.between('outage begins', 0, 3) * day);
    await Promise.all(world.nodes.map((node) => world.kill(node)));
    await world.sleep(world.chance.between('outage', 1, 8) * day);
    for (const { name, service } of world.nodes) if (service === null) await world.start(name);
  },
  async 'account moved'(world) {
    await world.moveAccount();
  },
  async 'settings changed'(world) {
    await world.editSettings();
  },
  async 'payer returns early'(world) {
    await returnEarly(world);
  },
  async 'portal action'(world) {
    await pickProvider(world).actAtPortal();
  },
  async 'settles after a decline'(world) {
    await pickProvider(world).contradict();
  },
  async 'outcome reversed'(world) {
    // A refund that the service sends for a late success has no transaction, and a change of its outcome is not noticed.
    const recorded = await world.base.rows<{ id: string }>('select id from transactions');
    await pickProvider(world).reverse(new Set(recorded.map(({ id }) => id)));
  },
};

/** The payer of an attempt without an outcome goes back from the bank's page, or reloads it, while the call goes on. */
async function returnEarly({ base, send }: World) {
  const [open] = await base.rows<{ id: string }>(
    "select id from transactions where status in ('sent', 'unknown') order by created_at desc, id limit 1",
  );
  if (!open) return;
  const url = `${serviceOrigin}/return/${open.id}`;
  await send('payer', { method: 'GET', url, headers: { accept: 'text/html' }, body: '' });
}

function pickProvider({ chance, providers }: World) {
  const place = Math.floor(chance.draws('which provider')() * providers.length);
  return providers[place] as (typeof providers)[number];
}
