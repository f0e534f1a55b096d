// The state of an object in a table: an icon and a label, like payment statuses.

import type { ChainState, ScheduleState, SessionState, TokenState } from '../../../lib/dashboard/lists/contract';
import { StatusShape } from '../../ui/status';
import { Icon, type IconName } from '../icons';
import type { Tone } from '../ui/parts';

type State = SessionState | TokenState | ChainState | ScheduleState;

type Shown = { word: string; tone: Tone; shape: { status: string } | { glyph: IconName } };

const shown: Record<State, Shown> = {
  open: { word: 'Open', tone: 'accent', shape: { status: 'prepare' } },
  trying: { word: 'Payment in progress', tone: 'warn', shape: { status: 'pending' } },
  paid: { word: 'Paid', tone: 'ok', shape: { status: 'settled' } },
  expired: { word: 'Expired', tone: 'plain', shape: { glyph: 'clock' } },
  cancelled: { word: 'Cancelled', tone: 'plain', shape: { status: 'void' } },
  active: { word: 'Active', tone: 'ok', shape: { status: 'settled' } },
  removed: { word: 'Removed', tone: 'plain', shape: { status: 'void' } },
  scheduled: { word: 'Scheduled', tone: 'ok', shape: { glyph: 'schedules' } },
  stopped: { word: 'Stopped', tone: 'plain', shape: { status: 'void' } },
  running: { word: 'Running', tone: 'ok', shape: { status: 'settled' } },
  paused: { word: 'Paused', tone: 'warn', shape: { glyph: 'pause' } },
  deleted: { word: 'Deleted', tone: 'plain', shape: { status: 'void' } },
};

/** The label of a state. */
export function stateLabel(state: State): string {
  return shown[state].word;
}

/** The tone of a state's tag on the object's page. */
export function stateTone(state: State): Tone {
  return shown[state].tone;
}

/** Icon and label; `expired` adds a secondary text. */
export function ObjectState({ state }: { state: State }) {
  const { word, shape } = shown[state];
  return (
    <span className="flex shrink-0 items-center gap-[7px] text-ink">
      {'status' in shape ? (
        <StatusShape status={shape.status} />
      ) : (
        <span className="text-ink3">
          <Icon name={shape.glyph} size={14} />
        </span>
      )}
      {word}
    </span>
  );
}
