'use client';
// The navigation on a phone: the three most frequent pages, and a sheet with all others.
import clsx from 'clsx';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { Icon } from '../icons.tsx';
import { Sheet } from '../ui/dialog.tsx';
import { useCounts, useShell, useTheme } from './context.tsx';
import { isCurrent, navGroups } from './nav.ts';
import { MerchantPicker } from './switcher.tsx';
import { themes } from './theme.ts';
import { Initials, signOut } from './user-menu.tsx';

const first = ['/dashboard', '/dashboard/payments', '/dashboard/callbacks'];
const entry =
  'flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 border-0 bg-transparent text-xs font-medium no-underline';

export function BottomBar() {
  const { navItems, open, opened } = useShell();
  const counts = useCounts();
  const path = usePathname();
  const shown = navItems.filter(({ href }) => first.includes(href));
  const inFirst = shown.some(({ href }) => isCurrent(path, href));
  return (
    <nav
      aria-label="Dashboard, on a phone"
      className="fixed inset-x-0 bottom-0 z-20 hidden border-t border-line bg-bg pb-[env(safe-area-inset-bottom)] phone:flex"
    >
      {shown.map(({ href, label, glyph, count }) => (
        <Link
          key={href}
          href={href}
          prefetch={false}
          aria-current={isCurrent(path, href) ? 'page' : undefined}
          className={clsx(entry, 'relative', isCurrent(path, href) ? 'text-ink' : 'text-ink3')}
        >
          <Icon name={glyph} size={20} />
          {label}
          {count && counts[count] > 0 ? (
            <span aria-hidden="true" className="absolute top-2 left-[calc(50%+10px)] size-2 rounded-full bg-bad" />
          ) : null}
        </Link>
      ))}
      <button
        type="button"
        aria-expanded={opened === 'more'}
        onClick={() => open('more')}
        className={clsx(entry, inFirst ? 'text-ink3' : 'text-ink')}
      >
        <Icon name="more" size={20} />
        More
      </button>
      <MoreSheet />
    </nav>
  );
}

function MoreSheet() {
  const { navItems, open, opened, person, canSwitch } = useShell();
  const path = usePathname();
  const close = () => open(null);
  return (
    <Sheet
      open={opened === 'more'}
      onClose={close}
      title="All pages"
      className="fixed inset-x-0 bottom-0 z-40 max-h-[calc(100dvh-24px)] overflow-y-auto rounded-t-dialog bg-raised px-4 pt-4 pb-6 text-sm text-ink shadow-over outline-none motion-safe:animate-rise"
    >
      <div className="flex items-center gap-2.5 pb-3">
        <Initials name={person.name} />
        <span className="grid min-w-0 flex-1">
          <span className="truncate font-semibold">{person.name}</span>
          <span className="truncate text-xs text-ink3">{person.roleName}</span>
        </span>
        <button
          type="button"
          onClick={close}
          aria-label="Close"
          className="grid size-11 place-items-center border-0 bg-transparent p-0 text-ink2"
        >
          <Icon name="cross" />
        </button>
      </div>
      {canSwitch ? (
        <details className="border-t border-line py-2">
          <summary className="flex min-h-11 cursor-pointer items-center font-medium">Choose a merchant</summary>
          <MerchantPicker />
        </details>
      ) : null}
      {navGroups(navItems).map(({ title, items }) => (
        <div key={title} className="border-t border-line py-2">
          {title ? <p className="pt-1 text-xs font-medium text-ink3">{title}</p> : null}
          <ul className="grid grid-cols-2 gap-x-4">
            {items.map(({ href, label, glyph }) => (
              <li key={href}>
                <Link
                  href={href}
                  prefetch={false}
                  onClick={close}
                  aria-current={isCurrent(path, href) ? 'page' : undefined}
                  className={row}
                >
                  <Icon name={glyph} />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <UserSection close={close} />
    </Sheet>
  );
}

const row =
  'flex min-h-11 w-full items-center gap-3 border-0 bg-transparent px-0 text-start text-[15px] text-ink no-underline aria-[current]:font-semibold';

function UserSection({ close }: { close: () => void }) {
  const [theme, setTheme] = useTheme();
  return (
    <div className="border-t border-line pt-2">
      <Link href="/dashboard/account" prefetch={false} onClick={close} className={row}>
        <Icon name="person" />
        Account
      </Link>
      <fieldset className="flex min-h-11 items-center gap-2">
        <legend className="unseen">Theme</legend>
        {themes.map(({ name, text }) => (
          <label
            key={name}
            className="flex min-h-11 flex-1 items-center justify-center gap-2 rounded-control border border-solid border-line2 has-checked:border-accent has-checked:bg-sel has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="theme"
              className="unseen"
              checked={theme === name}
              onChange={() => setTheme(name)}
            />
            {text}
          </label>
        ))}
      </fieldset>
      <button type="button" onClick={signOut} className={row}>
        <Icon name="out" />
        Sign out
      </button>
    </div>
  );
}
