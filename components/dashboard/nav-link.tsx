'use client';
// An entry of the navigation, which knows whether this is where one is.
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { Glyph, type GlyphName } from './glyphs';
import styles from './shell.module.css';

type Props = { href: string; glyph: GlyphName; children: string; phoneOnly?: boolean };

export function NavLink({ href, glyph, children, phoneOnly = false }: Props) {
  const path = usePathname();
  const here = path === href || path.startsWith(`${href}/`);
  return (
    <Link
      href={href}
      className={phoneOnly ? `${styles.entry} ${styles.phoneOnly}` : styles.entry}
      aria-current={here ? 'page' : undefined}
      title={children}
    >
      <Glyph name={glyph} />
      <span>{children}</span>
    </Link>
  );
}
