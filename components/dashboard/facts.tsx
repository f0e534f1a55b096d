// Facts as name and value, in groups.
import Link from 'next/link';
import type { Fact, FactGroup } from '../../lib/dashboard/contract.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import styles from './facts.module.css';
import { Time } from './zone.tsx';

export function Facts({ groups }: { groups: FactGroup[] }) {
  return groups.map(({ title, facts }) => (
    <section key={title} aria-label={title} className={styles.group}>
      <h2>{title}</h2>
      <FactList facts={facts} className={styles.list} />
    </section>
  ));
}

/** The pairs alone; the class sets the layout. */
export function FactList({ facts, className }: { facts: Fact[]; className?: string }) {
  return (
    <dl className={className}>
      {facts.map((fact) => (
        <div key={fact.name}>
          <dt>{fact.name}</dt>
          <dd>
            <Value fact={fact} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A value: a link, a time, an email address, an identifier with a copy button, or text. */
function Value({ fact: { name, value, code, mail, time, href } }: { fact: Fact }) {
  if (href) {
    return (
      <Link href={href} prefetch={false} className="text-accent">
        {value}
      </Link>
    );
  }
  if (time) return <Time at={value} as="date and time" />;
  if (mail) return <a href={`mailto:${encodeURIComponent(value).replace('%40', '@')}`}>{value}</a>;
  if (!code) return value;
  return (
    <span className={styles.code}>
      <code title={value}>{value}</code>
      <CopyButton text={value} what={name} className={styles.copy} />
    </span>
  );
}
