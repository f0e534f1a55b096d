'use client';
// The user menu: theme, keyboard shortcuts and sign-out.
import { Icon } from '../icons.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { useSingleKeys } from '../ui/shortcuts.ts';
import { leave } from '../ui/unsaved.ts';
import { useShell, useTheme } from './context.tsx';
import { themes } from './theme.ts';

export function UserMenu() {
  const { person } = useShell();
  const items = useUserMenuItems();
  return (
    <Menu items={items} align="start" label="Your settings">
      <button
        type="button"
        className="flex items-center gap-2.5 rounded-control border-0 bg-transparent px-1.5 py-1 text-start hover:bg-hover max-lg:justify-center max-lg:px-0"
      >
        <Initials name={person.name} />
        <span className="grid min-w-0 flex-1 max-lg:sr-only">
          <span className="truncate leading-[18px] font-semibold">{person.name}</span>
          <span className="truncate text-xs text-ink3">{person.roleName}</span>
        </span>
        <span className="text-ink3 max-lg:hidden">
          <Icon name="dots" />
        </span>
        <span className="unseen">, account and settings</span>
      </button>
    </Menu>
  );
}

export function Initials({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-[26px] shrink-0 place-items-center rounded-full bg-pri text-11 font-semibold text-pri-ink"
    >
      {initialsOf(name)}
    </span>
  );
}

/** The initials of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name.split(' ').filter((word) => word !== '');
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.charAt(0).toUpperCase()).join('');
}

function useUserMenuItems(): MenuItem[] {
  const { open } = useShell();
  const [theme, setTheme] = useTheme();
  const [keysOn, setKeysOn] = useSingleKeys();
  return [
    { text: 'Account', icon: 'person', href: '/dashboard/account' },
    { text: 'Keyboard shortcuts', icon: 'keyboard', keys: '?', onSelect: () => open('keys') },
    {
      text: keysOn ? 'Disable single-key shortcuts' : 'Enable single-key shortcuts',
      icon: 'keyboard',
      onSelect: () => setKeysOn(!keysOn),
    },
    'line',
    ...themes.map(({ name, text, icon }): MenuItem => {
      return { text, icon, checked: theme === name, onSelect: () => setTheme(name) };
    }),
    'line',
    { text: 'Sign out', icon: 'out', onSelect: signOut },
  ];
}

/** Submits the form that works without script too, so that nothing of the page stays. */
export function signOut(): void {
  leave(() => {
    const form = document.createElement('form');
    form.method = 'post';
    form.action = '/dashboard/api/sign-out';
    document.body.append(form);
    form.submit();
  });
}
