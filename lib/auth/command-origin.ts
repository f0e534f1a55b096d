/** Who runs a command, in place of the address that a request has in the audit log. */
import { hostname, userInfo } from 'node:os';

/**
 * The user of the operating system and the host, as `root@db1`, and behind sudo `ann as root@db1`. In a container they are
 * the container's.
 */
export function commandOrigin(sudoUser = process.env.SUDO_USER ?? ''): string {
  const caller = /^[^\s\p{C}]{1,64}$/u.test(sudoUser) ? `${sudoUser} as ` : '';
  return `${caller}${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without a name.
    return `uid ${process.getuid?.()}`;
  }
}
