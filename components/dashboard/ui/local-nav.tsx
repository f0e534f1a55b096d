'use client';
// The sections of a long page, at its left; a horizontally scrolling row on small screens. A dot marks changes.
import clsx from 'clsx';
import { useEffect, useState } from 'react';

type Props = { sections: readonly { id: string; title: string }[]; changed: readonly string[] };

export function LocalNav({ sections, changed }: Props) {
  const current = useCurrent(sections);
  return (
    <nav
      aria-label="On this page"
      className="border-line max-lg:sticky max-lg:top-[calc(var(--top)+48px)] max-lg:z-2 max-lg:overflow-x-auto max-lg:border-b max-lg:bg-bg lg:w-[196px] lg:shrink-0 lg:border-r"
    >
      <ul className="top-[calc(var(--top)+48px)] flex gap-1 px-gutter max-lg:h-11 max-lg:items-center lg:sticky lg:flex-col lg:gap-0.5 lg:py-4 lg:pr-3">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={current === id ? 'true' : undefined}
              className={clsx(
                'flex min-h-7 items-center justify-between gap-2 whitespace-nowrap no-underline hover:text-ink max-lg:px-2 phone:min-h-11',
                current === id ? 'font-semibold text-ink' : 'text-ink2',
              )}
            >
              {title}
              {changed.includes(id) ? (
                <>
                  <span aria-hidden="true" className="size-1.5 rounded-full bg-accent" />
                  <span className="unseen">changed</span>
                </>
              ) : null}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The last section whose beginning is above the upper third of the window. */
function useCurrent(sections: Props['sections']): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.id);
  useEffect(() => {
    const update = () => {
      const atEnd =
        window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2 && window.scrollY > 0;
      const passed = sections.filter(({ id }) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top < window.innerHeight / 3;
      });
      setCurrent((atEnd ? sections.at(-1) : (passed.at(-1) ?? sections[0]))?.id);
    };
    update();
    addEventListener('scroll', update, { passive: true });
    return () => removeEventListener('scroll', update);
  }, [sections]);
  return current;
}
