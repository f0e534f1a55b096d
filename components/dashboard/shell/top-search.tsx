'use client';
// The search of the top bar: looks like a field and opens the command menu. Only an icon on small screens.
import { Icon } from '../icons';
import { KeyCap } from '../ui/button';
import { useShell } from './context';

export function TopSearch() {
  const { open } = useShell();
  return (
    <button
      type="button"
      onClick={() => open('commands')}
      className="ml-auto flex h-[30px] w-[264px] min-w-8 shrink items-center gap-2 rounded-control border border-solid border-line2 bg-sub px-2.5 text-ink3 hover:text-ink2 max-md:size-8 max-md:shrink-0 max-md:justify-center max-md:p-0 phone:size-11 phone:border-transparent phone:bg-transparent"
    >
      <Icon name="search" />
      <span className="min-w-0 flex-1 truncate text-start max-md:sr-only">Search or jump to</span>
      <span className="max-md:hidden">
        <KeyCap text="Ctrl K" />
      </span>
    </button>
  );
}
