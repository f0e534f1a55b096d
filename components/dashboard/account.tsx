// Who has signed in, and the way out.
import styles from './account.module.css';
import type { Person } from './model';
import { SignOut } from './sign-out';

export function Account({ person }: { person: Person }) {
  const rows = [
    ['Name', person.name],
    ['E-mail', person.email],
    ['Role', person.roleName],
    ['Merchant', person.merchantName ?? 'All merchants'],
  ] as const;
  return (
    <div className={styles.account}>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <SignOut />
    </div>
  );
}
