// Virtual time and the queue of everything that waits. One seed decides every delay and every order of events, so a
// history is repeated by its seed.

/** A source of numbers from 0 to 1. */
export type Draw = () => number;

/** Something that happens at a time; a dead owner's events are dropped. */
type Event = { at: number; order: number; owner: Owner | null; what: string; run: () => void };

/** A simulated process or party: events of a dead owner never happen, those of a paused one happen when it wakes. */
export type Owner = { name: string; alive: boolean; pausedUntil: number };

export type Scheduler = ReturnType<typeof newScheduler>;

export function newScheduler(start: number) {
  let now = start;
  let orders = 0;
  const heap: Event[] = [];

  const isBefore = (one: Event, other: Event) => one.at < other.at || (one.at === other.at && one.order < other.order);

  function push(event: Event) {
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, heap[parent] as Event)) break;
      heap[at] = heap[parent] as Event;
      at = parent;
    }
    heap[at] = event;
  }

  function pop(): Event | undefined {
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) child += 1;
      if (!isBefore(heap[child] as Event, last)) break;
      heap[at] = heap[child] as Event;
      at = child;
    }
    heap[at] = last;
    return first;
  }

  return {
    /** Milliseconds since 1970. */
    now: () => now,
    /** Lets `run` happen after `delay` milliseconds; the returned function cancels it. */
    after(delay: number, owner: Owner | null, what: string, run: () => void): () => void {
      orders += 1;
      const event: Event = { at: now + Math.max(0, delay), order: orders, owner, what, run };
      push(event);
      return () => {
        event.run = nothing;
        event.what = '';
      };
    },
    /** The time of the next event; null if nothing waits. */
    next: () => heap[0]?.at ?? null,
    /** Takes the next event. Returns false if nothing happens: it was cancelled, or its process is dead or paused. */
    step(): boolean {
      const event = pop();
      if (!event || event.run === nothing || event.owner?.alive === false) return false;
      now = Math.max(now, event.at);
      const wakes = event.owner?.pausedUntil ?? 0;
      if (wakes > now) {
        push({ ...event, at: wakes });
        return false;
      }
      event.run();
      return true;
    },
    /** Moves the time on when nothing waits. */
    jump(to: number) {
      now = Math.max(now, to);
    },
  };
}

function nothing() {}
